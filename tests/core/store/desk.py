"""A small corpus and what is kept of its runs, for the tests of the store."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.corpus import Corpus
from core.spec import ModelSpec
from core.topics import Topics

N = 6
CORPUS = Corpus(ids=tuple("abcdef"), texts=tuple(f"text {i}" for i in range(N)))
STUDY = {"points": [], "rates": [0.1], "n_sets": 1, "n_docs": 3, "n_labels": 1}
SUMMARY = {"kind": "rates", "title": "Rates", "revision": 2, "author": "ann", "seconds": 1.0}
POINT: dict[str, Any] = {
    "run": 1,
    "revision": 1,
    "labelled": 1,
    "finished": "2024-05-01T10:00:00+00:00",
    "like": "k",
    "basis": "truth",
    "model": "tsnmf",
    "scores": {},
    "forecast": None,
}


def topics_of_three(ids: tuple[str, ...]) -> Topics:
    """A named topic and a free one of three documents with these ids."""
    return Topics(
        doc_topic=np.eye(3, 2),
        topic_term=np.eye(2),
        terms=("x", "y"),
        doc_ids=ids,
        names=("Light", "Free 1"),
        keys=(1, "Free 1"),
        n_supervised=1,
        spec=ModelSpec(n_topics=2),
    )
