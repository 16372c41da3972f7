"""Where the files that ship with the studio lie: the checkout first, then the installed wheel."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
PLACES = (PACKAGE.parent / "assets", PACKAGE / "assets")


def asset(*parts: str) -> Path:
    """The path of one shipped file; the checkout's copy wins, so that edits are seen at once."""
    for place in PLACES:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation.")
