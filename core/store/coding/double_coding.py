"""Blind double coding: a share of the texts is labelled by two people, neither of whom sees the
other's label before both have spoken.

Which texts these are follows from a seed and a text's position alone: a larger share adds texts and
takes none away, and texts that are appended later do not change the choice.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import whole

SET_DOUBLE_CODING = "double_coding"
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class DoubleCoding:
    """Have a share of the texts labelled by two people; a share of 0 chooses no further text."""

    kind: ClassVar[str] = SET_DOUBLE_CODING
    share: float
    seed: int = 0

    def checked(self) -> Self:
        share = self.share
        if isinstance(share, bool) or not isinstance(share, int | float):
            raise StoreError("The share of texts to double is a number.")
        if not (math.isfinite(share) and 0 <= share <= 1):
            raise StoreError("The share of texts to double is between 0 and 1.")
        return replace(self, share=float(share), seed=whole(self.seed, "A seed"))

    def payload(self) -> dict[str, Any]:
        return {"share": self.share, "seed": self.seed}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["share"], payload["seed"])

    def chooses(self, position: int) -> bool:
        """Whether the text at a position is one of those that two people label."""
        return self.rank(position) < self.share * (_WORD + 1)

    def rank(self, position: int) -> int:
        """A random number of the text, the same every time (SplitMix64, Steele et al. 2014)."""
        mixed = (self.seed * 0xD1342543DE82EF95 + (position + 1) * 0x9E3779B97F4A7C15) & _WORD
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return mixed ^ (mixed >> 31)


def seed_of(fingerprint: str) -> int:
    """The seed of a project: the same texts, wherever they are opened, are doubled alike."""
    return int.from_bytes(hashlib.blake2b(fingerprint.encode(), digest_size=4).digest()) >> 1
