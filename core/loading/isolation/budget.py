"""How much memory and time the reading of one file may take, by the size of the file."""

from __future__ import annotations

import os
from dataclasses import dataclass

GIGABYTE = 1_000_000_000
MEMORY_AT_LEAST = 2 * GIGABYTE
MEMORY_AT_MOST = 8 * GIGABYTE
MEMORY_PER_BYTE = 32  # a workbook of numbers unpacks to this much
SHARE_OF_THE_MACHINE = 0.8
SECONDS_AT_LEAST = 60.0
SECONDS_AT_MOST = 900.0
SECONDS_PER_BYTE = 2e-6
ANSWER_AT_LEAST = 50_000_000  # each byte can become a dozen in the caller's memory
ANSWER_AT_MOST = 6 * GIGABYTE
ANSWER_PER_BYTE = 60  # texts do not pack better than this


@dataclass(frozen=True, slots=True)
class Budget:
    """What one reading may use; beyond it the file is refused with a sentence."""

    memory_bytes: int
    seconds: float
    answer_bytes: int

    @classmethod
    def of(cls, size: int) -> Budget:
        """The budget of a file of so many bytes."""
        memory = min(MEMORY_AT_LEAST + MEMORY_PER_BYTE * size, MEMORY_AT_MOST, _machine_share())
        seconds = min(SECONDS_AT_LEAST + SECONDS_PER_BYTE * size, SECONDS_AT_MOST)
        answer = min(max(ANSWER_AT_LEAST, ANSWER_PER_BYTE * size), ANSWER_AT_MOST)
        return cls(memory, seconds, answer)


def _machine_share() -> int:
    """Most of the memory of this machine; where nobody says how much it has, no limit."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MEMORY_AT_MOST
    return int(SHARE_OF_THE_MACHINE * there)
