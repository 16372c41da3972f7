"""A project's file, read by a child process, as checked values; nothing is written here.

Events come last and one by one: a log can be long, and each is checked when it is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.corpus import Corpus
from core.errors import StoreError
from core.loading.array_lines import array_of_lines
from core.loading.isolated import open_source
from core.loading.isolation import Budget, ask
from core.loading.project_parts import (
    COMPARISONS_PART,
    DOCUMENTS_PART,
    EVENTS_PART,
    FACTORS_PART,
    PROJECT_PART,
    RUN_PART,
    SCORES_PART,
    VECTORS_PART,
)
from core.store.events.checks import checked_name
from core.store.events.origin import Origin
from core.store.files.checked_parts import (
    checked_comparison,
    checked_reading,
    checked_run,
    checked_settings,
    checked_spec,
)
from core.store.files.field_types import fits, require
from core.store.files.project_file import PROJECT_FILE_FORMAT
from core.store.projects import own_vectors
from core.store.values import ProjectSettings
from core.text import DocumentVectors
from core.topics import Topics

MAX_FILE_BYTES = 2_000_000_000
MIN_ANSWER_BYTES = 50_000_000
MAX_ANSWER_BYTES = 2_000_000_000  # a larger project travels by backup
ANSWER_PER_BYTE = 40  # of the file: lines of a project pack no better
MIN_FACTOR_CELLS = 20_000_000  # documents × topics that any file may have
FACTOR_CELLS_PER_BYTE = 150  # of the file: zeros are packed well, but not without end
OTHER_DOCUMENTS = "The factors in this file belong to other texts."


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingProject:
    """Everything in a project's file, checked; the events are checked as they are recorded."""

    name: str
    author: str
    settings: ProjectSettings
    corpus: Corpus
    run: dict[str, Any] | None
    topics: Topics | None
    vectors: DocumentVectors | None
    comparisons: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    events: Iterator[dict[str, Any]]


@dataclass(slots=True)
class _Parts:
    """What the child sent before the events."""

    lines: dict[str, list[Any]] = field(default_factory=dict)
    arrays: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)  # by part
    size: int = 0


def refusal(sentence: str, **_: Any) -> StoreError:
    """A refusal of the child, as a sentence of its own."""
    own = sentence[:1].isupper()
    return StoreError(sentence if own else f"This file cannot be imported: {sentence}")


@contextmanager
def read_project(source: Path | str | BinaryIO) -> Iterator[IncomingProject]:
    """Have a file read and check what it says; the events are there until the block ends."""
    if not isinstance(source, str | Path):
        source.seek(0)
    with open_source(source, "this file", MAX_FILE_BYTES) as file:
        size = file.seek(0, 2)
        file.seek(0)
        if size > MAX_FILE_BYTES:
            raise StoreError("This file is larger than any project.")
        answer_bytes = min(max(MIN_ANSWER_BYTES, ANSWER_PER_BYTE * size), MAX_ANSWER_BYTES)
        budget = replace(Budget.of(size), answer_bytes=answer_bytes)
        values = ask("project", {}, file, refusal, budget=budget)
    with closing(values):
        yield _checked(values, size)


def _checked(values: Iterator[Any], size: int) -> IncomingProject:
    parts = _Parts(size=size)
    rest = _collect(parts, values)
    about = _one(parts, PROJECT_PART)
    require(type(about["format"]) is int)
    if about["format"] > PROJECT_FILE_FORMAT:
        raise StoreError("This project was saved by a newer version of the Studio.")
    corpus = _corpus(parts.lines.get(DOCUMENTS_PART, []), about)
    own = VECTORS_PART in parts.arrays
    run = checked_run(_one(parts, RUN_PART), own_vectors=own) if RUN_PART in parts.lines else None
    return IncomingProject(
        name=checked_name(about["name"], "A project"),
        author=Origin(about["author"]).checked().author,
        settings=checked_settings(about["settings"], own_vectors=own),
        corpus=corpus,
        run=run,
        topics=None if run is None else _topics(parts, corpus, run["topic_ids"]),
        vectors=own_vectors.of_arrays(parts.arrays[VECTORS_PART], len(corpus)) if own else None,
        comparisons=[
            checked_comparison(x, len(corpus)) for x in parts.lines.get(COMPARISONS_PART, [])
        ],
        scores=parts.lines.get(SCORES_PART, []),
        events=rest,
    )


