"""What the Topics page knows of the topics: computed once per run or act, never by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core import summaries
from core.attention import Attention, needs_attention
from core.document_map import DocumentMap, place_documents, representatives
from core.errors import NotFound
from core.facts import Facts
from core.similarity import co_occurring, topic_similarity
from core.store import Project
from core.topics import Topics
from core.trends import Period, best_period, by_class, over_time
from core.trends import readable_periods as _readable
from tsnmf_ui import measures, scattering, state, worker
from tsnmf_ui.figures import maps
from tsnmf_ui.figures.trends import period_name
from tsnmf_ui.results import Results, Version

Order = Literal["Needs a look", "Largest", "Fewest labels", "Name"]
ORDERS: tuple[Order, ...] = ("Needs a look", "Largest", "Fewest labels", "Name")
BARS = 24  # of a trend in a card


# Facts about documents


def facts(project: Project) -> Facts:
    """Days, classes and given labels; a corpus never changes, so its project names it."""
    return _facts(project.id, project)


@st.cache_resource(max_entries=4, show_spinner=False)
def _facts(project_id: int, _project: Project) -> Facts:
    return measures.facts_of(state.store(), _project)


# What needs a look


def coherence(found: Results) -> tuple[float, ...] | None:
    """NPMI by column; None while it is still being measured."""
    kept = _kept_coherence(found.project.id, found.run.id)
    if "values" not in kept:
        values = _coherence(found)
        if values is None:
            return None
        kept["values"] = tuple(values.tolist())
    return kept["values"]


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept_coherence(project_id: int, run_id: int) -> dict[str, Any]:
    """Filled as soon as there is something: "not yet" must not be remembered."""
    return {}


def _coherence(found: Results) -> np.ndarray | None:
    measured = measures.read_coherence(state.store(), found.run, len(found.topics))
    if measured is not None or len(found.topics.doc_ids) > measures.SOON:
        return measured
    matrix = worker.matrix_of(state.store(), found.project)
    if matrix.terms != found.topics.terms:
        return None
    return measures.coherence(found.topics, matrix)


def changes(found: Results) -> summaries.Changes | None:
    """What the last refit did; None where there is nothing to compare with."""
    return _changes(found.project.id, found.run.id, found.topics.names, found)


@st.cache_resource(max_entries=8, show_spinner=False)
def _changes(
    project_id: int, run_id: int, names: tuple[str, ...], _found: Results
) -> summaries.Changes | None:
    before = _before(_found)
    return None if before is None else summaries.compare(before, _found.topics)


def _before(found: Results) -> Topics | None:
    """The topics of the run before, if it was of the same documents and model."""
    runs = state.store().runs(found.project.id)
    earlier = next((run for run in runs if run.id < found.run.id), None)
    if earlier is None or earlier.spec.model != found.run.spec.model:
        return None
    try:
        topics = state.topics_of(earlier)
    except NotFound:
        return None
    return topics if topics.doc_ids == found.topics.doc_ids else None


def attention(found: Results) -> dict[int, Attention]:
    """What is the matter with each topic, those that need a look most first."""
    measured = coherence(found)
    return _attention(found.version, measured is None, found, measured)


@st.cache_resource(max_entries=8, show_spinner=False)
def _attention(
    version: tuple[Any, ...], unmeasured: bool, _found: Results, _coherence: Sequence[float] | None
) -> dict[int, Attention]:
    judged = needs_attention(
        _found.topics,
        labelled=_found.labelled,
        coherence=_coherence,
        changes=changes(_found),
    )
    return {each.topic: each for each in judged}


def order(found: Results, by: Order) -> list[int]:
    """The columns in the order asked for."""
    if by == "Needs a look":
        return list(attention(found))
    keys: dict[str, Callable[[int], Any]] = {
        "Largest": lambda topic: -found.sizes[topic].share,
        "Fewest labels": lambda topic: found.labelled[topic],
        "Name": lambda topic: found.topics.names[topic].casefold(),
    }
    return sorted(range(len(found.topics)), key=keys[by])


def in_place(found: Results) -> list[int]:
    """The columns in an order that no refit changes: named topics as they were made, then free."""
    last = float("inf")
    return sorted(range(len(found.topics)), key=lambda topic: found.ids[topic] or last)


def table(found: Results, order: Sequence[int]) -> pd.DataFrame:
    """All topics as a table for the eye, in this order."""
    measured, judged = coherence(found), attention(found)
    nothing = float("nan")
    columns: dict[str, list[Any]] = {
        "Topic": [found.topics.names[k] for k in order],
        "Share": [100 * found.sizes[k].share for k in order],
        "Texts": [found.sizes[k].documents for k in order],
        "Labelled": [0 if found.ids[k] is None else found.labelled[k] for k in order],
        "Coherence": [nothing if measured is None else measured[k] for k in order],
    }
    if period(found) is not None:
        columns["Trend"] = [[share for share, _ in sparkline(found, k)] for k in order]
    columns["Words"] = [", ".join(term for term, _ in found.topics.top_terms(k, 8)) for k in order]
    columns["Needs a look"] = [" ".join(r.sentence for r in judged[k].reasons) for k in order]
    return pd.DataFrame(columns)


# Time, classes, company


def period(found: Results) -> Period | None:
    """The period in which time is counted; None where documents have no dates."""
    return best_period(facts(found.project).days)


def readable_periods(found: Results) -> list[Period]:
    """The periods that make a chart one can read."""
    return _readable(facts(found.project).days)


def trend(found: Results, by: Period | None = None) -> pd.DataFrame:
    """Shares over time; empty without dates."""
    chosen = by or period(found)
    return _trend(found.project.id, found.run.id, found.topics.names, chosen, found)


@st.cache_resource(max_entries=8, show_spinner=False)
def _trend(
    project_id: int, run_id: int, names: tuple[str, ...], by: Period | None, _found: Results
) -> pd.DataFrame:
    return over_time(_found.topics, facts(_found.project).days, by)


def sparkline(found: Results, topic: int) -> list[tuple[float, str]]:
    """A topic's share in the last periods, each with what it says; empty without dates."""
    return _sparklines(found.project.id, found.run.id, found)[topic]


