"""Saved comparisons, each in a folder beside the database.

::

    comparisons/<project>/<number>/about.json   title, author, time, revision
                                   found.json   the results
                                   <place>.npz  the topics of a candidate, so it can become current

A folder appears whole or not at all. Nothing in it is a pickle.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import NotFound
from core.evaluation.comparison import Comparison
from core.store.runs.factors import plain, with_label_keys
from core.topics import Topics

MAX_WITH_FACTORS = 6  # newest comparisons that keep their factors; results are kept of all


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSummary:
    """A comparison without its results."""

    number: int
    kind: str  # models, rates
    title: str
    made: datetime
    revision: int  # the last event it took into account
    author: str
    seconds: float
    topic_ids: tuple[tuple[int, ...], ...] = ()  # of each candidate's first topics


def save(
    home: Path,
    project: int,
    about: Mapping[str, Any],
    found: Mapping[str, Any],
    topics: Sequence[Topics] = (),
    number: int | None = None,
) -> int:
    """Write a comparison; its number, the next if none is given.

    ``about``: the fields of the summary but number and made.
    """
    folder = _folder(home, project)
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f"{os.getpid()}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    for place, each in enumerate(topics):
        each.save(partial / f"{place}.npz")
    _write(partial / "found.json", found)
    number = max(_numbers(folder), default=0) + 1 if number is None else number
    _write(partial / "about.json", {"made": datetime.now(UTC).isoformat(), **about})
    os.rename(partial, folder / str(number))
    _delete_old_factors(folder)
    return number


def summaries(home: Path, project: int) -> list[ComparisonSummary]:
    """Comparisons, newest first; one that cannot be read is left out."""
    folder = _folder(home, project)
    found = (_about(folder, number) for number in sorted(_numbers(folder), reverse=True))
    return [each for each in found if each is not None]


def summary(home: Path, project: int, number: int) -> ComparisonSummary:
    """A comparison without its results."""
    found = _about(_folder(home, project), int(number))
    if found is None:
        raise NotFound("There is no such comparison.")
    return found


def results(home: Path, project: int, number: int) -> dict[str, Any]:
    """What a comparison found."""
    try:
        text = (_folder(home, project) / str(int(number)) / "found.json").read_text("utf-8")
    except OSError:
        raise NotFound("There is no such comparison.") from None
    return dict(json.loads(text))


def load_topics(home: Path, project: int, number: int, place: int) -> Topics:
    """The topics of one candidate, by the ids of their labels."""
    try:
        topics = Topics.load(_folder(home, project) / str(int(number)) / f"{int(place)}.npz")
    except FileNotFoundError:
        raise NotFound("The topics of this comparison have been deleted; run it again.") from None
    return with_label_keys(topics, summary(home, project, number).topic_ids[place])


def has_topics(home: Path, project: int, number: int) -> bool:
    return (_folder(home, project) / str(int(number)) / "0.npz").is_file()


def remove(home: Path, project: int, number: int) -> None:
    """Delete a comparison."""
    shutil.rmtree(_folder(home, project) / str(int(number)), ignore_errors=True)


def clear(home: Path, project: int) -> None:
    """Delete all comparisons of a project."""
    shutil.rmtree(_folder(home, project), ignore_errors=True)


def copy(home: Path, project: int, other: int) -> None:
    """Copy the comparisons of a project to its copy."""
    if _folder(home, project).is_dir():
        shutil.copytree(_folder(home, project), _folder(home, other), dirs_exist_ok=True)


def export_lines(home: Path, project: int, n_docs: int | None = None) -> Iterator[dict[str, Any]]:
    """Every comparison as one plain structure, oldest first, without factors.

    One that names texts which were taken back is left out: they are ``n_docs`` by now.
    """
    folder = _folder(home, project)
    for each in reversed(summaries(home, project)):
        about = json.loads((folder / str(each.number) / "about.json").read_text("utf-8"))
        found = results(home, project, each.number)
        if n_docs is None or each.kind != "models" or _is_about(found, n_docs):
            yield {"about": about, "found": found}


def _is_about(found: Mapping[str, Any], n_docs: int) -> bool:
    return Comparison.from_dict(found).is_consistent(n_docs)


def import_lines(home: Path, project: int, given: Iterable[Mapping[str, Any]]) -> None:
    """Save comparisons from a project's file, which were checked before, oldest first."""
    clear(home, project)
    for line in given:
        save(home, project, line["about"], line["found"])


def _folder(home: Path, project: int) -> Path:
    return Path(home) / "comparisons" / str(int(project))


def _numbers(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    return [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]


def _write(path: Path, values: Mapping[str, Any]) -> None:
    with path.open("w", encoding="utf-8") as file:
        json.dump(plain(values), file, ensure_ascii=False, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())


def _about(folder: Path, number: int) -> ComparisonSummary | None:
    try:
        values = json.loads((folder / str(number) / "about.json").read_text("utf-8"))
        made = datetime.fromisoformat(values.pop("made"))
        ids = tuple(tuple(int(i) for i in each) for each in values.pop("topic_ids", ()))
        return ComparisonSummary(number=number, made=made, topic_ids=ids, **values)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _delete_old_factors(folder: Path) -> None:
    """Factors are large: those of older comparisons are deleted."""
    for number in sorted(_numbers(folder), reverse=True)[MAX_WITH_FACTORS:]:
        for path in (folder / str(number)).glob("*.npz"):
            path.unlink(missing_ok=True)
