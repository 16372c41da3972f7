"""What the Scores page reads: evaluations that are already counted, never the factors themselves.

So the page opens at once however large the corpus is; the counting is done in the background.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core import progress
from core.held_out import LEAST
from core.progress import Point
from core.store import Project, Run, evaluations
from tsnmf_ui import background, state, texts, theme

EVALUATE, SEEDS = "evaluate", "seeds"
MOST_FARED = 8  # earlier forecasts that are drawn


@dataclass(frozen=True, kw_only=True)
class Board:
    """The newest evaluation of a project's model and those before it."""

    project: Project
    run: Run
    point: Point | None  # the present fit if it is evaluated, else one it continues, else None
    history: tuple[Point, ...]  # oldest first, the newest included
    tables: Mapping[str, Any]
    seeds: Mapping[str, Any] | None
    colour_of: Mapping[str, str]  # by topic name

    @property
    def fresh(self) -> bool:
        """No act since the run."""
        return self.behind == 0

    @property
    def behind(self) -> int:
        return self.project.revision - self.run.revision

    @property
    def counted(self) -> bool:
        """The present fit is the one that is scored."""
        return self.point is not None and self.point.run == self.run.id

    @property
    def verdict(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.tables.get("verdict")
        return found

    def at(self, run: int) -> Point | None:
        return next((point for point in self.history if point.run == run), None)

    def colour(self, topic: str) -> str:
        return self.colour_of.get(topic, theme.FREE)


def of(project: Project) -> Board | None:
    """The scores there are, or None before the first fit."""
    run = state.current_run(project)
    if run is None:
        return None
    home = state.store().home
    history = [p for p in evaluations.history(home, project.id) if p.run <= run.id]
    point = next((p for p in history[-1:] if _speaks_for(p, run)), None)
    tables = None if point is None else evaluations.tables(home, project.id, point.run)
    topics = state.store().topics(project.id)
    return Board(
        project=project,
        run=run,
        point=point,
        history=tuple(history),
        tables=tables or {},
        seeds=_starts(evaluations.seeds(home, project.id), run, history),
        colour_of={topic.name: theme.topic_colour(topic.colour) for topic in topics},
    )


def _speaks_for(point: Point, run: Run) -> bool:
    """Whether a fit's scores may stand until the run has its own: not those of another model or
    other settings, nor those of labels that the run does not know."""
    alike = point.like == progress.likeness(run, point.basis)
    return point.run == run.id or (alike and point.revision <= run.revision)


def _starts(
    found: Mapping[str, Any] | None, run: Run, history: Sequence[Point]
) -> Mapping[str, Any] | None:
    """The last look at other random starts, if it was at a model like this one."""
    if found is None or found["run"] == run.id:
        return found
    tried = next((point for point in history if point.run == found["run"]), None)
    return found if tried is not None and _speaks_for(tried, run) else None


def ask_for_scores(board: Board) -> None:
    """Have the present fit scored, unless it is, or is about to be."""
    if not board.counted and background.task_state(EVALUATE, board.project.id).phase in (
        "idle",
        "done",
    ):
        background.request(EVALUATE, board.project.id)


def by_labels(board: Board, name: str) -> pd.DataFrame:
    """A score of every evaluated fit that has it, in order of time."""
    like = "" if board.point is None else board.point.like
    rows = [
        (
            point.labelled,
            *point.scores[name][:3],
            state.moment(point.finished),
            point.model,
            point.like == like,
            shown(name, point.scores[name]),
        )
        for point in board.history
        if name in point.scores
    ]
    columns = ["labelled", "value", "low", "high", "finished", "model", "like", "range"]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"low": float, "high": float, "like": bool})


def shown(name: str, score: Sequence[Any]) -> str:
    """A score with its interval, as text."""
    value, low, high = score[:3]
    if low is None or high is None:
        return number(name, value)
    return f"{number(name, value)} ({number(name, low)} to {number(name, high)})"


SHARES = frozenset(
    ("first", "accuracy", "diversity", "adherence", "kept_words", "seed_words", "seed_documents")
)


def number(name: str, value: float) -> str:
    """62 % for a share, 43 for a count, 0.41 otherwise."""
    if name == "resolved":
        return f"{value:.0f}"
    return texts.percent(value) if name in SHARES else f"{value:.2f}".replace("-", "−")


def before(board: Board) -> Point | None:
    """The fit that the verdict compares with, else the one before it of the same kind."""
    if board.point is None:
        return None
    if board.verdict is not None:
        return board.at(board.verdict["reference"])
    return progress.reference_of(progress.like_points(board.history, board.point), board.point)


def foreseen(board: Board) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame] | None:
    """Past, ahead and how forecasts fared; None while nothing can be foreseen."""
    point = board.point
    if point is None or not point.forecast:
        return None
    told = point.forecast
    past = pd.DataFrame(
        [(p.labelled, p.forecast["now"]) for p in board.history if p.forecast],
        columns=["labelled", "now"],
    ).drop_duplicates("labelled", keep="last")
    now = (0, told["now"], told["now"], told["now"])
    bands = zip(told["more"], told["expected"], told["low"], told["high"], strict=True)
    ahead = pd.DataFrame([now, *bands], columns=["more", "expected", "low", "high"])
    ahead["labelled"] = ahead["more"] + point.labelled
    return past.sort_values("labelled"), ahead, progress.fared(board.history)


