"""The Scores page (``page``).

``scoreboard`` reads evaluations, verdict_text puts them into sentences, score_table lists all
scores, other_starts measures stability across random starts.
"""

__all__ = []
