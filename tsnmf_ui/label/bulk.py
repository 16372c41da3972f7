"""One label for many documents: first a look at what would happen, then one batch of events.

What was looked at is kept under a key, and the request names the key: it labels those documents and
no others, however the search would be answered by then.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import StudioError
from core.queue import QueueItem
from core.store import Annotation, Label
from core.store.events.new_events import checked
from tsnmf_ui.label import requests
from tsnmf_ui.label.cards import Cards
from tsnmf_ui.label.document_lists import DocumentList, FoundList
from tsnmf_ui.label.snapshot import Fitted, Snapshot
from tsnmf_ui.theme import texts

MAX_BULK_TEXTS = 25_000  # documents of one batch
SAMPLE_PER_KIND = 4  # documents shown of each kind
MAX_KEPT_PREVIEWS = 64  # previews remembered

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """The documents a batch would label, as they stood at a revision."""

    project: int
    revision: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _BulkEffect:
    """The documents of a list by what would happen to them."""

    fresh: list[int]  # get their first label
    replaced: list[int]  # have another label
    same: list[int]  # have this very label
    left: list[int]  # are labelled and stay as they are
    doubled: list[int]  # two people label them, one by one


class BulkLabelling:
    """Previews, and the labels that follow from them."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._plans: OrderedDict[str, BulkPlan] = OrderedDict()
        self._lock = threading.Lock()

    def preview(self, fitted: Fitted, listing: DocumentList, ask: Mapping[str, Any]) -> Answer:
        """How many texts would be labelled, a sample of them, and what would be replaced."""
        positions = _requested_positions(listing, ask)
        label = _label_of(ask)
        effect = _sort_by_effect(
            positions, fitted.snapshot, label, replaces=ask.get("labelled") == "replace"
        )
        targets = tuple(effect.fresh + effect.replaced)
        plan = BulkPlan(fitted.project.id, fitted.snapshot.revision, targets)
        return {
            "key": self._keep(plan),
            "listed": listing.total,
            "count": len(targets),
            "most": MAX_BULK_TEXTS,
            "replaced": len(effect.replaced),
            "same": len(effect.same),
            "left": len(effect.left),
            "doubled": len(effect.doubled),
            "authors": _authors(effect.replaced, fitted.snapshot),
            "sample": self._sample(fitted, effect.fresh),
            "replaced_sample": self._sample(fitted, effect.replaced),
        }

    def labels_of(
        self, fitted: Fitted, ask: Mapping[str, Any], author: str
    ) -> tuple[list[Label], int]:
        """The labels of a plan, and how many it leaves out because others were quicker."""
        plan = self._plans.get(str(ask.get("key")))
        if plan is None or plan.project != fitted.project.id:
            raise StudioError("This preview is out of date. Open it again.")
        in_force = fitted.snapshot.annotations
        new = {
            p: in_force[p]
            for p in plan.positions
            if p in in_force and in_force[p].event > plan.revision
        }
        newer = {position for position, each in new.items() if each.author != author}
        label = _label_of(ask)
        labels = [replace(label, position=p) for p in plan.positions if p not in newer]
        if not labels:
            raise StudioError("No text is left to label.")
        return labels, len(newer)

    def _keep(self, plan: BulkPlan) -> str:
        key = secrets.token_hex(8)
        with self._lock:
            self._plans[key] = plan
            while len(self._plans) > MAX_KEPT_PREVIEWS:
                self._plans.popitem(last=False)
        return key

    def _sample(self, fitted: Fitted, positions: Sequence[int]) -> list[Answer]:
        """From all over the list, not from its beginning."""
        step = max(1, len(positions) // SAMPLE_PER_KIND)
        spread = positions[::step][:SAMPLE_PER_KIND]
        return self._cards.rows(fitted, [QueueItem(p, "bulk", "") for p in spread])


def bulk_title(labels: Sequence[Label], fitted: Fitted) -> str:
    """What the log calls the batch."""
    names = {topic.id: topic.name for topic in fitted.snapshot.topics}
    first = labels[0]
    parts = [names.get(topic, "?") for topic in first.permitted]
    parts += [f"not {names.get(topic, '?')}" for topic in first.forbidden]
    what = ", ".join(parts) or "Nothing fits"
    return f"Labelled {texts.count(len(labels), 'text')}: {what[:80]}"


def _label_of(ask: Mapping[str, Any]) -> Label:
    """The label that is meant for each text; one that makes no sense is a sentence."""
    label = checked(requests.label_of(ask, 0))
    assert isinstance(label, Label)
    return label


def _requested_positions(listing: DocumentList, ask: Mapping[str, Any]) -> list[int]:
    if not isinstance(listing, FoundList):
        raise StudioError("Search for texts first, or choose a topic or a selection.")
    limit = ask.get("limit")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise StudioError("The number of texts must be a whole number of at least 1.")
    wanted = listing.total if limit is None else min(limit, listing.total)
    if wanted > MAX_BULK_TEXTS:
        raise StudioError(
            f"At most {MAX_BULK_TEXTS:,} texts can be labelled at once. Narrow down the list."
        )
    return [int(position) for position in listing.found.positions[:wanted]]


def _sort_by_effect(
    positions: Sequence[int], snapshot: Snapshot, label: Label, *, replaces: bool
) -> _BulkEffect:
    found = _BulkEffect([], [], [], [], [])
    for position in positions:
        annotation = snapshot.annotations.get(position)
        if snapshot.is_doubled(position):
            found.doubled.append(position)
        elif annotation is None:
            found.fresh.append(position)
        elif _is_same_label(annotation, label):
            found.same.append(position)
        elif replaces or not annotation.labelled:
            found.replaced.append(position)
        else:
            found.left.append(position)
    return found


def _is_same_label(annotation: Annotation, label: Label) -> bool:
    """Whether a document has this very label already, note aside."""
    return (
        set(annotation.permitted) == set(label.permitted)
        and set(annotation.forbidden) == set(label.forbidden)
        and annotation.nothing_fits == label.nothing_fits
        and annotation.confidence == label.confidence
    )


def _authors(positions: Sequence[int], snapshot: Snapshot) -> list[tuple[str, int]]:
    """Whose labels would be replaced, most first."""
    return Counter(snapshot.annotations[p].author for p in positions).most_common(5)
