"""What happened to a project's topics since its last run, and how far the new fit follows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core import honoured, renewal
from core.continuity import carried, in_earlier_order
from core.errors import NotFound
from core.honoured import Fitted, Verdict
from core.steering import Steering
from core.store import Event, Run, Store, Topic, Wording, standing_acts
from core.topics import Topics

MOST = 12  # verdicts kept with a run
ADOPTED = 4  # labels that the words of a topic count for which the model had found


@dataclass(frozen=True)
class Steps:
    """A project between two fits."""

    store: Store
    project: int
    last: Run | None
    named: tuple[Topic, ...]
    wording: Wording

    @classmethod
    def of(cls, store: Store, project: int) -> Steps:
        last, named = store.current_run(project), tuple(store.topics(project))
        return cls(store, project, last, named, store.wording(project))

    @property
    def names(self) -> dict[int, str]:
        return {topic.id: topic.name for topic in self.named}

    @property
    def steering(self) -> Steering[str]:
        """What people said about words, by the topics' names."""
        return self.wording.topics.renamed(self.names)

    @cached_property
    def earlier(self) -> Topics | None:
        """The topics of the last run under today's names, if they are still kept."""
        try:
            return None if self.last is None else self.store.run_topics(self.last)
        except NotFound:
            return None

    def carried(self, before: Topics) -> Topics:
        """The last topics as a fit starts from them: merged where they were merged."""
        assert self.last is not None
        lineage = self.store.lineage(self.project)
        heirs = {number: lineage.heirs(number) for number in self.places}
        return carried(self._as_found(before), self.places, heirs, self.names)

    @cached_property
    def places(self) -> dict[int, int]:
        """Columns of the last run by topic number: its own, and free ones adopted since."""
        own = {} if self.last is None else dict(_numbered(self.last.topic_ids))
        return own | self._adoptions(standing_acts(self._since))

    @cached_property
    def _since(self) -> list[Event]:
        return self.store.events(self.project, after=0 if self.last is None else self.last.revision)

    def _adoptions(self, acts: Iterable[Event]) -> dict[int, int]:
        """Columns of the last run that acts made into topics, by the number of the topic."""
        told = ((act.payload["topic"], act.payload["found"]) for act in acts if _adopts(act))
        run = None if self.last is None else self.last.id
        return {number: found["topic"] for number, found in told if found["run"] == run}

    def _as_found(self, before: Topics) -> Topics:
        """A topic whose adoption was taken back goes by its own name again."""
        gone = set(self._adoptions(self._since).values()) - set(self.places.values())
        if not gone or self.earlier is None:
            return before
        names = zip(before.names, self.earlier.names, strict=True)
        return before.renamed(
            tuple(was if k in gone else now for k, (now, was) in enumerate(names))
        )

    def renewed(
        self, start: Topics | None, labels: Mapping[str, int]
    ) -> tuple[Topics | None, dict[int, int]]:
        """The start without topics that outgrew it, and with how many labels each topic began."""
        since = dict(labels)
        if start is not None and start.spec.obeys:
            begun = self._begun(start)
            start, since = renewal.renewed(start, begun, labels, held=self.steering.held)
        return start, {number: since.get(name, 0) for number, name in self.names.items()}

    def _begun(self, start: Topics) -> dict[str, int]:
        """With how many labels topics began; the words of a found one count for some."""
        assert self.last is not None
        known = self.last.scores.get("begun", {})
        return {
            name: ADOPTED
            if number not in self.last.topic_ids and name in start.names
            else known.get(str(number), 0)
            for number, name in self.names.items()
        }

    def in_order(self, topics: Topics) -> Topics:
        """A fit that started afresh: its free topics in the places of the earlier ones."""
        if self.earlier is None or not (topics.spec.obeys and self.earlier.spec.obeys):
            return topics
        return in_earlier_order(topics, self.earlier)

    def honoured(self, topics: Topics, ids: Sequence[int]) -> list[dict[str, Any]]:
        """The verdicts on the operations since the last run, newest first."""
        if self.last is None:
            return []
        after = self._fitted(topics, dict(_numbered(ids)))
        found = [
            {"event": event.id, "kind": event.kind, **verdict.to_dict()}
            for event, verdict in self._verdicts(after)
        ]
        return found[::-1][:MOST]

    def _verdicts(self, after: Fitted) -> Iterator[tuple[Event, Verdict]]:
        assert self.last is not None
        acts = standing_acts(self._since)
        if not any(act.kind in ("batch", *honoured.JUDGES) for act in acts):
            return  # labels only, as nearly always: the earlier topics need not be read
        before = None if self.earlier is None else self._fitted(self.earlier, self.places)
        held = frozenset(self.wording.topics.held)
        for act in acts:
            verdict = honoured.judged(act, after, before, held=held)
            if act.kind == "batch":
                members = range(act.id + 1, act.id + 1 + act.payload["count"])
                labels = [each for each in acts if each.id in members and each.kind == "label"]
                verdict = honoured.judged_labels(labels, after)
            if verdict is not None:
                yield act, verdict

    def _fitted(self, topics: Topics, columns: Mapping[int, int]) -> Fitted:
        return Fitted(topics=topics, columns=columns, names=self.names)


def _numbered(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Topic numbers with their columns."""
    return ((number, column) for column, number in enumerate(ids))


def _adopts(act: Event) -> bool:
    return act.kind == "create_topic" and act.payload.get("found") is not None