@st.cache_resource(max_entries=8, show_spinner=False)
def _sparklines(project_id: int, run_id: int, _found: Results) -> list[list[tuple[float, str]]]:
    """By topic."""
    by, table = period(_found), trend(_found)
    lines: list[list[tuple[float, str]]] = [[] for _ in range(len(_found.topics))]
    if by is None:
        return lines
    columns = (table[name].tolist() for name in ("topic", "start", "share", "documents", "of"))
    for topic, start, share, documents, of in zip(*columns, strict=True):
        if of:
            said = f"{period_name(start, by)}: {share:.0%}, {documents:,} of {of:,}"
            lines[topic].append((share, said))
    return [line[-BARS:] for line in lines]


def class_columns(found: Results, most: int = 40) -> list[str]:
    """Side columns with few enough values to compare."""
    known = facts(found.project).classes
    return [name for name, each in known.items() if 2 <= len(each.names) <= most]


def classes(found: Results, column: str) -> pd.DataFrame:
    """Shares by the values of a side column."""
    return _classes(found.project.id, found.run.id, found.topics.names, column, found)


@st.cache_resource(max_entries=8, show_spinner=False)
def _classes(
    project_id: int, run_id: int, names: tuple[str, ...], column: str, _found: Results
) -> pd.DataFrame:
    return by_class(_found.topics, facts(_found.project).classes[column])


def similarity(found: Results) -> pd.DataFrame:
    """Cosines between the topics' words."""
    return topic_similarity(found.topics)


def likeness(found: Results, topic: int) -> list[float]:
    """How alike each topic is to this one, from 0 to 1, by column."""
    return [float(value) for value in similarity(found).to_numpy()[topic]]


def most_alike(found: Results) -> tuple[int, int]:
    """The two topics whose words are most alike."""
    values = np.triu(similarity(found).to_numpy(), 1)
    one, other = np.unravel_index(int(values.argmax()), values.shape)
    return int(one), int(other)


