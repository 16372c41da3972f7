"""Operations on topics, how topics carry over to the next fit, and whether a fit honoured them."""

__all__ = [
    "free_topics",
    "matching",
    "operation_case",
    "operations",
    "starting_words",
    "stop_words",
    "verdicts",
]
