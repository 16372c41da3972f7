"""How two states of a project differ, told before a restore changes anything."""

from __future__ import annotations

from dataclasses import dataclass

from core.store.fold import State
from core.store.values import Annotation


@dataclass(frozen=True, slots=True)
class Difference:
    """From one state to another: documents by position, topics by name."""

    labelled: tuple[int, ...] = ()  # without a label before
    cleared: tuple[int, ...] = ()  # without one after
    relabelled: tuple[int, ...] = ()
    skips: int = 0  # documents skipped before and not after, or the other way
    topics_back: tuple[str, ...] = ()
    topics_gone: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    words: bool = False  # locks, words and stop words differ
    codebook: int = 0  # topics about which something else is written

    @property
    def documents(self) -> int:
        return len(self.labelled) + len(self.cleared) + len(self.relabelled)

    def __bool__(self) -> bool:
        return self != Difference()


def difference(now: State, then: State) -> Difference:
    """What changes on the way from ``now`` to ``then``."""
    here, there = now.annotations, then.annotations
    both = here.keys() & there.keys()
    old, new = ({topic.id: topic.name for topic in state.topics} for state in (now, then))
    return Difference(
        labelled=tuple(sorted(there.keys() - here.keys())),
        cleared=tuple(sorted(here.keys() - there.keys())),
        relabelled=tuple(sorted(p for p in both if _said(here[p]) != _said(there[p]))),
        skips=len(now.skipped ^ then.skipped),
        topics_back=tuple(new[topic] for topic in sorted(new.keys() - old.keys())),
        topics_gone=tuple(old[topic] for topic in sorted(old.keys() - new.keys())),
        renamed=tuple(
            (old[topic], new[topic])
            for topic in sorted(old.keys() & new.keys())
            if old[topic] != new[topic]
        ),
        words=now.wording != then.wording,
        codebook=sum(
            now.codebook.get(topic) != then.codebook.get(topic)
            for topic in now.codebook.keys() | then.codebook.keys()
        ),
    )


def _said(note: Annotation) -> tuple[object, ...]:
    """What a label says, whoever said it and when; the order of topics says nothing."""
    permitted, forbidden = frozenset(note.permitted), frozenset(note.forbidden)
    return permitted, forbidden, note.confidence, note.nothing_fits, note.note
