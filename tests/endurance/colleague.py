"""A colleague who works on the same projects from another process, as a notebook does."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.store import DeleteTopic, Label, Restore
from core.workspace import Workspace

MAX_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Errand:
    """One thing to do; no other has its author."""

    kind: str  # a key of ERRANDS
    home: str
    number: int
    project: int
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def author(self) -> str:
        return f"colleague {self.number}"

    @property
    def answer(self) -> Path:
        """Is there once the errand is done."""
        return Path(self.home) / "errands" / f"{self.number}.json"

    def line(self) -> str:
        return f"do {json.dumps(asdict(self))}\n"


def run_errand(errand: Errand) -> None:
    """Do it, then say so; a process that is killed before that says nothing."""
    with Workspace.open(home=errand.home, author=errand.author) as workspace:
        result = ERRANDS[errand.kind](workspace, errand)
    errand.answer.parent.mkdir(exist_ok=True)
    unfinished = errand.answer.with_suffix(".new")
    unfinished.write_text(json.dumps(result), encoding="utf-8")
    os.replace(unfinished, errand.answer)


def _restore(workspace: Workspace, errand: Errand) -> int:
    return workspace.record(errand.project, Restore(errand.about["to"])).id


def _label(workspace: Workspace, errand: Errand) -> int:
    about = errand.about
    return workspace.record(errand.project, Label(about["position"], (about["topic"],))).id


def _delete_topic(workspace: Workspace, errand: Errand) -> int:
    return workspace.record(errand.project, DeleteTopic(errand.about["topic"])).id


def _import_labels(workspace: Workspace, errand: Errand) -> int:
    """Refused when somebody labels meanwhile; a person looks at the preview again."""
    for attempt in range(MAX_ATTEMPTS):
        table = io.BytesIO(errand.about["table"].encode("utf-8"))
        try:
            return workspace.import_labels(errand.project, table, "take").id
        except StoreError:
            if attempt == MAX_ATTEMPTS - 1:
                raise
    raise AssertionError


def _import_project(workspace: Workspace, errand: Errand) -> int:
    """A copy by way of a file, as one moves a project to another machine."""
    file = errand.answer.with_suffix(".zip")
    file.parent.mkdir(exist_ok=True)
    try:
        workspace.store.export_project(errand.project, file)
        return workspace.store.import_project(file).id
    finally:
        file.unlink(missing_ok=True)


def _delete_project(workspace: Workspace, errand: Errand) -> int:
    workspace.store.delete_project(errand.about["copy"])
    return int(errand.about["copy"])


ERRANDS: dict[str, Callable[[Workspace, Errand], int]] = {
    "restore": _restore,
    "label": _label,
    "delete_topic": _delete_topic,
    "import_labels": _import_labels,
    "import_project": _import_project,
    "delete_project": _delete_project,
}
