"""What the tests of the pages share: pages as scripts, and a look at what they show."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from streamlit.testing.v1 import AppTest

from core.spec import ModelSpec
from core.store import Project, Run, RunOutcome, Store
from core.topics import Topics
from tests.core.workspace.small import fitted

__all__ = [
    "compare_page",
    "corpus_page",
    "fitted",
    "history_page",
    "html",
    "keep_run",
    "label_page",
    "opened",
    "report_page",
    "said",
    "scores_page",
    "topics_page",
]


# Streamlit's AppTest runs the source of a function, so what each needs is imported inside it.


def topics_page() -> None:
    from tsnmf_ui.pages.topics import page as topics

    topics.page()


def scores_page() -> None:
    from tsnmf_ui.pages.scores import page as scores

    scores.page()


def report_page() -> None:
    from tsnmf_ui.pages.report import page as report

    report.page()


def compare_page() -> None:
    from tsnmf_ui.pages.compare import page as compare

    compare.page()


def corpus_page() -> None:
    from tsnmf_ui.pages.corpus import page as corpus

    corpus.page()


def history_page() -> None:
    from tsnmf_ui.pages.history import page as history

    history.page()


def label_page() -> None:
    from tsnmf_ui.pages.label import page as label

    label.page()


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


WORDS = ("water", "pipe", "noise", "music", "park", "tree", "zebra", "yacht")
NOWHERE = ("zebra", "yacht")  # words that no text holds


def keep_run(store: Store, rows: list[dict[str, float]], main: list[int]) -> Run:
    """A run of topics made by hand: the words of each, and the main topic of each text."""
    project = store.project(1)
    H = np.array([[row.get(word, 0.0) for word in WORDS] for row in rows])
    H /= np.maximum(np.linalg.norm(H, axis=1, keepdims=True), 1e-30)
    named = tuple(topic.name for topic in store.topics(1))
    free = tuple(f"Free {k + 1}" for k in range(len(rows) - len(named)))
    topics = Topics(
        doc_topic=np.eye(len(rows))[main],
        topic_term=H,
        terms=WORDS,
        doc_ids=tuple(f"d{i}" for i in range(project.n_docs)),
        names=(*named, *free),
        keys=(*(topic.id for topic in store.topics(1)), *free),
        n_supervised=len(named),
        spec=ModelSpec("tsnmf", len(rows)),
    )
    return store.add_run(
        1,
        revision=store.revision(1),
        topics=topics,
        outcome=RunOutcome(),
        seconds=0.1,
        settings=project.settings,
    )
