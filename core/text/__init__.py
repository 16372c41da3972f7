"""From a text to what a model reads: words (normalise, tokenise, stop words, lemmas), vectors.

``vocabulary`` reads texts beyond a corpus by its terms and their weights. ``vectors`` holds what
texts are about, ``encoders`` makes it offline, both optional; ``model_folders`` refuses a folder
whose model would run code.
"""

from core.text.analyzer import Analyzer, Span, analyzer_of
from core.text.normalise import few_marks, without_edges
from core.text.settings import LANGUAGES, PRESETS, TextSettings
from core.text.vectors import DocumentVectors, Encoder
from core.text.vocabulary import Vocabulary

__all__ = [
    "Analyzer",
    "DocumentVectors",
    "Encoder",
    "LANGUAGES",
    "PRESETS",
    "Span",
    "TextSettings",
    "Vocabulary",
    "analyzer_of",
    "counting",
    "encoders",
    "few_marks",
    "language",
    "vectors",
    "vocabulary",
    "without_edges",
]
