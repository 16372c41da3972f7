"""What the scores of a run were measured on, or why there are none: on screen as in the report."""

from __future__ import annotations

from core.evaluation.held_out import MIN_LABELS_FOR_SCORES, N_FOLDS
from core.values import count
from core.workspace.scores.history import ScoreHistory

NOT_COMPUTED = "The scores of this run have not been computed yet."
NO_LABELS = "No text is labelled, so there is nothing to score the topics by."


def no_score_sentence(board: ScoreHistory) -> str:
    """Why the scored run has no score against labels."""
    n = board.project.n_labelled
    if board.point is not None and board.point.basis == "truth":
        return "Every text with a true label is labelled, so none is left for testing."
    if board.project.n_docs < MIN_LABELS_FOR_SCORES:
        return (
            f"Too small to score: this corpus has {count(board.project.n_docs, 'text')}, "
            f"and a test needs {MIN_LABELS_FOR_SCORES} labelled ones."
        )
    if n < MIN_LABELS_FOR_SCORES:
        labelled = count(n, "text")
        return f"No score yet: {labelled} labelled, and a test needs {MIN_LABELS_FOR_SCORES}."
    return "No score yet: a test needs at least two different labels."


def basis_sentence(board: ScoreHistory) -> str:
    """Who is judged, and why that is fair."""
    point = board.point
    if point is None or point.value("first") is None:
        return ""
    n = count(int(board.tables.get("judged", 0)), "text")
    if point.basis == "truth":
        return (
            f"Scored against the labels in the file, on {n} that nobody has labelled here: the "
            "model has not seen their labels."
        )
    return (
        f"Scored on labels held out, by {N_FOLDS}-fold cross-validation ({n}). The model on screen "
        "uses all labels." + _unlocked(int(board.tables.get("locked", 0)))
    )


def _unlocked(n: int) -> str:
    """A lock would tell the fits what the labels kept aside had taught its words."""
    if not n:
        return ""
    topics = count(n, "topic")
    return (
        f" Locks are ignored there ({topics}), because a locked topic was learnt from all labels."
    )


def earlier_scores_sentence(board: ScoreHistory) -> str:
    """That the scores are those of an earlier run; empty if they are of the current one."""
    if board.point is None or board.counted:
        return ""
    return (
        f"The current run is not scored yet; these are the scores with "
        f"{count(board.point.labelled, 'label')}."
    )
