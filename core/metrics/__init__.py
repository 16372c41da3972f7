"""How good topics are, one file per family."""

from __future__ import annotations

from core.metrics.agreement import krippendorff_alpha
from core.metrics.clustering import ScoreP, score_p
from core.metrics.coherence import topic_coherence
from core.metrics.diversity import topic_diversity
from core.metrics.matching import Matching, match_topics, weighted_jaccard
from core.metrics.prediction import (
    accuracy,
    accuracy_by_label,
    auc,
    auc_pr,
    averaged_accuracy,
    f1_macro,
    f1_micro,
    held_out_log_likelihood,
)
from core.metrics.sparsity import hoyer, inter_label_sparsity
from core.metrics.stability import Stability, compare_fits

__all__ = [
    "Matching",
    "ScoreP",
    "Stability",
    "accuracy",
    "accuracy_by_label",
    "auc",
    "auc_pr",
    "averaged_accuracy",
    "compare_fits",
    "f1_macro",
    "f1_micro",
    "held_out_log_likelihood",
    "hoyer",
    "inter_label_sparsity",
    "krippendorff_alpha",
    "match_topics",
    "score_p",
    "topic_coherence",
    "topic_diversity",
    "weighted_jaccard",
]
