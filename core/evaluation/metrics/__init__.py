"""How good topics are, one file per family.

The rest of ``core.evaluation`` uses ``clustering``, ``coherence``, ``diversity`` and
``resampling``, too.
"""

from __future__ import annotations

from core.evaluation.metrics.agreement import krippendorff_alpha, krippendorff_interval
from core.evaluation.metrics.clustering import ScoreP, score_p
from core.evaluation.metrics.coherence import topic_coherence
from core.evaluation.metrics.diversity import topic_diversity
from core.evaluation.metrics.matching import Matching, match_topics, weighted_jaccard
from core.evaluation.metrics.prediction import (
    accuracy,
    accuracy_by_label,
    auc,
    auc_pr,
    averaged_accuracy,
    f1_macro,
    f1_micro,
    held_out_log_likelihood,
)
from core.evaluation.metrics.sparsity import hoyer, inter_label_sparsity
from core.evaluation.metrics.stability import Stability, compare_fits

__all__ = [
    "Matching",
    "ScoreP",
    "Stability",
    "accuracy",
    "accuracy_by_label",
    "agreement",
    "auc",
    "auc_pr",
    "averaged_accuracy",
    "compare_fits",
    "definitions",
    "f1_macro",
    "f1_micro",
    "held_out_log_likelihood",
    "hoyer",
    "inter_label_sparsity",
    "intervals",
    "krippendorff_alpha",
    "krippendorff_interval",
    "match_topics",
    "matching",
    "prediction",
    "score_p",
    "topic_coherence",
    "topic_diversity",
    "weighted_jaccard",
]
