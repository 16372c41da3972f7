"""The services of a server: they act for everybody, whoever looks at a page."""

from __future__ import annotations

import pytest
import streamlit as st

from core.errors import NotAllowed, NotFound, TextError
from core.store import Store
from tests.core.workspace import small
from tsnmf_ui.server import lifecycle, login, state
from tsnmf_ui.theme import texts


@pytest.fixture
def services(tmp_path, monkeypatch):
    """Those of a server on which people sign in, without its processes."""
    monkeypatch.setattr(login, "configured", lambda: True)
    monkeypatch.setattr(lifecycle, "start_executors", lambda _store, _progress: {})
    with Store.open(home=tmp_path) as store:
        monkeypatch.setattr(state, "server_store", lambda: store)
        services = lifecycle.Services(store)
        yield services
        services.close()


def test_the_desk_reads_topics_whoever_the_members_are(services):
    project = small.fitted(services.store)
    services._fitted(project.id, None)
    assert services.desk.fitted(project.id).topics is not None


@pytest.mark.parametrize(
    "error",
    [NotAllowed("You can read this."), NotFound("No such project."), TextError("No word is left.")],
)
def test_a_page_says_that_a_role_is_gone_or_that_no_word_is_left(monkeypatch, caplog, error):
    said: list[str] = []
    monkeypatch.setattr(st, "error", said.append)
    assert lifecycle.script_failed(error)
    assert said == [texts.escape_markdown(str(error))]
    assert not caplog.records
