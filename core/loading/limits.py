"""What a file may cost before it is refused: uploads are strangers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on a source; each has a sentence of its own when it is passed."""

    bytes: int = 500_000_000
    rows: int = 1_000_000
    columns: int = 500
    cell_characters: int = 1_000_000
    members: int = 200_000  # files in an archive or a folder
    ratio: int = 150  # unpacked size over packed size, once the unpacked size is worth a worry
    unpacked_bytes: int = 1_000_000_000
    harmless_bytes: int = 10_000_000  # a small archive may be as dense as it likes
