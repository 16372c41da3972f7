"""A job and its state: what was asked for, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from tsnmf_ui.jobs.event_feed import Event

FIT = "fit"  # after a label: a preview where the full fit takes long
FULL_FIT = "full fit"  # afresh; takes the place of the preview
EVALUATE = "evaluate"
ENCODE = "encode"
SEED_FITS = "seeds"
MAP = "map"
COMPARISON = "comparison"
PREDICT = "predict"  # topics and labels of new texts
REPORT = "report"  # a large report as a file
NO_PROJECT = 0  # the project of a job that belongs to none, such as a download

Phase = Literal["idle", "waiting", "running", "done", "failed", "cancelled"]
Key = tuple[str, int]  # kind, project


def download_kind(collection: str) -> str:
    """The kind of job that downloads a collection."""
    return f"download {collection}"


@dataclass(frozen=True, slots=True)
class Job:
    """One request for work, as plain values that reach another process."""

    kind: str
    project: int
    number: int
    arguments: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""  # as the analyst calls it

    @property
    def key(self) -> Key:
        return self.kind, self.project


@dataclass(frozen=True, slots=True)
class FinishedFit:
    """The result of a fit: the run it made."""

    run: int
    preview: bool = False


@dataclass(frozen=True, slots=True)
class JobState:
    """Where the newest job of one kind stands for one project."""

    kind: str
    project: int = NO_PROJECT
    phase: Phase = "idle"
    number: int = 0
    title: str = ""
    share: float = 0.0  # of the work, 0 to 1
    seconds_left: float | None = None
    doing: str = ""  # the step it is at
    error: str | None = None  # one sentence
    result: Any = None  # of the last job that was done

    @property
    def active(self) -> bool:
        return self.phase in ("waiting", "running")

    def to_event(self) -> Event:
        """The message that the event stream sends; that of a fit names its run."""
        values = {**asdict(self), "result": None}
        if self.kind in (FIT, FULL_FIT):
            run = None if self.result is None else self.result.run
            return {"type": "fit", **values, "run": run}
        return {"type": "task", **values}
