"""The kinds of jobs: what each one does, where it runs, and what a repeated request means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.engine.descent import Progress
from core.errors import ModelError
from core.loading import fetching
from core.store import Store
from core.store.members.roles import Role
from core.workspace import Workspace, comparisons, maps, meaning, new_texts, reports
from core.workspace.scores import evaluate
from tsnmf_ui.jobs.executors import (
    BACKGROUND_PROCESS,
    COMPARISON_PROCESS,
    FIT_PROCESS,
    THREAD,
)
from tsnmf_ui.jobs.progress import Reporter
from tsnmf_ui.jobs.state import (
    COMPARISON,
    ENCODE,
    EVALUATE,
    FIT,
    FULL_FIT,
    MAP,
    PREDICT,
    REPORT,
    SEED_FITS,
    FinishedFit,
    download_kind,
)
from tsnmf_ui.jobs.worker import Work

DEBOUNCE_SECONDS = 0.3  # two quick labels cost one fit
BACKGROUND_DELAY_SECONDS = 1.0  # the fit that asked for scores may be followed by another
MAX_OVERTAKEN = 3  # times in a row that a running job gives way to a later request

FIT_BROKE = "The fit stopped unexpectedly and was not saved. The next label starts it again."
WORK_BROKE = "The work stopped unexpectedly. Nothing was lost; ask for it again."
COMPARISON_BROKE = "The comparison stopped unexpectedly; nothing was changed. Start it again."
DOWNLOAD_BROKE = "The download ended unexpectedly. Try again later."
COMPARISON_RUNS = "A comparison of this project is under way; wait or cancel it."
NO_MEMORY = "There is not enough memory for this; choose fewer models."

# What a request does while a job of its kind and project waits or runs.
WhenActive = Literal[
    "repeat",  # waiting: wait anew; running: once more when it has ended
    "overtake",  # waiting: take its place; running: stop it, a few times, and begin anew
    "refuse",  # raise an error
    "ignore",  # do nothing
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """What the runner knows about one kind of job."""

    work: Work
    executor: str
    when_active: WhenActive
    broke: str  # what to say when the process died or the work has a fault
    refusal: str = ""  # what to say when a request is refused
    delay: float = 0.0  # seconds from a request to its beginning
    needed: Role = Role.CODER  # of whoever asks for it, or stops it, on a page
    gives_way_to: tuple[str, ...] = ()  # kinds, of any project, that need not wait for it
    next_kind: Callable[[Any], str] | None = None  # what to request when it is done, by its result


def _fit(
    store: Store, project: int, _arguments: Mapping[str, Any], report: Reporter
) -> FinishedFit:
    """A preview, or the full fit where that is as quick."""
    return _refit(store, project, report, preview=True)


def _full_fit(
    store: Store, project: int, arguments: Mapping[str, Any], report: Reporter
) -> FinishedFit:
    """The full fit that a preview waits for; ``afresh``: whatever there is."""
    run = store.current_run(project)
    if run is None or run.preview or arguments.get("afresh"):
        return _refit(store, project, report, preview=False)
    return FinishedFit(run.id)


def _refit(store: Store, project: int, report: Reporter, *, preview: bool) -> FinishedFit:
    def callback(step: Progress) -> bool:
        return report(step.iteration / step.max_iter)

    run = Workspace(store).refit(project, preview=preview, callback=callback, wait=False)
    return FinishedFit(run.id, run.preview)


def _after_fit(result: FinishedFit) -> str:
    """A preview is followed by the full fit, and that by its scores."""
    return FULL_FIT if result.preview else EVALUATE


def _after_encoding(_made: bool) -> str:
    """A fit that reads what was encoded."""
    return FIT


def _compare(store: Store, _project: int, arguments: Mapping[str, Any], report: Reporter) -> int:
    try:
        return comparisons.compare(
            store,
            arguments["request"],
            lambda now: report.tell(now.share, now.seconds_left, now.doing),
        )
    except MemoryError:
        raise ModelError(NO_MEMORY) from None


def _download(fetch: Callable[[fetching.Progress], None]) -> Work:
    def work(_store: Store, _project: int, _arguments: Mapping[str, Any], report: Reporter) -> None:
        fetch(lambda so_far, total: _report_bytes(report, so_far, total))

    return work


def _report_bytes(report: Reporter, so_far: int, total: int | None) -> bool:
    megabytes = f"{so_far / 1e6:.1f}"
    if not total:
        return report.tell(0.0, None, f"{megabytes} MB")
    share = min(so_far / total, 1.0)
    doing = f"{megabytes} of {total / 1e6:.1f} MB"
    return report.tell(share, report.seconds_left(share), doing)


def _background(work: Work, needed: Role = Role.READER) -> JobKind:
    return JobKind(
        work=work,
        needed=needed,
        executor=BACKGROUND_PROCESS,
        when_active="overtake",
        broke=WORK_BROKE,
        delay=BACKGROUND_DELAY_SECONDS,
    )


def download(fetch: Callable[[fetching.Progress], None]) -> JobKind:
    """The kind of job that fetches one collection."""
    return JobKind(
        work=_download(fetch), executor=THREAD, when_active="ignore", broke=DOWNLOAD_BROKE
    )


JOB_KINDS: Mapping[str, JobKind] = {
    FIT: JobKind(
        work=_fit,
        executor=FIT_PROCESS,
        when_active="repeat",
        broke=FIT_BROKE,
        delay=DEBOUNCE_SECONDS,
        next_kind=_after_fit,
    ),
    FULL_FIT: JobKind(
        work=_full_fit,
        executor=FIT_PROCESS,
        when_active="ignore",
        broke=FIT_BROKE,
        gives_way_to=(FIT,),
        next_kind=_after_fit,
    ),
    ENCODE: JobKind(
        work=meaning.encode_project,
        executor=BACKGROUND_PROCESS,
        when_active="ignore",
        broke=WORK_BROKE,
        next_kind=_after_encoding,
    ),
    EVALUATE: _background(evaluate.evaluate),
    SEED_FITS: _background(evaluate.over_seeds, Role.CODER),
    MAP: _background(maps.make_neighbour_map),
    PREDICT: JobKind(
        work=new_texts.predict_texts,
        needed=Role.READER,
        executor=BACKGROUND_PROCESS,
        when_active="overtake",
        broke=WORK_BROKE,
    ),
    REPORT: JobKind(
        work=reports.write_report_job,
        needed=Role.READER,
        executor=BACKGROUND_PROCESS,
        when_active="ignore",
        broke=WORK_BROKE,
    ),
    COMPARISON: JobKind(
        work=_compare,
        executor=COMPARISON_PROCESS,
        when_active="refuse",
        broke=COMPARISON_BROKE,
        refusal=COMPARISON_RUNS,
    ),
    download_kind("reuters"): download(fetching.fetch_reuters),
    download_kind("newsgroups"): download(fetching.fetch_newsgroups),
}
