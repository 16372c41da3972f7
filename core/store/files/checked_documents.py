"""Documents from a stranger, checked a piece at a time on their way into the table."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.corpus import CorpusDigest
from core.errors import StoreError
from core.store.files.field_types import fits, require


class DocumentChecker:
    """Takes the documents of one project in order; keeps of them what others are checked by."""

    def __init__(self, side: Any) -> None:
        require(fits(side, tuple[str, ...]) and len(set(side)) == len(side))
        self.side: list[str] = side
        self.ids: list[str] = []
        self._digest = CorpusDigest()

    def rows(self, lines: list[Any], project: int) -> list[dict[str, Any]]:
        """The next rows."""
        return [self._row(line, project) for line in lines]

    def _row(self, line: Any, project: int) -> dict[str, Any]:
        labels, side, day = line["labels"], line["side"], line["date"]
        require(isinstance(side, list) and isinstance(labels, list))
        require(fits([line["id"], line["text"], *side, *labels], tuple[str, ...]))
        require(len(side) == len(self.side) and fits(day, str | None))
        self._digest.add(line["id"], line["text"], labels)
        self.ids.append(line["id"])
        return {
            "project": project,
            "position": len(self.ids) - 1,
            "id": line["id"],
            "text": line["text"],
            "date": date.fromisoformat(day).isoformat() if day else None,
            "labels": labels or None,
            "side": side or None,
        }

    @property
    def project_values(self) -> dict[str, Any]:
        """What the project's row says about its documents."""
        if not self.ids:
            raise StoreError("A project needs at least one text.")
        return {"n_docs": len(self.ids), "fingerprint": self._digest.fingerprint}
