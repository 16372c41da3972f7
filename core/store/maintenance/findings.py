"""What a check found, in a sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    check: str
    level: Level
    sentence: str
    advice: str = ""  # what to do; empty when all is well


def ok(check: str, sentence: str) -> Finding:
    return Finding(check, "ok", sentence)


def warning(check: str, sentence: str, advice: str) -> Finding:
    return Finding(check, "warning", sentence, advice)


def problem(check: str, sentence: str, advice: str) -> Finding:
    return Finding(check, "problem", sentence, advice)