def _collect(parts: _Parts, values: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Sort what comes before the events; the events, one by one."""
    for value in values:
        if EVENTS_PART in value:
            later = (each[EVENTS_PART] for each in values)
            return chain.from_iterable(chain([value[EVENTS_PART]], later))
        if "array" in value:
            about = value["array"]
            arrays = parts.arrays.setdefault(str(about["part"]), {})
            arrays[str(about["name"])] = array_of_lines(about, values)
        else:
            for name, lines in value.items():
                parts.lines.setdefault(name, []).extend(lines)
    return iter(())


def _one(parts: _Parts, name: str) -> dict[str, Any]:
    (value,) = parts.lines[name]
    require(isinstance(value, dict))
    return dict(value)


def _corpus(lines: list[Any], about: Mapping[str, Any]) -> Corpus:
    if not lines:
        raise StoreError("A project needs at least one text.")
    names = about["side"]
    require(fits(names, tuple[str, ...]) and len(set(names)) == len(names))
    for line in lines:
        require(isinstance(line["side"], list) and isinstance(line["labels"], list))
        require(fits([line["id"], line["text"], *line["side"], *line["labels"]], tuple[str, ...]))
        require(len(line["side"]) == len(names) and fits(line["date"], str | None))
    return Corpus(
        ids=tuple(line["id"] for line in lines),
        texts=tuple(line["text"] for line in lines),
        labels=tuple(tuple(line["labels"]) for line in lines),
        dates=tuple(date.fromisoformat(d) if (d := line["date"]) else None for line in lines),
        side={name: tuple(line["side"][i] for line in lines) for i, name in enumerate(names)},
        reading=checked_reading(about["reading"]),
    )


# Factors


def _topics(parts: _Parts, corpus: Corpus, topic_ids: list[int]) -> Topics:
    """The factors of the run, if they are those of these documents and of the right shapes."""
    arrays = parts.arrays[FACTORS_PART]
    about = json.loads(arrays["about"].tobytes().decode("utf-8"))
    names = ("terms", "doc_ids", "names")
    require(all(fits(about[name], tuple[str, ...]) for name in names))
    require(fits(about.get("keys", []), tuple[str | int, ...]) and fits(about["fingerprint"], str))
    require(fits(about.get("sizes", []), tuple[int, ...]))
    require(type(about["n_supervised"]) is int)
    checked_spec(about["spec"])
    if tuple(about["doc_ids"]) != corpus.ids or len(topic_ids) > len(about["names"]):
        raise StoreError(OTHER_DOCUMENTS)
    n_parts = max(len(about["names"]), sum(about.get("sizes", [])))
    most = max(MIN_FACTOR_CELLS, FACTOR_CELLS_PER_BYTE * parts.size)
    require(all(size > 0 for size in about.get("sizes", [])) and len(corpus) * n_parts <= most)
    topics = Topics.of_arrays(about, arrays)
    require(_sound(topics))
    return topics


def _sound(topics: Topics) -> bool:
    """Whether shapes agree and weights are finite and not negative."""
    n_topics, n_terms = len(topics.names), len(topics.terms)
    weights = [topics.doc_topic, topics.topic_term]
    shapes = [topics.topic_term.shape == (n_topics, n_terms)]
    if topics.groups is not None:
        weights += [topics.groups.doc_part, topics.groups.part_term]
        shapes += [len(topics.groups.sizes) == n_topics]
        shapes += [topics.groups.part_term.shape == (sum(topics.groups.sizes), n_terms)]
    if topics.learned is not None:
        learned = topics.learned
        levels = learned.nodes.weights if learned.nodes is not None else ()
        label_topic = [] if learned.label_topic is None else [learned.label_topic]
        shapes += [each.ndim == 2 and each.shape[1] == n_topics for each in (*label_topic, *levels)]
        shapes += [len(each) == len(learned.label_names) for each in label_topic]
    finite = all(bool(np.isfinite(each).all() and (each >= 0).all()) for each in weights)
    return all(shapes) and finite and 0 <= topics.n_supervised <= n_topics
