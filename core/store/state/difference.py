"""How two states of a project differ: the preview of a restore."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.store.state.replay import State
from core.store.values import Annotation


@dataclass(frozen=True, slots=True)
class StateDifference:
    """From one state to another: documents by position, topics by name."""

    labelled: tuple[int, ...] = ()  # without a label before
    cleared: tuple[int, ...] = ()  # without one after
    relabelled: tuple[int, ...] = ()
    skips: int = 0  # documents skipped before and not after, or the other way
    topics_back: tuple[str, ...] = ()
    topics_gone: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    words: bool = False  # whether locks, words or stop words differ
    codebook: int = 0  # topics with another codebook entry
    report: tuple[str, ...] = ()  # fields of the report with another text
    memos: int = 0  # memos that come or go
    searches_back: tuple[str, ...] = ()  # names of saved searches
    searches_gone: tuple[str, ...] = ()
    searches_changed: tuple[str, ...] = ()
    highlights: int = 0  # that come or go
    assigned: int = 0  # texts that are assigned to somebody else, or to nobody
    waiting: int = 0  # labels that wait for a second person: those that come or go
    doubled_share: tuple[float, float] | None = None  # before and after, if they differ
    texts_kept: int = 0  # added or updated in between: a restore leaves texts as they are

    @property
    def documents(self) -> int:
        return len(self.labelled) + len(self.cleared) + len(self.relabelled)

    def __bool__(self) -> bool:
        return replace(self, texts_kept=0) != StateDifference()


def difference(now: State, then: State) -> StateDifference:
    """What changes on the way from ``now`` to ``then``."""
    before, after = now.annotations, then.annotations
    both = before.keys() & after.keys()
    old, new = ({topic.id: topic.name for topic in state.topics} for state in (now, then))
    now_saved, then_saved = _searches(now), _searches(then)
    return StateDifference(
        labelled=tuple(sorted(after.keys() - before.keys())),
        cleared=tuple(sorted(before.keys() - after.keys())),
        relabelled=tuple(sorted(p for p in both if _content(before[p]) != _content(after[p]))),
        skips=len(now.skipped ^ then.skipped),
        topics_back=tuple(new[topic] for topic in sorted(new.keys() - old.keys())),
        topics_gone=tuple(old[topic] for topic in sorted(old.keys() - new.keys())),
        renamed=tuple(
            (old[topic], new[topic])
            for topic in sorted(old.keys() & new.keys())
            if old[topic] != new[topic]
        ),
        words=now.word_rules != then.word_rules,
        codebook=sum(
            now.codebook.get(topic) != then.codebook.get(topic)
            for topic in now.codebook.keys() | then.codebook.keys()
        ),
        report=tuple(
            name
            for name in sorted(now.report.keys() | then.report.keys())
            if _text(now, name) != _text(then, name)
        ),
        memos=len(set(now.memos) ^ set(then.memos)),
        searches_back=tuple(sorted(then_saved.keys() - now_saved.keys())),
        searches_gone=tuple(sorted(now_saved.keys() - then_saved.keys())),
        searches_changed=tuple(
            name
            for name in sorted(now_saved.keys() & then_saved.keys())
            if now_saved[name] != then_saved[name]
        ),
        highlights=len(_highlights(now) ^ _highlights(then)),
        assigned=len({position for position, _ in _assigned(now) ^ _assigned(then)}),
        waiting=len(now.waiting ^ then.waiting),
        doubled_share=None
        if now.doubled_share == then.doubled_share
        else (now.doubled_share, then.doubled_share),
        texts_kept=sum(
            now.additions[each].added + now.additions[each].updated
            for each in now.additions.keys() - then.additions.keys()
        ),
    )


def _highlights(state: State) -> set[int]:
    return {each.event for here in state.highlights.values() for each in here}


def _assigned(state: State) -> set[tuple[int, str]]:
    people = state.assignments.by_person.items()
    return {(position, person) for person, positions in people for position in positions}


def _text(state: State, field: str) -> str:
    return state.report[field].text if field in state.report else ""


def _searches(state: State) -> dict[str, str]:
    return {saved.name: saved.search for saved in state.searches}


def _content(note: Annotation) -> tuple[object, ...]:
    """What a label says, without author, time and order of topics."""
    permitted, forbidden = frozenset(note.permitted), frozenset(note.forbidden)
    return permitted, forbidden, note.confidence, note.nothing_fits, note.note
