"""The engine behind TS-NMF Studio: from a file of texts to supervised topics.

>>> from core import ModelSpec, Supervision, TextSettings, build_matrix, fit, read_corpus
"""

from __future__ import annotations

from core import comparison, errors, metrics, operations, queue, report, store, summaries
from core.corpus import Corpus
from core.fitting import ModelSpec, fit
from core.loading import read_corpus
from core.matrix import DocumentTermMatrix, build_matrix
from core.models import MODELS
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics

__all__ = [
    "Corpus",
    "DocumentTermMatrix",
    "MODELS",
    "ModelSpec",
    "Supervision",
    "TextSettings",
    "Topics",
    "build_matrix",
    "comparison",
    "errors",
    "fit",
    "metrics",
    "operations",
    "queue",
    "read_corpus",
    "report",
    "store",
    "summaries",
]
