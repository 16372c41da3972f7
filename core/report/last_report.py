"""What is remembered of a report that was made, so that the next one can say what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from core.report.description import Report, TopicSection
from core.store.runs.issued_reports import IssuedReport, IssuedTopic
from core.values import count, percent, written_date

MAX_TOPICS_LISTED = 8  # topics whose change is told one by one
MIN_WORDS_CHANGED = 2  # of ten; fewer are no news


def issued_report(report: Report, run: int) -> IssuedReport:
    """What is remembered of a report of a run."""
    score = report.main_score
    return IssuedReport(
        made=report.made,
        run=run,
        n_documents=report.n_documents,
        n_labelled=report.people.n_labelled,
        score="" if score is None else score.shown,
        topics={
            each.key: IssuedTopic(each.name, each.share, tuple(word.term for word in each.keywords))
            for each in report.topics
        },
    )


def changes_since(
    before: IssuedReport | None, report: Report, hidden: Collection[str] = ()
) -> tuple[str, ...]:
    """What is different from the last report, as sentences; empty if there was none.

    ``hidden`` are the keys of topics that are not shown any more, and not named either.
    """
    if before is None:
        return ()
    known = {key: each for key, each in before.topics.items() if key not in hidden}
    before = replace(before, topics=known)
    now = issued_report(report, before.run)
    found = [*_numbers(before, now), *_topics_come_and_gone(before, now), *_sizes(before, report)]
    opening = f"The last report was made on {written_date(before.made)}."
    return (opening, *(found or ["Nothing that it showed has changed."]))


def _numbers(before: IssuedReport, now: IssuedReport) -> Iterator[str]:
    if before.n_documents != now.n_documents:
        yield f"It described {before.n_documents:,} texts; now there are {now.n_documents:,}."
    if more := now.n_labelled - before.n_labelled:
        word = "more" if more > 0 else "fewer"
        labelled = count(abs(more), f"{word} text is", f"{word} texts are")
        yield f"{labelled} labelled ({before.n_labelled:,} then, {now.n_labelled:,} now)."
    if before.score and now.score and before.score != now.score:
        yield f"The main topic was correct for {before.score} of the tested texts, now {now.score}."


def _topics_come_and_gone(before: IssuedReport, now: IssuedReport) -> Iterator[str]:
    new = [each.name for key, each in now.topics.items() if key not in before.topics]
    gone = [each.name for key, each in before.topics.items() if key not in now.topics]
    renamed = [
        (before.topics[key].name, each.name)
        for key, each in now.topics.items()
        if key in before.topics and key.isdecimal() and before.topics[key].name != each.name
    ]
    if new:
        yield f"{count(len(new), 'topic is', 'topics are')} new: {_names(new)}."
    if gone:
        yield f"{count(len(gone), 'topic is', 'topics are')} no longer shown: {_names(gone)}."
    yield from (f"“{old}” is now called “{name}”." for old, name in renamed[:MAX_TOPICS_LISTED])


def _sizes(before: IssuedReport, report: Report) -> Iterator[str]:
    """The topics that changed most in size beyond their interval, or in words."""
    known = [topic for topic in report.topics if topic.key in before.topics]
    moved = sorted(
        (topic for topic in known if not topic.low <= before.topics[topic.key].share <= topic.high),
        key=lambda topic: -abs(topic.share - before.topics[topic.key].share),
    )
    for topic in moved[:MAX_TOPICS_LISTED]:
        was = before.topics[topic.key].share
        verb = "grew" if topic.share > was else "shrank"
        yield f"“{topic.name}” {verb} from {percent(was)} to {percent(topic.share)} of the texts."
    yield from filter(None, (_words(before, topic) for topic in known[:MAX_TOPICS_LISTED]))


def _words(before: IssuedReport, topic: TopicSection) -> str:
    was, now = before.topics[topic.key].words, [word.term for word in topic.keywords]
    gained = [word for word in now if word not in was]
    lost = [word for word in was if word not in now]
    if max(len(gained), len(lost)) < MIN_WORDS_CHANGED:
        return ""
    parts = [f"gained {', '.join(gained)}"] if gained else []
    parts += [f"lost {', '.join(lost)}"] if lost else []
    return f"“{topic.name}” {' and '.join(parts)}."


def _names(names: list[str]) -> str:
    more = len(names) - MAX_TOPICS_LISTED
    shown = ", ".join(f"“{name}”" for name in names[:MAX_TOPICS_LISTED])
    return f"{shown} and {more:,} more" if more > 0 else shown
