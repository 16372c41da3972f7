"""What is kept of nodes to be read: the words of their main topics, and how alike they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.papers.tables import PaperStatement, PaperWords

N_WORDS, N_TOPICS, N_NEAREST = 7, 2, 5  # shown of a node, as in print

Parents = Mapping[str, Sequence[str]]


def nodes_shown(model: Any, terms: Sequence[str], parents: Parents) -> dict[str, Any]:
    """Of the labels and what they hang from: main topics, likeness to each other and to parents."""
    names = list(model.candidates(0))
    shown: dict[str, Any] = {
        "names": names,
        "words": [_words(model, 0, node, terms) for node in range(len(names))],
        "similarity": _rounded(model.similarity(0)[: len(names), : len(names)]),
    }
    if parents:
        above = list(model.candidates(1))
        shown |= {
            "above": above,
            "words_above": [_words(model, 1, node, terms) for node in range(len(above))],
            "to_above": _rounded(model.similarity(0, 1)[: len(names)]),
            "parents": [list(parents[name]) for name in names],
        }
    return shown


def some_nodes_shown(model: Any, terms: Sequence[str], chosen: Sequence[str]) -> dict[str, Any]:
    """Of a few labels among many: main topics, and the labels most like them."""
    names = list(model.candidates(0))
    places = [names.index(name) for name in chosen]
    similarity = model.similarity(0)[:, : len(names)]
    return {
        "names": list(chosen),
        "words": [_words(model, 0, place, terms) for place in places],
        "nearest": [_nearest(names, similarity[place], place) for place in places],
    }


def _words(model: Any, level: int, node: int, terms: Sequence[str]) -> list[list[str]]:
    """The first words of the topics that hold most of a node."""
    topics = np.argsort(-model.node_shares_[level][node], kind="stable")[:N_TOPICS]
    order = np.argsort(-model.components_[topics], axis=1, kind="stable")[:, :N_WORDS]
    return [[terms[place] for place in row] for row in order]


def _nearest(names: Sequence[str], similarity: np.ndarray, place: int) -> list[str]:
    order = np.argsort(-similarity, kind="stable")
    return [names[other] for other in order if other != place][:N_NEAREST]


def _rounded(values: np.ndarray) -> list[list[float]]:
    rows: list[list[float]] = np.round(values, 4).tolist()
    return rows


def topic_words(names: Sequence[str], words: Sequence[Sequence[str]]) -> list[PaperWords]:
    """The main topic of each node."""
    return [PaperWords(name, topics[0]) for name, topics in zip(names, words, strict=True)]


def likeness(shown: Mapping[str, Any], above: str) -> list[PaperStatement]:
    """Whether nodes are nearest what they hang from, and those of one kind like each other."""
    own = [set(parents) for parents in shown["parents"]]
    nearest = [shown["above"][int(np.argmax(row))] for row in shown["to_above"]]
    right = sum(found in mine for found, mine in zip(nearest, own, strict=True))
    same = np.array([[bool(one & other) for other in own] for one in own])
    between = np.array(shown["similarity"])
    inside = float(between[same & ~np.eye(len(own), dtype=bool)].mean())
    outside = float(between[~same].mean())
    return [
        PaperStatement(
            f"Each is more like its own {above} than like others",
            f"{right} of {len(own)}",
            right == len(own),
        ),
        PaperStatement(
            f"Those of one {above} are more alike than others",
            f"mean cosine {inside:.2f} within, {outside:.2f} between",
            inside > outside,
        ),
    ]
