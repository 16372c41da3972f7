"""A corpus of made-up texts with real habits: Zipf's law, a few topics, one or two in a text."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from core.corpus import Corpus

TOPICS = 12
OWN, COMMON = 120, 30_000  # words of a topic, and of the language
ONSETS = (*"bcdfghjklmnprstvw", "br", "cl", "dr", "fl", "gr", "pl", "st", "tr")
VOWELS = (*"aeiou", "ai", "ea", "ou")
ENDS = ("", "n", "r", "s", "t", "l", "nd", "st")
BLOCK = 5_000


def planted_texts(n_docs: int, seed: int = 0) -> Corpus:
    """Texts of 15 to 110 words; the first words of the language are as frequent as in English."""
    rng = np.random.default_rng(seed)
    words = _vocabulary(rng, COMMON + TOPICS * OWN)
    common, own = words[:COMMON], words[COMMON:].reshape(TOPICS, OWN)
    odds, own_odds = _zipf(COMMON, 2.7), _zipf(OWN, 8)
    topic = rng.choice(TOPICS, size=(n_docs, 2), p=_zipf(TOPICS, 3))
    texts: list[str] = []
    for start in range(0, n_docs, BLOCK):
        lengths = rng.integers(15, 110, min(BLOCK, n_docs - start))
        total = int(lengths.sum())
        plain = common[rng.choice(COMMON, total, p=odds)]
        second = rng.random(total) < 0.25
        mine = topic[np.repeat(np.arange(start, start + len(lengths)), lengths), second.astype(int)]
        told = own[mine, rng.choice(OWN, total, p=own_odds)]
        chosen = np.where(rng.random(total) < 0.35, told, plain)
        ends = np.cumsum(lengths)
        texts += [_sentences(part) for part in np.split(chosen, ends[:-1])]
    days = rng.integers(0, 900, n_docs)
    return Corpus(
        ids=tuple(f"T{i:06d}" for i in range(n_docs)),
        texts=tuple(texts),
        labels=tuple((f"Topic {first + 1}",) for first, _ in topic),
        dates=tuple(date(2024, 1, 1) + timedelta(days=int(day)) for day in days),
        side={"district": tuple(("North", "South", "East")[day % 3] for day in days)},
    )


def _vocabulary(rng: np.random.Generator, n: int) -> np.ndarray:
    """Different words of one to three syllables, short ones first."""
    onset = rng.integers(len(ONSETS), size=(3 * n, 3))
    vowel = rng.integers(len(VOWELS), size=(3 * n, 3))
    end = rng.integers(len(ENDS), size=3 * n)
    words: dict[str, None] = {}
    for i in range(3 * n):
        syllables = range(1 + min(len(words) // 400, 2))
        stem = "".join(ONSETS[onset[i, j]] + VOWELS[vowel[i, j]] for j in syllables)
        words[stem + ENDS[end[i]]] = None
        if len(words) == n:
            break
    return np.array(list(words))


def _zipf(n: int, shift: float) -> np.ndarray:
    odds = 1 / (np.arange(n) + shift)
    return odds / odds.sum()


def _sentences(words: np.ndarray) -> str:
    """About a dozen words to a sentence."""
    parts = (" ".join(words[i : i + 12]) for i in range(0, len(words), 12))
    return " ".join(f"{part.capitalize()}." for part in parts)