def verdict_sentence(board: Board) -> tuple[str, str]:
    """The sentence on top and its tone: good, bad, or nothing."""
    point, found = board.point, board.verdict
    if point is None:
        return _not_counted(board), ""
    if point.value("first") is None:
        return _no_score(board), ""
    if found is None:
        return _nothing_to_compare(board), ""
    reference = board.at(found["reference"])
    assert reference is not None
    when = _last_labels(point, reference)
    if found["kind"] == "better":
        return f"Better than before {when}.", "good"
    if found["kind"] == "worse":
        return f"Worse than before {when}.", "bad"
    if found["kind"] == "perhaps worse":
        return f"Perhaps worse than before {when}; the next fit will tell.", ""
    return f"The same, within noise, as before {when}.", ""


def _not_counted(board: Board) -> str:
    if not board.history:
        return "The scores of the first fit are being counted."
    return "The scores of this run are being counted; the last ones are not those of this run."


def _no_score(board: Board) -> str:
    n = board.project.n_labelled
    if board.point is not None and board.point.basis == "truth":
        return "Every text with a true label is labelled, so none is left to judge by."
    if board.project.n_docs < LEAST:
        return (
            f"Too small to score: this corpus has {texts.count(board.project.n_docs, 'text')}, "
            f"and {LEAST} labelled ones are needed before some can be kept aside as a test."
        )
    if n < LEAST:
        return (
            f"No score yet: {texts.count(n, 'text')} labelled, and {LEAST} are needed "
            "before some can be kept aside as a test."
        )
    return "No score yet: labels of two kinds at least are needed before some can be kept aside."


def _nothing_to_compare(board: Board) -> str:
    point = board.point
    assert point is not None
    if len(board.history) == 1:
        return "This is the first fit with a score, so there is nothing to compare it with yet."
    if not progress.like_points(board.history, point):
        return (
            "The model or its settings have changed, so this fit is not held against those before: "
            "the Compare page does that."
        )
    return (
        "Nothing has been labelled since this model's first score, so there is no change to tell."
    )


def _last_labels(now: Point, reference: Point) -> str:
    """What was done since the reference."""
    more = now.labelled - reference.labelled
    if more > 1:
        return f"your last {more:,} labels"
    if more == 1:
        return "your last label"
    if more == 0:
        return "your last changes"
    return f"{texts.count(-more, 'label')} were taken back"


def verdict_detail(board: Board) -> str:
    """By how much, on how many documents, and since when; plain text."""
    found, point = board.verdict, board.point
    if found is None or point is None:
        return ""
    _, low, high, n = found["difference"]
    parts = [
        f"The strongest topic is right for {texts.percent(found['now'])} of the same "
        f"{texts.count(n, 'text')}, before it was {texts.percent(found['before'])}; "
        f"the difference lies between {_points(low)} and {_points(high)} percentage points"
        f"{_luck(found)}."
    ]
    since = board.at(found["since"])
    if since is not None:
        parts.append(_since(found["kind"], since))
    return " ".join(parts)


def _luck(found: Mapping[str, Any]) -> str:
    """How far chance alone moves a fit, and how that is known; nothing in older tables."""
    source = {
        "starts": "seen over other random starts",
        "fits": "seen from fit to fit",
        "assumed": "taken as usual until more fits are scored",
    }.get(found.get("luck_from", ""))
    if source is None:
        return ""
    return f", with ±{100 * found['luck']:.1f} for the luck of a fit ({source})"


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f}".replace("-", "−")


def _since(kind: str, since: Point) -> str:
    when = f"{state.moment(since.finished)} ({texts.count(since.labelled, 'label')})"
    if kind == "same":
        return f"No clear change since {when}."
    if kind == "perhaps worse":
        return "The fit before this one was not worse, and one fit can be bad luck."
    than = "better" if kind == "better" else "worse"
    return f"It is {than} than every fit looked at since {when}."


def basis_sentence(board: Board) -> str:
    """Who is judged, and why that is fair."""
    point = board.point
    if point is None or point.value("first") is None:
        return ""
    n = texts.count(int(board.tables.get("judged", 0)), "text")
    if point.basis == "truth":
        return (
            f"Judged by the labels that came with the corpus, on {n} that nobody has labelled "
            "here: the model was told nothing about them."
        )
    return (
        f"Judged by your own labels, kept aside in turn: five fits, each without a fifth of them, "
        f"are asked about what they were not told ({n}). The model on screen uses all labels."
        + _unlocked(int(board.tables.get("locked", 0)))
    )


def _unlocked(n: int) -> str:
    """A lock would tell the fits what the labels kept aside had taught its words."""
    if not n:
        return ""
    topics = texts.count(n, "topic")
    return f" They leave locks out ({topics}): what a lock freezes was learnt from all labels."


def freshness(board: Board) -> str:
    """What to know when the scores are not those of the present fit."""
    task = background.task_state(EVALUATE, board.project.id)
    if task.phase == "failed" and task.error and not board.counted:
        return task.error
    if board.point is None or board.counted:
        return ""
    n = texts.count(board.point.labelled, "label")
    return f"The present fit is being scored; below are the scores with {n}."
