"""A project's file, read by a child process, as checked values; nothing is written here.

The parts come one after the other and are taken in that order: what the project is, its documents
and, last, its events are checked a piece at a time, so that no more than a piece is in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.errors import StoreError
from core.loading import project_parts
from core.loading.array_lines import array_of_lines
from core.loading.isolated import open_source
from core.loading.isolation import Budget, ask
from core.store.events.checks import checked_name
from core.store.events.origin import Origin
from core.store.files.checked_parts import (
    checked_comparison,
    checked_issued_report,
    checked_reading,
    checked_run,
    checked_settings,
)
from core.store.files.checked_topics import checked_topics
from core.store.files.field_types import require
from core.store.files.project_file import PROJECT_FILE_FORMAT
from core.store.projects import own_vectors
from core.store.runs import score_lines
from core.text import DocumentVectors
from core.topics import Topics

MAX_FILE_BYTES = 1_000_000_000
MIN_ANSWER_BYTES = 50_000_000
MAX_ANSWER_BYTES = 1_000_000_000  # a larger project travels by backup
ANSWER_PER_BYTE = 40  # of the file: lines of a project pack no better


@dataclass(slots=True)
class ArrayFile:
    """The arrays of a file, and what it says about them."""

    about: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectParts:
    """What a project's file holds beside documents and events."""

    run: dict[str, Any] | None
    topics: Topics | None
    vectors: DocumentVectors | None
    comparisons: list[str]  # checked, and text again, which is ten times smaller
    scores: list[str]
    reports: list[dict[str, Any]]


class IncomingProject:
    """A project's file; take ``about``, ``documents``, ``replaced``, ``parts`` and ``events``."""

    def __init__(self, values: Iterator[Any], size: int) -> None:
        self._size = size
        self._names = set(next(values)["parts"])
        self._values = values
        self.about = self._checked_about()

    def _checked_about(self) -> dict[str, Any]:
        """The values of the project's row, but for those that follow from documents and events."""
        (given,) = next(self._values)[project_parts.PROJECT_PART]
        require(isinstance(given, dict) and type(given["format"]) is int)
        if given["format"] > PROJECT_FILE_FORMAT:
            raise StoreError("This project was saved by a newer version of the Studio.")
        return {
            "name": checked_name(given["name"], "A project"),
            "author": Origin(given["author"]).checked().author,
            "settings": checked_settings(
                given["settings"], own_vectors=project_parts.VECTORS_PART in self._names
            ).to_dict(),
            "reading": asdict(checked_reading(given["reading"])),
            "side": given["side"],
        }

    def documents(self) -> Iterator[list[Any]]:
        """The documents, some at a time, not yet checked."""
        return self._lines_of(project_parts.DOCUMENTS_PART)

    def replaced(self) -> Iterator[list[Any]]:
        """What documents were before they were updated, some at a time, not yet checked."""
        return self._lines_of(project_parts.REPLACED_PART)

    def parts(self, ids: Sequence[str]) -> ProjectParts:
        """The run and what else belongs to the documents with these ids."""
        own, run, topics = project_parts.VECTORS_PART in self._names, None, None
        if project_parts.RUN_PART in self._names:
            (line,) = chain.from_iterable(self._lines_of(project_parts.RUN_PART))
            run = checked_run(line, own_vectors=own)
        factors = self._arrays(project_parts.FACTORS_PART)
        if run is not None:
            given = (factors.about, factors.arrays, ids, len(run["topic_ids"]), self._size)
            topics = checked_topics(*given)
        compared = chain.from_iterable(self._lines_of(project_parts.COMPARISONS_PART))
        comparisons = [json.dumps(checked_comparison(line, len(ids))) for line in compared]
        scored = chain.from_iterable(self._lines_of(project_parts.SCORES_PART))
        scores = [json.dumps(line) for line in score_lines.checked_lines(scored, len(ids))]
        issued = chain.from_iterable(self._lines_of(project_parts.REPORTS_PART))
        reports = [checked_issued_report(line) for line in issued]
        vectors = self._arrays(project_parts.VECTORS_PART)
        return ProjectParts(
            run=run,
            topics=topics,
            vectors=own_vectors.of_arrays(vectors.about, vectors.arrays, len(ids)) if own else None,
            comparisons=comparisons,
            scores=scores,
            reports=reports,
        )

    def events(self) -> Iterator[dict[str, Any]]:
        """The log, line by line, not yet checked."""
        return chain.from_iterable(self._lines_of(project_parts.EVENTS_PART))

    def _lines_of(self, part: str) -> Iterator[list[Any]]:
        for value in self._values:
            if part not in value:
                self._values = chain([value], self._values)
                return
            yield value[part]

    def _arrays(self, part: str) -> ArrayFile:
        """The arrays of a part; none if the file does not hold it."""
        found = ArrayFile()
        for value in self._values:
            about = value.get("array") or value.get("about") or {}
            if about.get("part") != part:
                self._values = chain([value], self._values)
                break
            if "about" in value:
                found.about = dict(about["value"])
            else:
                found.arrays[str(about["name"])] = array_of_lines(about, self._values)
        return found


def refusal(sentence: str, **_: Any) -> StoreError:
    """A refusal of the child, as a sentence of its own."""
    own = sentence[:1].isupper()
    return StoreError(sentence if own else f"This file cannot be imported: {sentence}")


@contextmanager
def read_project(source: Path | str | BinaryIO) -> Iterator[IncomingProject]:
    """Have a file read; its parts are there until the block ends."""
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
        yield IncomingProject(values, size)
