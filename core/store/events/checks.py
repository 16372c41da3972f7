"""Checks that every event and name passes before it reaches the log."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

from core.errors import StoreError

NAME_LIMIT = 120
WORD_LIMIT = 200  # characters of one term
WORDS_LIMIT = 1_000  # words of one event
MAX_NEW_TOPICS = 1_000  # that one file may create


def whole(value: Any, what: str) -> int:
    """A whole number that is not a bool in disguise and fits a database."""
    if isinstance(value, bool):
        raise StoreError(f"{what} is named by a whole number.")
    try:
        number = operator.index(value)
    except TypeError:
        raise StoreError(f"{what} is named by a whole number.") from None
    if not 0 <= number < 2**31:
        raise StoreError(f"{what} is named by a whole number from 0 up.")
    return number


def checked_name(name: str, what: str = "A topic") -> str:
    """One line of visible text, with single blanks."""
    text = " ".join(checked_text(name, f"The name of {what[0].lower()}{what[1:]}", None).split())
    if not text:
        raise StoreError(f"{what} needs a name.")
    if len(text) > NAME_LIMIT:
        raise StoreError(f"{what} has a name of at most {NAME_LIMIT} characters.")
    if not text.isprintable():
        raise StoreError("A name cannot hold control characters.")
    return text


def require_few_topics(number: int) -> None:
    """Refuse a file that would create more topics than anybody can mean: others wait meanwhile."""
    if number > MAX_NEW_TOPICS:
        raise StoreError(
            f"The file would create {number:,} topics; at most {MAX_NEW_TOPICS:,} can be created "
            "at once."
        )


def checked_text(text: str, what: str, limit: int | None) -> str:
    """Text that every database can hold."""
    if not isinstance(text, str):
        raise StoreError(f"{what} is text.")
    if limit is not None and len(text) > limit:
        raise StoreError(f"{what} has at most {limit:,} characters.")
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise StoreError(f"{what} holds characters that cannot be stored.")
    return text.strip()


def checked_word(word: str) -> str:
    """One word or phrase of the vocabulary."""
    text = " ".join(checked_text(word, "A word", WORD_LIMIT).split())
    if not text:
        raise StoreError("Name a word.")
    return text


def checked_weight(weight: Any, what: str = "A word's weight") -> float:
    """A finite number above zero."""
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise StoreError(f"{what} is a number.")
    if not (math.isfinite(weight) and 0 < weight <= 1e6):
        raise StoreError(f"{what} is above 0 and at most a million.")
    return float(weight)


def checked_words(words: Mapping[str, float]) -> dict[str, float]:
    """Words and their weights; at least one, and no more than a topic needs."""
    if not isinstance(words, Mapping) or not words:
        raise StoreError("Name at least one word.")
    if len(words) > WORDS_LIMIT:
        raise StoreError(f"At most {WORDS_LIMIT:,} words at a time.")
    return {checked_word(word): checked_weight(weight) for word, weight in words.items()}
