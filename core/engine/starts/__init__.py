"""Where a fit begins: topics from labels or from the data, positive starts, parts of a label."""

__all__ = ["parts", "positive", "topics"]
