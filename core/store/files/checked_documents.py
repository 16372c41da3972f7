"""Documents from a stranger, checked a piece at a time on their way into the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

from core.corpus import CorpusDigest
from core.errors import StoreError
from core.store.events.added_texts import AddedTexts
from core.store.events.checks import whole
from core.store.files.field_types import fits, require
from core.store.values import Event


class DocumentChecker:
    """Takes the documents of one project in order; keeps of them what others are checked by."""

    def __init__(self, side: Any) -> None:
        require(fits(side, tuple[str, ...]) and len(set(side)) == len(side))
        self.side: list[str] = side
        self.ids: list[str] = []
        self.replaced: dict[int, int] = {}  # the last place of each addition
        self._n_replaced: Counter[int] = Counter()
        self._digest = CorpusDigest()

    def rows(self, lines: list[Any], project: int) -> list[dict[str, Any]]:
        """The next rows."""
        return [self._row(line, project) for line in lines]

    def _row(self, line: Any, project: int) -> dict[str, Any]:
        row = self._checked(line)
        self._digest.add(line["id"], line["text"], line["labels"])
        self.ids.append(line["id"])
        return {"project": project, "position": len(self.ids) - 1, **row}

    def _checked(self, line: Any) -> dict[str, Any]:
        labels, side, day = line["labels"], line["side"], line["date"]
        require(isinstance(side, list) and isinstance(labels, list))
        require(fits([line["id"], line["text"], *side, *labels], tuple[str, ...]))
        require(len(side) == len(self.side) and fits(day, str | None))
        return {
            "id": line["id"],
            "text": line["text"],
            "date": date.fromisoformat(day).isoformat() if day else None,
            "labels": labels or None,
            "side": side or None,
        }

    def replaced_rows(self, lines: list[Any], project: int) -> list[dict[str, Any]]:
        """What documents were before additions of texts updated them."""
        rows = []
        for line in lines:
            event, place = whole(line["event"], "An event"), whole(line["position"], "A position")
            require(self.replaced.setdefault(event, -1) < place)  # in order, each once
            self.replaced[event], self._n_replaced[event] = place, self._n_replaced[event] + 1
            own = {"project": project, "event": event, "position": place}
            rows.append({**own, **self._checked(line)})
        return rows

    def require_additions(self, additions: Iterable[Event]) -> None:
        """Each addition that the log tells of has replaced as many texts as it says."""
        about = {event.id: AddedTexts.read(event.payload) for event in additions}
        promised = {event: each.updated for event, each in about.items() if each.updated}
        require(promised == dict(self._n_replaced))
        require(all(self.replaced[event] < about[event].first for event in promised))

    @property
    def project_values(self) -> dict[str, Any]:
        """What the project's row says about its documents."""
        if not self.ids:
            raise StoreError("A project needs at least one text.")
        return {"n_docs": len(self.ids), "fingerprint": self._digest.fingerprint}