class Companion(NamedTuple):
    """Of ``of`` documents that speak of a topic, ``documents`` speak of this other too."""

    topic: int
    documents: int
    of: int
    share: float


def company(found: Results, topic: int, n: int = 6) -> list[Companion]:
    """Topics that appear in the same documents, most often first."""
    return _company(found.project.id, found.run.id, topic, found)[:n]


@st.cache_resource(max_entries=200, show_spinner=False)
def _company(project_id: int, run_id: int, topic: int, _found: Results) -> list[Companion]:
    table = co_occurring(_found.topics, topic, n=len(_found.topics))
    columns = (table[name].tolist() for name in Companion._fields)
    return [Companion(*row) for row in zip(*columns, strict=True)]


# The map

AT_ONCE, NEIGHBOURS = "Between topics", "By neighbours"


def laid_out(found: Results, layout: str) -> DocumentMap:
    """The slower map where it is asked for and there; else the one that is there at once."""
    if layout == NEIGHBOURS:
        made = _scattered(found.project.id, found.run.id)
        if made is not None:
            return made
    return _document_map(found.project.id, found.run.id, found)


@st.cache_resource(max_entries=3, show_spinner=False)
def _document_map(project_id: int, run_id: int, _found: Results) -> DocumentMap:
    topics, named = _found.topics, references(_found)
    places = scattering.places_of(state.store(), project_id, run_id, topics, named)
    return DocumentMap(places, place_documents(topics, places))


def _scattered(project_id: int, run_id: int) -> DocumentMap | None:
    """Only what is there is remembered."""
    return _kept_scatter(project_id, run_id) if scatter_ready(project_id, run_id) else None


@st.cache_resource(max_entries=2, show_spinner=False)
def _kept_scatter(project_id: int, run_id: int) -> DocumentMap | None:
    return scattering.scattered(state.store(), project_id, run_id)


def scatter_ready(project_id: int, run_id: int) -> bool:
    """Whether the slower map of a run has been made."""
    return scattering.is_made(state.store(), project_id, run_id)


def references(found: Results) -> list[str]:
    """The topics by what they are."""
    return [str(found.reference(topic)) for topic in range(len(found.topics))]


def shown(found: Results, layout: str) -> np.ndarray:
    """Positions that answer to the pointer on the map: labelled ones, and some of each topic."""
    return _shown(found.version, layout, scatter_ready(found.project.id, found.run.id), found)


@st.cache_resource(max_entries=6, show_spinner=False)
def _shown(version: Version, layout: str, ready: bool, _found: Results) -> np.ndarray:
    main = summaries.main_topics(_found.topics)
    nowhere = np.isnan(laid_out(_found, layout).documents[:, 0])
    first = sorted(_found.annotations)[: maps.DRAWN // 3]
    return representatives(np.where(nowhere, -1, main), maps.DRAWN, first=first)


def made_of(found: Results, positions: Sequence[int]) -> list[tuple[int, int, float]]:
    """The main topics of some documents, as (topic, documents, share), most first."""
    main = _main(found.project.id, found.run.id, found)[np.asarray(positions, dtype=np.intp)]
    counts = np.bincount(main[main >= 0], minlength=len(found.topics))
    order = [int(topic) for topic in np.argsort(-counts, kind="stable") if counts[topic]]
    return [(topic, int(counts[topic]), float(counts[topic] / main.size)) for topic in order]


@st.cache_resource(max_entries=4, show_spinner=False)
def _main(project_id: int, run_id: int, _found: Results) -> np.ndarray:
    return summaries.main_topics(_found.topics)


def clearest(found: Results, positions: Sequence[int], n: int) -> list[tuple[int, float]]:
    """Of some documents those that one topic holds most of, as (position, share)."""
    rows = np.asarray(positions, dtype=np.intp)
    most = found.topics.shares()[rows].max(axis=1)
    order = np.argsort(-most, kind="stable")[:n]
    return [(int(rows[i]), float(most[i])) for i in order]
