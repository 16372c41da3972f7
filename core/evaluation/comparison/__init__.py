"""Several models on the same documents and labels: scores, words, agreement, differences.

>>> from core.evaluation.comparison import Candidate, ComparisonInput, compare_models
>>> candidates = [Candidate("NMF", ModelSpec("nmf", 12)), Candidate("TS-NMF", ModelSpec("tsnmf"))]
>>> inputs = ComparisonInput(supervision=supervision, matrix=matrix, truth=truth)
>>> comparison, topics = compare_models(candidates, inputs, seeds=(0, 1, 2))

``study_rates`` makes the supervision-rate curves of the TS-NMF paper.
"""

from __future__ import annotations

from core.evaluation.comparison.candidates import (
    Candidate,
    ComparisonInput,
    Judge,
    comparison_problems,
)
from core.evaluation.comparison.differences import DocumentDifferences, document_differences
from core.evaluation.comparison.rates import RateStudy, Variant, rate_study_problems, study_rates
from core.evaluation.comparison.running import compare_models
from core.evaluation.comparison.values import (
    SECONDS_SCORE,
    CandidatePair,
    Comparison,
    ComparisonEntry,
    TopicWords,
)

__all__ = [
    "Candidate",
    "CandidatePair",
    "Comparison",
    "ComparisonEntry",
    "ComparisonInput",
    "DocumentDifferences",
    "Judge",
    "RateStudy",
    "SECONDS_SCORE",
    "TopicWords",
    "Variant",
    "compare_models",
    "comparison_problems",
    "document_differences",
    "fit_timer",
    "rate_study_problems",
    "rates",
    "study_rates",
]
