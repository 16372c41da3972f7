"""Lists of documents that one page makes and another opens: a lasso, a cell, a topic's best.

A selection is written beside the store under a short key made from what it holds, so the same
choice has the same address, an address survives a restart, and nobody can write one by hand.
The Label page opens ``?documents=<key>``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.values import whole_file
from core.workspace.caches.paths import selections_folder

QUERY_PARAMETER = "documents"  # the name of the parameter that carries a key
MAX_SELECTIONS = 200  # selections per project; the oldest go first
_KEY = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Selection:
    """Documents of one project, in the order in which they are offered."""

    project: int
    title: str
    positions: tuple[int, ...]
    topic: int | None = None  # id of the topic they were chosen for, where there is one

    def __len__(self) -> int:
        return len(self.positions)

    @classmethod
    def of(
        cls, project: int, title: str, positions: Iterable[int], topic: int | None = None
    ) -> Selection:
        """Each document once; titles are one line."""
        once = tuple(dict.fromkeys(int(position) for position in positions))
        return cls(project, " ".join(title.split())[:120], once, topic)


def save(home: Path | str, selection: Selection) -> str:
    """Write a selection; its key."""
    content = [selection.title, selection.topic, selection.positions]
    text = json.dumps(content, separators=(",", ":"))
    key = hashlib.blake2b(f"{selection.project} {text}".encode(), digest_size=6).hexdigest()
    path = selections_folder(home, selection.project) / f"{key}.json"
    if path.is_file():
        path.touch()  # asked for again: it is young
        return key
    with whole_file(path) as file:
        file.write(text.encode("utf-8"))
    _delete_oldest(path.parent)
    return key


def load(home: Path | str, project: int, key: str) -> Selection | None:
    """The selection of a key; None when it is unknown, of another project, or long gone."""
    if not _KEY.fullmatch(key):
        return None
    path = selections_folder(home, project) / f"{key}.json"
    return _read(path, project) if path.is_file() else None


@lru_cache(maxsize=16)
def _read(path: Path, project: int) -> Selection | None:
    """A file never changes: its name is made from what it holds."""
    try:
        title, topic, positions = json.loads(path.read_text(encoding="utf-8"))
        return Selection.of(project, str(title), positions, topic)
    except (OSError, ValueError, TypeError):
        return None


def _delete_oldest(folder: Path) -> None:
    """Keep the youngest; a file that vanishes meanwhile was somebody else's to remove."""
    files = sorted(folder.glob("*.json"), key=_age, reverse=True)
    for path in files[MAX_SELECTIONS:]:
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
