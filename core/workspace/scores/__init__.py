"""The scores of a project: counted, kept, judged and put into words.

``evaluate`` counts and keeps the scores of a run, ``history`` reads all that were kept,
``left_out_trend`` tells what the guide gets right and whether that rose, and ``sentences`` says
what scores are about, or why there are none.
"""

from core.workspace.scores.history import ScoreHistory, score_history

__all__ = ["ScoreHistory", "evaluate", "left_out_trend", "score_history", "sentences"]
