"""The files beside the database of a backup: read in child processes, checked, written again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from core.errors import StoreError
from core.loading.array_lines import array_of_lines
from core.loading.backup_parts import NO_BACKUP
from core.loading.isolation import Answer, ask
from core.store.files.checked_parts import (
    checked_comparison,
    checked_issued_report,
    checked_seeds,
)
from core.store.files.checked_topics import checked_topics
from core.store.files.field_types import require
from core.store.maintenance.backup_database import refusal
from core.store.maintenance.stored_files import owner_of
from core.store.projects import own_vectors
from core.store.runs import comparisons, evaluations, factors, issued_reports, score_lines
from core.topics import Topics

ArrayFile = tuple[dict[str, Any], dict[str, np.ndarray]]  # what it says about itself, its arrays


class RestoredTexts(NamedTuple):
    """The documents of a project."""

    ids: Sequence[str]
    most: int  # as many as there ever were
    revision: int  # the last event that changed them; 0 if none has


class RestoredFiles:
    """Takes the files of a backup, project by project, into the folder of a new store."""

    def __init__(self, source: Path, names: Sequence[str], target: Path) -> None:
        self._source, self._target = source, target
        self._size = sum((source / name).stat().st_size for name in names)
        self._names: defaultdict[int, list[PurePosixPath]] = defaultdict(list)
        for name in names:
            owner = owner_of(name)
            if owner is not None:
                self._names[owner[0]].append(PurePosixPath(name))

    def has_vectors(self, project: Any) -> bool:
        return any(name.parts[0] == "vectors" for name in self._names.get(project, ()))

    def add(
        self, project: int, texts: RestoredTexts, added: Mapping[int, Mapping[str, Any]]
    ) -> None:
        """All files of a project with these documents; ``added`` are its runs."""
        ids = texts.ids
        by_folder: defaultdict[str, list[PurePosixPath]] = defaultdict(list)
        for name in self._names.pop(project, ()):
            by_folder[name.parts[0]].append(name)
        for name in by_folder["factors"]:
            if int(name.stem) in added:
                run = added[int(name.stem)]
                topics = self._topics(name, texts, len(run["topic_ids"]), run["revision"])
                topics.save(factors.factors_path(self._target, project, int(name.stem)))
        for name in by_folder["vectors"][-1:]:
            about, arrays = self._arrays(name)
            n_vectors = len(arrays["values"]) if texts.revision else len(ids)
            vectors = own_vectors.of_arrays(about, arrays, n_vectors)
            own_vectors.save(self._target, project, vectors, n_vectors)
        self._add_scores(project, by_folder["scores"], texts.most, added)
        self._add_comparisons(project, by_folder["comparisons"], texts)
        for name in by_folder["reports"]:
            made = [checked_issued_report(each) for value in self._json(name) for each in value]
            issued_reports.import_lines(self._target, project, made)

    def _add_scores(
        self,
        project: int,
        names: list[PurePosixPath],
        n_docs: int,
        added: Mapping[int, Mapping[str, Any]],
    ) -> None:
        """Those of earlier runs, as an import does; the newest run is evaluated again."""
        hits = {int(name.stem.split("-")[0]): name for name in names if name.suffix == ".npz"}
        newest = max((n for n, run in added.items() if not run["preview"]), default=0)
        history = [name for name in names if name.name == "history.jsonl"]
        lines = [self._score_line(point, hits) for name in history for point in self._json(name)]
        known = {line["point"]["run"]: line for line in lines}  # evaluated twice: the later one
        given = list(known.values())
        score_lines.import_lines(self._target, project, given, before=newest, n_docs=n_docs)
        for name in (name for name in names if name.name == "seeds.json"):
            for value in self._json(name):
                evaluations.save_seeds(self._target, project, checked_seeds(value))

    def _score_line(self, point: Any, hits: Mapping[int, PurePosixPath]) -> dict[str, Any]:
        require(isinstance(point, dict) and type(point["run"]) is int)
        arrays = self._arrays(hits[point["run"]])[1] if point["run"] in hits else {}
        return {"point": point, "judged": evaluations.hit_lists(arrays)}

    def _add_comparisons(
        self, project: int, names: list[PurePosixPath], texts: RestoredTexts
    ) -> None:
        by_number: defaultdict[int, dict[str, PurePosixPath]] = defaultdict(dict)
        for name in names:
            by_number[int(name.parts[2])][name.name] = name
        for number, there in sorted(by_number.items()):
            if not {"about.json", "found.json"} <= there.keys():
                raise StoreError(NO_BACKUP)
            parts = {part: list(self._json(there[f"{part}.json"])) for part in ("about", "found")}
            require(all(len(values) == 1 for values in parts.values()))
            line = checked_comparison({part: each[0] for part, each in parts.items()}, texts.most)
            named = line["about"].get("topic_ids", [])
            about, found = line["about"], line["found"]
            n_named = [len(each) for each in named]
            topics = self._candidates(there, texts, n_named, about["revision"])
            comparisons.save(self._target, project, about, found, topics, number=number)

    def _candidates(
        self,
        there: Mapping[str, PurePosixPath],
        texts: RestoredTexts,
        n_named: Sequence[int],
        revision: int,
    ) -> list[Topics]:
        """The topics of the candidates in order; they are numbered from 0 without a gap."""
        n = sum(name.endswith(".npz") for name in there)
        require(n <= len(n_named) and all(f"{place}.npz" in there for place in range(n)))
        return [self._topics(there[f"{i}.npz"], texts, n_named[i], revision) for i in range(n)]

    def _topics(
        self, name: PurePosixPath, texts: RestoredTexts, n_named: int, revision: int
    ) -> Topics:
        """Those of a run that came before the last change of the texts may be of other texts."""
        most = texts.most if revision < texts.revision else None
        return checked_topics(*self._arrays(name), texts.ids, n_named, self._size, most)

    def _arrays(self, name: PurePosixPath) -> ArrayFile:
        about: dict[str, Any] = {}
        arrays: dict[str, np.ndarray] = {}
        with closing(self._ask("array_file", name)) as answer:
            for value in answer:
                if "about" in value:
                    about = value["about"]["value"]
                    require(isinstance(about, dict))
                else:
                    arrays[str(value["array"]["name"])] = array_of_lines(value["array"], answer)
        return about, arrays

    def _json(self, name: PurePosixPath) -> Iterator[Any]:
        with closing(self._ask("json_lines", name)) as answer:
            yield from answer

    def _ask(self, reader: str, name: PurePosixPath) -> Answer:
        with (self._source / name).open("rb") as file:
            return ask(reader, {}, file, refusal)
