"""Guess the language of texts by counting stop words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.text.settings import LANGUAGES
from core.text.words import stop_words

MAX_SAMPLED_TEXTS = 300  # evenly spaced in the corpus
SAMPLED_CHARACTERS = 400  # of each text
MIN_STOP_WORD_SHARE = 0.15  # below this the guess is English
MIN_LEAD_OVER_ENGLISH = 1.25  # another language needs so many times the share of English
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")


def guess_language(texts: Sequence[str]) -> str:
    """The language with the most stop words in the texts; English if in doubt."""
    step = max(1, len(texts) // MAX_SAMPLED_TEXTS)
    sample = " ".join(text[:SAMPLED_CHARACTERS].lower() for text in texts[::step])
    words = Counter(_LETTERS_ONLY.findall(sample))
    known = {code: _share(words, code) for code in sorted(LANGUAGES)}
    best = max(known, key=known.__getitem__)
    if known[best] < max(MIN_STOP_WORD_SHARE, MIN_LEAD_OVER_ENGLISH * known["en"]):
        return "en"
    return best


def _share(words: Counter[str], language: str) -> float:
    """The part of the words that are stop words of a language."""
    listed = stop_words(language)
    met = sum(count for word, count in words.items() if word in listed)
    return met / max(words.total(), 1)
