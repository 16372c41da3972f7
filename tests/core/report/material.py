"""A small report with hostile names, texts and numbers, for tests of its formats."""

from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np

from core.corpus import Corpus
from core.report import (
    HistoryRow,
    Privacy,
    ReportInput,
    ReportScores,
    build_report,
    summarise_people,
)
from core.report.inputs import Arrangement
from core.spec import ModelSpec
from core.store import Codebook
from core.store.coding.highlights import HighlightInForce
from core.supervision import Supervision
from core.topics import Topics

EVIL = "<script>alert('x')</script> =cmd|' /C calc'!A0 \x0b bill & refund {{ 7*7 }}"
MAIL = "Write to ann.lee@example.org or call +49 89 1234 5678 about the tower."
HIGHLIGHTS = {
    position: (HighlightInForce(9, "Ada Lovelace", (topic,), 0, len(words), words),)
    for position, topic, words in (
        (1, 1, "ann.lee@example.org or call"),
        (2, 2, "tower is off"),
        (4, 2, "1234 5678 about"),  # half a phone number
        (5, 2, "no longer in the text"),
    )
}
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
SCORES = ReportScores(
    values={
        "first": [0.75, 0.5, 0.9, "on 40 texts"],
        "jaccard": [0.5, 0.4, 0.6, "over 2 labels"],
        "resolved": [2.0, 1.0, 2.0, "of 2 labels"],
    },
    labels=[
        {"label": "=1+1", "topic": 1, "topic_name": "=1+1", "jaccard": 0.4, "documents": 12},
        {"label": "<b>Bills", "topic": 0, "topic_name": "<b>Bills", "jaccard": 0.6, "documents": 2},
    ],
    basis="Scored on labels held out (40 texts).",
)


def material(n: int = 24, n_topics: int = 3, **more) -> ReportInput:
    """Texts in turn hostile, with personal numbers, and plain."""
    names = ("<b>Bills", "=1+1", "Free 1", *(f"Topic {k}" for k in range(4, n_topics + 1)))
    W = np.zeros((n, n_topics))
    W[np.arange(n), np.arange(n) % n_topics] = 2.0
    W[:, 0] += 1.0
    H = np.abs(np.random.default_rng(0).normal(size=(n_topics, 6)))
    topics = Topics(
        doc_topic=W,
        topic_term=H,
        terms=("bill", "refund", "tower", "=sum(a1)", "<i>", "5551234567"),
        doc_ids=tuple(f"=d{i}" for i in range(n)),
        names=names[:n_topics],
        keys=(1, 2, *names[2:n_topics]),
        n_supervised=2,
        spec=ModelSpec(random_state=7),
        fingerprint="matrix-print",
    )
    texts = (EVIL, MAIL, "The tower is off. Again.")
    corpus = Corpus(
        ids=topics.doc_ids,
        texts=tuple(f"{texts[i % 3]} {i}" for i in range(n)),
        dates=tuple(date(2026, 1 + i % 6, 3) for i in range(n)),
        side={"area": tuple(("north", "@south")[i % 2] if i else "lighthouse" for i in range(n))},
    )
    labels = [["a"] if i % 3 == 0 else ["b"] if i % 3 == 1 else [] for i in range(n)]
    supervision = Supervision.of(labels, ["a", "b"])
    given = {
        "topics": topics,
        "corpus": corpus,
        "supervision": supervision,
        "scores": SCORES,
        "people": summarise_people([], {}),
        "colours": ["#0072B2", "#D55E00", "#8794A6"],
        "codebook": {1: Codebook("=What it is, by ann.lee@example.org", "in", "<b>out", (1, 2))},
        "highlights": HIGHLIGHTS,
        "arrangement": Arrangement(comments={"2": "=HYPERLINK(1)"}),
        "privacy": Privacy(texts="with"),
        "history": lambda: [HistoryRow(1, NOON, "Ada Lovelace", "Labels", "=Labelled")],
    }
    return ReportInput(**(given | more))


def report(**more):
    return build_report(material(**more), title="Desk <i>2026", made=NOON)
