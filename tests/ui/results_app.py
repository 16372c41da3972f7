"""What the tests of the results pages share: a store of their own, and pages as scripts."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.store import Project, Store
from tests.ui import small
from tsnmf_ui import worker


def fitted(store: Store, **about: int) -> Project:
    """A small project after its first fit."""
    made = small.project(store, **about)
    worker.refit(store, made.id)
    return store.project(made.id)


def opened(script: Callable[[], None], project: Project | None = None, **address: str) -> AppTest:
    """A page with a project open, after its first run."""
    app = AppTest.from_function(script, default_timeout=60)
    if project is not None:
        app.query_params["project"] = str(project.id)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    """Everything the page says through st.html, style sheets left out."""
    bodies = [str(element.proto.body) for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<style>"))


def said(app: AppTest) -> str:
    return "\n".join(element.value for element in app.markdown)
