"""Sentences on top of the Scores page: did the last labels help, and how fresh they are."""

from __future__ import annotations

from core.evaluation import progress
from core.evaluation.progress import EvaluatedRun, FitNoise
from core.workspace.scores import ScoreHistory
from core.workspace.scores import sentences as score_sentences
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts


def verdict_sentence(board: ScoreHistory) -> tuple[str, str]:
    """The sentence on top and its tone: good, bad, or nothing."""
    point, found = board.point, board.verdict
    if point is None:
        return _not_scored(board), ""
    if point.value("first") is None:
        return score_sentences.no_score_sentence(board), ""
    if found is None:
        return _nothing_to_compare(board), ""
    when = _last_labels(point, found.reference)
    if found.kind == "better":
        return f"Better than before {when}.", "good"
    if found.kind == "worse":
        return f"Worse than before {when}.", "bad"
    if found.kind == "perhaps worse":
        return f"Possibly worse than before {when}; the next fit will show.", ""
    if found.kind == "too few":
        return f"Too few texts to tell whether {when} helped.", ""
    return f"About the same as before {when}.", ""


def _not_scored(board: ScoreHistory) -> str:
    if not board.history:
        return "The first scores are being computed."
    return "The scores of this run are being computed."


def _nothing_to_compare(board: ScoreHistory) -> str:
    point = board.point
    assert point is not None
    if board.undone:
        return "Some of the labels of this run have been undone since; the next fit is compared."
    if len(board.history) == 1:
        return "This is the first scored run, so there is nothing to compare it with yet."
    if not progress.comparable_runs(board.history, point):
        return (
            "The model or its settings have changed, so this run is not compared with earlier ones "
            "here. Use the Compare page."
        )
    return "Nothing has been labelled since this model's first score."


def _last_labels(now: EvaluatedRun, reference: EvaluatedRun) -> str:
    """What was done since the reference."""
    more = now.labelled - reference.labelled
    if more > 1:
        return f"your last {more:,} labels"
    if more == 1:
        return "your last label"
    if more == 0:
        return "your last changes"
    return f"{texts.count(-more, 'label')} were removed"


def verdict_detail(board: ScoreHistory) -> str:
    """By how much, on how many documents, and since when; plain text."""
    found, point = board.verdict, board.point
    if found is None or point is None:
        return ""
    _, low, high, n, _ = found.difference
    both = (
        f"Of the {texts.count(n, 'text')} scored both times, {texts.percent(found.now)} have the "
        f"right main topic; it was {texts.percent(found.before)}. Difference: {_points(low)} to "
        f"{_points(high)} points (95 % interval{_chance(found.noise)})."
    )
    return f"{both} {_since(found.kind, found.since)}".strip()


def _chance(noise: FitNoise) -> str:
    """How far chance alone moves a fit, and how that is known."""
    source = {
        "starts": "as measured below, from other random starts",
        "assumed": "an assumption until you try random starts below",
    }[noise.source]
    return f"; random variation between fits alone makes it ±{100 * noise.interval:.1f}, {source}"


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f}".replace("-", "−")


def _since(kind: str, since: EvaluatedRun) -> str:
    when = f"{state.local_time(since.finished)} ({texts.count(since.labelled, 'label')})"
    if kind == "too few":
        return ""
    if kind == "same":
        return f"No clear change since {when}."
    if kind == "perhaps worse":
        return "The previous run was not worse, and one bad run can be chance."
    than = "better" if kind == "better" else "worse"
    return f"It is {than} than every scored run since {when}."


def freshness(board: ScoreHistory) -> str:
    """What to know when the scores are not those of the present fit."""
    task = jobs.service().state(jobs.EVALUATE, board.project.id)
    if task.phase == "failed" and task.error and not board.counted:
        return task.error
    return score_sentences.earlier_scores_sentence(board)
