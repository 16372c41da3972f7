"""Limits on the size of a file; uploads are not trusted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Limits on a source; a file beyond one is refused with an error of its own."""

    bytes: int = 500_000_000
    rows: int = 1_000_000
    columns: int = 500
    cell_characters: int = 1_000_000
    members: int = 200_000  # files in an archive or a folder
    ratio: int = 150  # unpacked size over packed size, above harmless_bytes
    unpacked_bytes: int = 1_000_000_000
    harmless_bytes: int = 10_000_000  # the ratio of a smaller archive does not matter
