"""The topics as a table and a list for the eye: in which order, with which sparkline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import pandas as pd

from core.insight.topic_titles import first_words
from core.report import MIN_GROUP
from core.store import Store
from core.workspace import topic_facts
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results
from tsnmf_ui.figures.trends import period_name
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

Order = Literal["Needs a look", "Largest", "Fewest labels", "Name"]
ORDERS: tuple[Order, ...] = ("Needs a look", "Largest", "Fewest labels", "Name")
SPARKLINE_PERIODS = 24  # of a trend in a card

_sparklines: StoreCache[list[list[tuple[float, str]]]] = StoreCache(max_entries=8)


def order(found: Results, by: Order) -> list[int]:
    """The columns in the order asked for."""
    if by == "Needs a look":
        return list(topic_facts.attention(state.store(), found))
    keys: dict[str, Callable[[int], Any]] = {
        "Largest": lambda topic: -found.sizes[topic].share,
        "Fewest labels": lambda topic: found.labelled[topic],
        "Name": lambda topic: found.topics.names[topic].casefold(),
    }
    return sorted(range(len(found.topics)), key=keys[by])


def stable_order(found: Results) -> list[int]:
    """The columns in an order that no refit changes: named topics as listed, then free ones."""
    place = {topic.id: at for at, topic in enumerate(state.store().topics(found.project.id))}
    last = len(place)
    return sorted(
        range(len(found.topics)), key=lambda topic: place.get(found.ids[topic] or 0, last)
    )


def table(found: Results, order: Sequence[int]) -> pd.DataFrame:
    """All topics as a table for the eye, in this order."""
    store = state.store()
    measured, judged = topic_facts.coherence(store, found), topic_facts.attention(store, found)
    nothing = float("nan")
    columns: dict[str, list[Any]] = {
        "Topic": [found.topics.names[k] for k in order],
        "Share": [found.sizes[k].share for k in order],
        "Texts": [found.sizes[k].documents for k in order],
        "Labelled": [0 if found.ids[k] is None else found.labelled[k] for k in order],
        "Coherence": [nothing if measured is None else measured[k] for k in order],
    }
    if topic_facts.period(store, found) is not None:
        columns["Trend"] = [[share for share, _ in sparkline(found, k)] for k in order]
    columns["Words"] = [first_words(found.topics, k, 8) for k in order]
    columns["Needs a look"] = [" ".join(r.sentence for r in judged[k].reasons) for k in order]
    return pd.DataFrame(columns)


def sparkline(found: Results, topic: int) -> list[tuple[float, str]]:
    """A topic's share in the last periods, each with what it says; empty without dates."""
    store = state.store()
    key = found.project.id, found.run.id
    return _sparklines.get(store, key, lambda: _make_sparklines(store, found))[topic]


def _make_sparklines(store: Store, found: Results) -> list[list[tuple[float, str]]]:
    """By topic; a period with a few texts says nothing about a share, and is left out."""
    by, table = topic_facts.period(store, found), topic_facts.trend(store, found)
    lines: list[list[tuple[float, str]]] = [[] for _ in range(len(found.topics))]
    if by is None:
        return lines
    columns = (table[name].tolist() for name in ("topic", "start", "share", "documents", "of"))
    for topic, start, share, documents, of in zip(*columns, strict=True):
        if of >= MIN_GROUP:
            caption = f"{period_name(start, by)}: {texts.percent(share)}, {documents:,} of {of:,}"
            lines[topic].append((share, caption))
    return [line[-SPARKLINE_PERIODS:] for line in lines]
