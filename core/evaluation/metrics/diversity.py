"""Do topics have different words?"""

from __future__ import annotations

import numpy as np

from core.evaluation.metrics.coherence import top_words


def topic_diversity(topic_term: np.ndarray, *, n_words: int = 25) -> float:
    """Share of different words among all topics' heaviest words: 1 if no two topics share one."""
    words = [top_words(row, n_words) for row in np.asarray(topic_term)]
    total = sum(row.size for row in words)
    return np.unique(np.concatenate(words)).size / total if total else 0.0
