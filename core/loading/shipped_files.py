"""Paths of the files that ship with the studio: in the checkout, else in the installed wheel."""

from __future__ import annotations

from pathlib import Path

CORE_FOLDER = Path(__file__).resolve().parents[1]
ASSET_FOLDERS = (CORE_FOLDER.parent / "assets", CORE_FOLDER / "assets")


def asset(*parts: str) -> Path:
    """The path of one shipped file; the checkout's copy wins, so that edits are seen at once."""
    for place in ASSET_FOLDERS:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation.")
