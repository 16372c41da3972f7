"""Colours of the map: by topic, label, class and date."""

from __future__ import annotations

import numpy as np
import pytest

from core.store import Store
from tests.ui.pages.results_app import fitted
from tsnmf_ui.figures import Colouring
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics.map import map_colours
from tsnmf_ui.server import state
from tsnmf_ui.theme import style


@pytest.fixture
def found(tmp_path, monkeypatch):
    import streamlit as st

    st.cache_resource.clear()
    with Store.open(home=tmp_path) as store:
        monkeypatch.setattr(state, "store", lambda: store)
        yield results.load(fitted(store))


def test_every_way_to_colour_is_offered(found):
    offered = map_colours.choices(found)
    assert offered == [
        "topic",
        map_colours.BY_LABEL_GIVEN,
        map_colours.BY_CORPUS_LABEL,
        "district",
        "date",
    ]
    for way in offered:
        colouring = map_colours.colouring(found, way)
        assert colouring.codes.shape == (30,)
        assert len(colouring.names) == len(colouring.colours)
        assert colouring.codes.max() < len(colouring.names)


def test_a_label_has_the_colour_of_its_topic(found):
    given = map_colours.colouring(found, map_colours.BY_CORPUS_LABEL)
    water = list(given.names).index("Water")
    assert given.colours[water] == results.colours(found)[found.topics.names.index("Water")]
    told = map_colours.colouring(found, map_colours.BY_LABEL_GIVEN)
    assert (told.codes >= 0).sum() == 6


def test_dates_go_from_early_to_late(found):
    colouring = map_colours.colouring(found, "date")
    assert colouring.codes[0] == 0
    assert colouring.codes[27] == len(colouring.names) - 1
    assert colouring.names[0] == "from 1 Mar 2026"


def test_many_classes_become_few():
    codes = np.repeat(np.arange(20), np.arange(20, 0, -1)).astype(np.int32)
    codes[0] = -1
    many = Colouring("x", codes, [f"c{i}" for i in range(20)], ["#000000"] * 20)
    few = map_colours._most_frequent(many)
    assert len(few.names) == 13
    assert (few.names[-1], few.colours[-1]) == ("8 others", style.FREE_COLOUR)
    assert (few.codes[0], few.codes[1], few.codes[-1]) == (-1, 0, 12)
