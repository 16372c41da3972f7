"""Several models on the same documents and labels: scores, words, agreement, differences.

>>> from core.comparison import Candidate, Material, compare_models, refusals
>>> candidates = [Candidate("NMF", ModelSpec("nmf", 12)), Candidate("TS-NMF", ModelSpec("tsnmf"))]
>>> material = Material(supervision=supervision, matrix=matrix, truth=truth)
>>> comparison, topics = compare_models(candidates, material, seeds=(0, 1, 2))

``study_rates`` asks what labels bring: the supervision-rate curves of the TS-NMF paper.
"""

from __future__ import annotations

from core.comparison.candidates import Candidate, Judge, Material, refusals
from core.comparison.contrasts import Contrast, contrast
from core.comparison.rates import RateStudy, Variant, rate_refusals, study_rates
from core.comparison.running import compare_models
from core.comparison.values import Comparison, Entry, Pair, TopicWords

__all__ = [
    "Candidate",
    "Comparison",
    "Contrast",
    "Entry",
    "Judge",
    "Material",
    "Pair",
    "RateStudy",
    "TopicWords",
    "Variant",
    "compare_models",
    "contrast",
    "rate_refusals",
    "refusals",
    "study_rates",
]
