"""What happened to a project's topics since its last run, and how far the new fit follows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from core.engine.limits import Steering
from core.errors import NotFound
from core.steering import matching, verdicts
from core.steering.operation_case import FittedTopics
from core.store import Event, OperationVerdict, Run, Store, Topic, WordRules, events_in_force
from core.supervision import TopicKey
from core.topics import Topics

MAX_VERDICTS = 12  # kept with a run
ADOPTED_COUNTS_AS = 4  # labels that the words of an adopted free topic stand for


@dataclass(frozen=True)
class RefitContext:
    """A project between its last run that rests and the next fit; previews leave no trace."""

    store: Store
    project: int
    last: Run | None
    named: tuple[Topic, ...]
    word_rules: WordRules

    @classmethod
    def of(cls, store: Store, project: int) -> RefitContext:
        last, named = store.resting_run(project), tuple(store.topics(project))
        return cls(store, project, last, named, store.word_rules(project))

    @property
    def names(self) -> dict[int, str]:
        return {topic.id: topic.name for topic in self.named}

    @property
    def steering(self) -> Steering[int]:
        """What people said about words, by topic."""
        return self.word_rules.topics

    @cached_property
    def earlier(self) -> Topics | None:
        """The topics of the last run, if they are still kept: names of today, adopted ones too."""
        return None if self._as_fitted is None else self._with_adopted(self._as_fitted)

    @cached_property
    def _as_fitted(self) -> Topics | None:
        """The same as they were called then."""
        try:
            return None if self.last is None else self.store.run_topics(self.last)
        except NotFound:
            return None

    @property
    def _last_number(self) -> int:
        """The highest number of a free topic so far, of one that was adopted since, too."""
        return 0 if self._as_fitted is None else matching.last_free_number(self._as_fitted.keys)

    def _with_adopted(self, topics: Topics) -> Topics:
        """Free topics that the analyst has named since the run, under their new keys and names."""
        names, keys = list(topics.names), list(topics.keys)
        for key, column in self._adopted.items():
            if column < len(keys):
                names[column] = self.names.get(key, names[column])
                keys[column] = key
        return replace(topics, names=tuple(names), keys=tuple(keys))

    @cached_property
    def _adopted(self) -> dict[int, int]:
        """Columns of the last run that events in force made into topics, by the topic's id."""
        run = None if self.last is None else self.last.id
        created = [event.payload for event in self._in_force if event.kind == "create_topic"]
        origin = {payload["topic"]: payload.get("found") for payload in created}
        return {key: each["topic"] for key, each in origin.items() if each and each["run"] == run}

    @cached_property
    def _events(self) -> list[Event]:
        return self.store.events(self.project, after=0 if self.last is None else self.last.revision)

    @cached_property
    def _in_force(self) -> list[Event]:
        return events_in_force(self._events)

    @property
    def labelled_since(self) -> set[TopicKey]:
        """Topics that labels have spoken of since the last run."""
        given = (event.payload for event in self._events if event.kind == "label")
        return {topic for each in given for topic in (*each["permitted"], *each["forbidden"])}

    def start(self, topics: Topics, labels: Mapping[TopicKey, int]) -> Topics:
        """The last topics as a preview starts from them; ``labels`` each topic has now.

        Merged topics start from their sum; topics that ended or that labels have outgrown are left
        out, so that they begin from their labelled documents. Where labels own no topics, nothing
        is left out.
        """
        if not topics.spec.labels_own_topics:
            return topics
        topics = matching.carry_over(topics, self._heirs(topics))
        began_with, held = self._began_with(topics), self.steering.held
        return topics.without(matching.outgrown_topics(topics, began_with, labels, held=held))

    def _heirs(self, topics: Topics) -> dict[TopicKey, tuple[int, ...]]:
        lineage = self.store.lineage(self.project)
        return {key: tuple(lineage.heirs(key)) for key in topics.keys if isinstance(key, int)}

    def _began_with(self, topics: Topics) -> dict[TopicKey, int]:
        """With how many labels topics began; the words of an adopted one count for some."""
        assert self.last is not None
        known, own = self.last.outcome.began_with, self.last.topic_ids
        return {
            key: ADOPTED_COUNTS_AS
            if key not in own and topics.column(key) is not None
            else known.get(key, 0)
            for key in self.names
        }

    def keep_order(self, topics: Topics) -> Topics:
        """A fit that started afresh: its free topics in the places of the earlier ones."""
        if self.earlier is None or not (
            topics.spec.labels_own_topics and self.earlier.spec.labels_own_topics
        ):
            return topics
        return matching.keep_free_order(topics, self.earlier, self._last_number)

    def free_keys(self, n: int) -> tuple[str, ...]:
        """Keys of the free topics of a preview: those they had, then new ones."""
        known = () if self.earlier is None else self.earlier.keys[self.earlier.n_supervised :]
        kept = tuple(key for key in known if isinstance(key, str))[:n]
        return kept + matching.new_free_keys(n - len(kept), known, self._last_number)

    def verdicts(self, topics: Topics) -> tuple[OperationVerdict, ...]:
        """The verdicts on the operations since the last run, newest first."""
        if self.last is None:
            return ()
        found = list(self._verdicts(FittedTopics(topics=topics, names=self.names)))
        return tuple(found[::-1][:MAX_VERDICTS])

    def _verdicts(self, after: FittedTopics) -> Iterator[OperationVerdict]:
        events = self._in_force
        if not any(event.kind in ("batch", *verdicts.OPERATION_JUDGES) for event in events):
            return  # labels only, as nearly always: the earlier topics need not be read
        earlier = self.earlier
        before = None if earlier is None else FittedTopics(topics=earlier, names=self.names)
        held = frozenset(self.steering.held)
        for event in events:
            verdict = verdicts.judge_operation(event, after, before, held=held)
            if event.kind == "batch":
                members = range(event.id + 1, event.id + 1 + event.payload["count"])
                labels = [each for each in events if each.id in members and each.kind == "label"]
                verdict = verdicts.judge_labels(event, labels, after)
            if verdict is not None:
                yield verdict
