"""What the History page knows: the lines of a page, ready to be drawn, and what may be asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from core.corpus import Document
from core.errors import QueryError
from core.store import PRIVACY_CHOICES, HistoryFilter, HistoryLine, StateDifference, Store
from core.store.history.sentences import EventText, describe_event, report_field_title
from core.values import percent
from core.workspace.searches import find_in_project
from tsnmf_ui.theme import texts

PER_PAGE = 25
MAX_MATCHES = 10_000  # documents a search may stand for
MAX_NAMES = 8  # topics or documents named one by one in a sentence


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """What the visitor wants to see."""

    authors: Collection[str] = ()
    kinds: Collection[str] = ()
    topic: int | None = None
    words: str = ""
    days: tuple[date, ...] = ()  # none, the first, or the first and the last
    within: range | None = None

    def __bool__(self) -> bool:
        return bool(self.authors or self.kinds or self.topic or self.words or self.days)


@dataclass(frozen=True, slots=True)
class HistoryRows:
    """One page of lines, with the documents they are about."""

    lines: tuple[tuple[HistoryLine, EventText], ...]
    documents: Mapping[int, Document]


def pages(store: Store, project: int, asked: HistoryQuery, zone: tzinfo = UTC) -> int:
    """How many pages there are of what was asked for; at least one, maybe empty."""
    found = store.history(project, _filter(store, project, asked, zone), limit=0)
    return max(1, -(-found.total // PER_PAGE))


def read(
    store: Store, project: int, asked: HistoryQuery, number: int, zone: tzinfo = UTC
) -> HistoryRows:
    """The ``number``-th page of what was asked for."""
    wanted = _filter(store, project, asked, zone)
    page = store.history(project, wanted, limit=PER_PAGE, offset=(number - 1) * PER_PAGE)
    names = store.topic_names(project)
    places = sorted({p for line in page.lines if (p := line.event.position) is not None})
    documents = dict(zip(places, store.documents(project, places), strict=True))
    lines = tuple((line, describe_event(line, names)) for line in page.lines)
    return HistoryRows(lines, documents)


def _filter(store: Store, project: int, asked: HistoryQuery, zone: tzinfo) -> HistoryFilter:
    since, until = _moments(asked.days, zone)
    return HistoryFilter(
        authors=asked.authors,
        kinds=asked.kinds,
        topic=asked.topic,
        positions=_positions(store, project, asked.words),
        since=since,
        until=until,
        within=asked.within,
    )


def _positions(store: Store, project: int, words: str) -> list[int] | None:
    """The document of that id, or those a search finds; None when nothing was asked."""
    words = words.strip()
    if not words:
        return None
    if called := store.positions_with_id(project, words):
        return called
    found = find_in_project(store, store.project(project), words)
    if len(found) > MAX_MATCHES:
        raise QueryError(f"{len(found):,} texts match, more than can be looked up. Narrow it down.")
    return [int(position) for position in found.positions]


def _moments(days: tuple[date, ...], zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    if not days:
        return None, None
    first, after = days[0], days[-1] + timedelta(days=1)
    since = datetime.combine(first, time(), zone).astimezone(UTC)
    return since, datetime.combine(after, time(), zone).astimezone(UTC) if len(days) > 1 else None


def restore_sentences(found: StateDifference) -> list[str]:
    """What a restore would do, one sentence each."""
    sentences = [
        _documents(len(found.labelled), "gets its label back", "get their labels back"),
        _documents(len(found.cleared), "loses its label", "lose their labels"),
        _documents(len(found.relabelled), "is labelled differently", "are labelled differently"),
        _documents(
            found.skips,
            "changes between skipped and not skipped",
            "change between skipped and not skipped",
        ),
        _names("Restored topic", "Restored topics", found.topics_back),
        _names("Removed topic", "Removed topics", found.topics_gone),
        *(f"“{old}” is called “{new}” again." for old, new in found.renamed[:MAX_NAMES]),
        "Locked topics, word rules and stop words change." * found.words,
        _topics_written(found.codebook),
        _report_sentence(found.report),
        _sentence(found.memos, "memo comes or goes", "memos come or go"),
        _names("Restored saved search", "Restored saved searches", found.searches_back),
        _names("Removed saved search", "Removed saved searches", found.searches_gone),
        _names("Changed saved search", "Changed saved searches", found.searches_changed),
        _sentence(found.highlights, "highlight comes or goes", "highlights come or go"),
        _documents(found.assigned, "is assigned differently", "are assigned differently"),
        _sentence(
            found.waiting,
            "label that waits for a second person comes or goes",
            "labels that wait for a second person come or go",
        ),
        _doubled(found.doubled_share),
    ]
    return [sentence for sentence in sentences if sentence]


def _documents(n: int, one: str, many: str) -> str:
    return _sentence(n, f"text {one}", f"texts {many}")


def _topics_written(n: int) -> str:
    return f"The codebook changes for {texts.count(n, 'topic')}." if n else ""


def kept_texts_sentence(found: StateDifference) -> str:
    """That texts added since stay; empty if there are none."""
    if not found.texts_kept:
        return ""
    verb = "stays as it is" if found.texts_kept == 1 else "stay as they are"
    return f"{texts.count(found.texts_kept, 'text')} added or updated since then {verb}."


def _sentence(n: int, one: str, many: str) -> str:
    return f"{texts.count(n, one, many)}." if n else ""


def _doubled(share: tuple[float, float] | None) -> str:
    if share is None:
        return ""
    now, then = map(percent, share)
    return f"The share of texts that two people label goes from {now} to {then}."


def _names(one: str, many: str, names: tuple[str, ...]) -> str:
    if not names:
        return ""
    listed = ", ".join(f"“{name}”" for name in names[:MAX_NAMES])
    rest = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"{one if len(names) == 1 else many} {listed}{rest}."


def _report_sentence(fields: Sequence[str]) -> str:
    """Choices of privacy are made together, so they are told as one."""
    titles = [report_field_title(name, {}) for name in fields if name not in PRIVACY_CHOICES]
    private = ["privacy"] if len(titles) < len(fields) else []
    named = " and ".join([*titles, *private])
    return f"The {named} of the report will change." if named else ""
