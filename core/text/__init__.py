"""From a text to the words a model counts: normalise, tokenise, stop words, lemmas."""

from core.text.analyzer import Analyzer, Span
from core.text.settings import LANGUAGES, PRESETS, TextSettings

__all__ = ["LANGUAGES", "PRESETS", "Analyzer", "Span", "TextSettings"]
