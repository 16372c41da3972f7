"""Which language texts are in, told by their commonest little words; a guess to start from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.text.settings import LANGUAGES
from core.text.words import stop_words

SAMPLE = 300  # texts looked at, spread over the corpus
LENGTH = 400  # characters of each
LEAST = 0.15  # of the words: fewer known ones are no evidence
AHEAD = 1.25  # English stays unless another language knows so much more of the words
_WORD = re.compile(r"[^\W\d_]+")


def guess_language(texts: Sequence[str]) -> str:
    """The language whose stop words are met most often; English when in doubt."""
    step = max(1, len(texts) // SAMPLE)
    sample = " ".join(text[:LENGTH].lower() for text in texts[::step])
    words = Counter(_WORD.findall(sample))
    known = {code: _share(words, code) for code in sorted(LANGUAGES)}
    best = max(known, key=known.__getitem__)
    if known[best] < max(LEAST, AHEAD * known["en"]):
        return "en"
    return best


def _share(words: Counter[str], language: str) -> float:
    """The part of the words that are stop words of a language."""
    listed = stop_words(language)
    met = sum(count for word, count in words.items() if word in listed)
    return met / max(words.total(), 1)
