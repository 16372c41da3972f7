"""One label for many documents: first a look at what would happen, then one act.

What was looked at is kept under a key, and the act names the key: it labels those documents and
no others, however the search would be answered by then.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import StudioError
from core.queue import QueueItem
from core.store import Annotation, Label
from tsnmf_ui import requests, texts
from tsnmf_ui.cards import Cards
from tsnmf_ui.listing import Listing, Results
from tsnmf_ui.snapshot import Fitted, Snapshot

MOST = 25_000  # documents of one act
SAMPLE = 4  # documents shown of each kind
KEPT = 64  # previews remembered

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """The documents an act would label, as they stood at a revision."""

    project: int
    revision: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The documents of a list by what would happen to them."""

    fresh: list[int]  # get their first label
    replaced: list[int]  # have another label
    same: list[int]  # have this very label
    left: list[int]  # are labelled and stay as they are


class Bulk:
    """Previews, and the acts that follow from them."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._plans: OrderedDict[str, Plan] = OrderedDict()
        self._lock = threading.Lock()

    def preview(self, fitted: Fitted, listing: Listing, ask: Mapping[str, Any]) -> Answer:
        """How many texts would be labelled, a sample of them, and what would be replaced."""
        positions = _chosen(listing, ask)
        label = requests.label_of(ask, 0)
        sorted_ = _sort(
            positions, fitted.snapshot, label, replaces=ask.get("labelled") == "replace"
        )
        targets = tuple(sorted_.fresh + sorted_.replaced)
        plan = Plan(fitted.project.id, fitted.snapshot.revision, targets)
        return {
            "key": self._keep(plan),
            "listed": listing.total,
            "count": len(targets),
            "most": MOST,
            "replaced": len(sorted_.replaced),
            "same": len(sorted_.same),
            "left": len(sorted_.left),
            "authors": _authors(sorted_.replaced, fitted.snapshot),
            "sample": self._sample(fitted, sorted_.fresh),
            "replaced_sample": self._sample(fitted, sorted_.replaced),
        }

    def acts(self, fitted: Fitted, ask: Mapping[str, Any], author: str) -> tuple[list[Label], int]:
        """The labels of a plan, and how many it leaves out because others were quicker."""
        plan = self._plans.get(str(ask.get("key")))
        if plan is None or plan.project != fitted.project.id:
            raise StudioError("This preview is out of date. Look at it once more.")
        said = fitted.snapshot.annotations
        new = {p: said[p] for p in plan.positions if p in said and said[p].event > plan.revision}
        newer = {position for position, each in new.items() if each.author != author}
        labels = [requests.label_of(ask, p) for p in plan.positions if p not in newer]
        if not labels:
            raise StudioError("There is no text left to label here.")
        return labels, len(newer)

    def _keep(self, plan: Plan) -> str:
        key = secrets.token_hex(8)
        with self._lock:
            self._plans[key] = plan
            while len(self._plans) > KEPT:
                self._plans.popitem(last=False)
        return key

    def _sample(self, fitted: Fitted, positions: Sequence[int]) -> list[Answer]:
        """From all over the list, not from its beginning."""
        step = max(1, len(positions) // SAMPLE)
        spread = positions[::step][:SAMPLE]
        return self._cards.rows(fitted, [QueueItem(p, "bulk", "") for p in spread])


def title_of(labels: Sequence[Label], fitted: Fitted) -> str:
    """What the log calls the act."""
    names = {topic.id: topic.name for topic in fitted.snapshot.topics}
    first = labels[0]
    said = [names.get(topic, "?") for topic in first.permitted]
    said += [f"not {names.get(topic, '?')}" for topic in first.forbidden]
    what = ", ".join(said) or "Nothing fits"
    return f"Labelled {texts.count(len(labels), 'text')}: {what[:80]}"


def _chosen(listing: Listing, ask: Mapping[str, Any]) -> list[int]:
    if not isinstance(listing, Results):
        raise StudioError("Search for texts first, or choose a topic or a selection.")
    limit = ask.get("limit")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise StudioError("The number of texts is a whole number from 1 up.")
    wanted = listing.total if limit is None else min(limit, listing.total)
    if wanted > MOST:
        raise StudioError(f"At most {MOST:,} texts are labelled at once. Narrow the list down.")
    return [int(position) for position in listing.found.positions[:wanted]]


def _sort(positions: Sequence[int], snapshot: Snapshot, label: Label, *, replaces: bool) -> _Sorted:
    found = _Sorted([], [], [], [])
    for position in positions:
        said = snapshot.annotations.get(position)
        if said is None:
            found.fresh.append(position)
        elif _says(said, label):
            found.same.append(position)
        elif replaces or not said.labelled:
            found.replaced.append(position)
        else:
            found.left.append(position)
    return found


def _says(said: Annotation, label: Label) -> bool:
    """Whether a document has this very label already, note aside."""
    return (
        set(said.permitted) == set(label.permitted)
        and set(said.forbidden) == set(label.forbidden)
        and said.nothing_fits == label.nothing_fits
        and said.confidence == label.confidence
    )


def _authors(positions: Sequence[int], snapshot: Snapshot) -> list[tuple[str, int]]:
    """Whose labels would be replaced, most first."""
    return Counter(snapshot.annotations[p].author for p in positions).most_common(5)
