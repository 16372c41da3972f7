"""How good topics are: metrics, scores of a run, held-out labels, forecasts, comparisons."""

__all__ = [
    "comparison",
    "expected_right",
    "forecast",
    "held_out",
    "label_names",
    "left_out",
    "metrics",
    "progress",
    "recommendation",
    "references",
    "score_format",
    "scoring",
    "splits",
    "subsets",
]
