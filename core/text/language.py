"""Guess the language of texts, and whether there is a second one, by counting stop words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.text.settings import LANGUAGES
from core.text.words import stop_words

MAX_SAMPLED_TEXTS = 300  # evenly spaced in the corpus
SAMPLED_CHARACTERS = 400  # of each text
MIN_STOP_WORD_SHARE = 0.15  # below this the guess is English
MIN_SECOND_SHARE = 0.1  # of the texts, from which on a second language is worth a word
MIN_LEAD_OVER_ENGLISH = 1.25  # another language needs so many times the share of English
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")


def guess_language(texts: Sequence[str]) -> str:
    """The language with the most stop words in the texts; English if in doubt."""
    words = sum(map(Counter, _sampled_words(texts)), Counter[str]())
    known = {code: _share(words, code) for code in sorted(LANGUAGES)}
    best = max(known, key=known.__getitem__)
    if known[best] < max(MIN_STOP_WORD_SHARE, MIN_LEAD_OVER_ENGLISH * known["en"]):
        return "en"
    return best


def second_language(texts: Sequence[str], first: str) -> tuple[str, float] | None:
    """Another language that many of the texts are in, and the share of them; None without one.

    It is looked for among the texts that hold hardly any stop word of the first.
    """
    sample = [Counter(words) for words in _sampled_words(texts)]
    strange = [words for words in sample if _share(words, first) < MIN_STOP_WORD_SHARE]
    found = guess_language([" ".join(words.elements()) for words in strange])
    theirs = sum(_share(words, found) >= MIN_STOP_WORD_SHARE for words in strange)
    share = theirs / max(len(sample), 1)
    return (found, share) if found != first and share >= MIN_SECOND_SHARE else None


def _sampled_words(texts: Sequence[str]) -> Iterator[list[str]]:
    step = max(1, len(texts) // MAX_SAMPLED_TEXTS)
    for text in texts[::step]:
        yield _LETTERS_ONLY.findall(text[:SAMPLED_CHARACTERS].lower())


def _share(words: Counter[str], language: str) -> float:
    """The part of the words that are stop words of a language."""
    listed = stop_words(language)
    met = sum(count for word, count in words.items() if word in listed)
    return met / max(words.total(), 1)
