"""People: who labelled, how well they agree, and where they differ, to be settled here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.corpus import Document
from core.errors import StudioError
from core.store import Annotation, Label, Project, Topic
from core.store.history.agreement_sentences import (
    agreement_sentence,
    alpha_words,
    counted_sentence,
    interval_words,
)
from core.store.history.disagreement import SETTLED_TITLE, Agreement, Disagreement
from core.store.history.sentences import describe_annotation
from core.values import percent
from core.workspace.labels import agreement_of
from tsnmf_ui import jobs
from tsnmf_ui.pages.history.assignment_form import assignment_form
from tsnmf_ui.pages.history.double_coding_form import double_coding_form
from tsnmf_ui.pages.history.member_form import member_form
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

PER_PAGE = 10
MAX_QUOTE_CHARACTERS = 420  # letters of a document that are shown
OPEN_DISAGREEMENTS, SETTLED_DISAGREEMENTS = "To settle", "Settled"
NOBODY_LABELLED = "Nobody has labelled anything here yet."
FROM_A_FILE = "From a file or a column"
IMPORTED_HELP = (
    "Labels that were imported are no person’s judgement: agreement and disagreements leave them "
    "out."
)
TURN_ON_DOUBLE_CODING = (
    "Set a share under Double coding: two people are then asked for a label of each of these "
    "texts, without seeing each other’s. Agreement is measured on them."
)
WAIT_FOR_SECOND = (
    "Double coding is on. Agreement stands here once two people have labelled one of these texts."
)
ALPHA_HELP = (
    "Krippendorff’s alpha: 1 is perfect agreement, 0 is agreement by chance. Overlapping sets of "
    "topics count as partly equal. What people changed after they had seen each other’s label is "
    "not counted. Intervals come from drawing the texts anew a thousand times."
)


def people(project: Project) -> None:
    """The whole tab."""
    found = agreement_of(state.store(), project.id, project.revision)
    left, right = st.columns([0.66, 0.34], gap="small")
    with right:
        member_form(project)
        if state.may_change(project.id):
            double_coding_form(project)
            assignment_form(project)
        if found.people or found.imported:
            _tables(project, found)
    with left:
        if not found.people:
            with st.container(key="panel-nobody"):
                st.markdown(NOBODY_LABELLED)
            return
        _summary(project, found)
        _topics(project, found)
        _disagreements(project, found)


def _summary(project: Project, found: Agreement) -> None:
    with st.container(key="panel-agreement"):
        st.html(f'<div class="ts-verdict">{escape(agreement_sentence(found))}</div>')
        for sentence in filter(None, (counted_sentence(found), _what_to_do(project, found))):
            st.html(f'<div class="ts-quiet">{escape(sentence)}</div>')
        if found.shared:
            st.caption(ALPHA_HELP)
    if found.shared:
        _numbers(found)


def _what_to_do(project: Project, found: Agreement) -> str:
    """How agreement comes to be measured, as long as there is nothing to measure."""
    now = state.store().double_coding(project.id)
    if found.shared:
        return ""
    return WAIT_FOR_SECOND if now is not None and now.share else TURN_ON_DOUBLE_CODING


def _numbers(found: Agreement) -> None:
    n_open, number = len(found.open), alpha_words(found.alpha, None)
    cards = (
        (number, f"Krippendorff’s alpha{_between(found.interval)}"),
        (f"{found.alike:,} of {found.shared:,}", f"same label{_alike(found)}"),
        (f"{n_open:,}", "disagreements to settle" if n_open != 1 else "disagreement to settle"),
    )
    inside = "".join(f"<div><b>{n}</b><span>{escape(meaning)}</span></div>" for n, meaning in cards)
    st.html(f'<div class="ts-numbers">{inside}</div>')


def _between(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f", 95 % interval {interval_words(interval)}"


def _alike(found: Agreement) -> str:
    low, high = found.alike_interval
    return f", 95 % interval {percent(low)} to {percent(high)}"


def _topics(project: Project, found: Agreement) -> None:
    """Agreement topic by topic, of the texts labelled blind."""
    if not found.by_topic:
        return
    names = state.store().topic_names(project.id)
    with st.container(key="panel-topics"):
        rows = [
            (
                escape(names[each.topic]),
                f"{each.both:,} of {each.texts:,}",
                escape(alpha_words(each.alpha, each.interval)),
            )
            for each in found.by_topic
        ]
        head = ("Topic", "Given by both", "Krippendorff’s alpha")
        st.html(_table("Agreement on each topic", head, rows))


def _tables(project: Project, found: Agreement) -> None:
    names = state.store().topic_names(project.id)
    with st.container(key="panel-people"):
        rows = [(escape(_person(name)), f"{n:,}") for name, n in found.people]
        if found.imported:
            rows.append((FROM_A_FILE, f"{found.imported:,}"))
        st.html(_table("Who labelled", ("Person", "Texts"), rows))
        if found.imported:
            st.caption(IMPORTED_HELP)
        if found.pairs:
            rows = [
                (f"{escape(p.first)} and {escape(p.second)}", f"{p.alike:,} of {p.shared:,}")
                for p in found.pairs[:20]
            ]
            st.html(_table("Pairs", ("People", "Same label"), rows))
        if found.topics:
            rows = [(escape(names[topic]), f"{n:,}") for topic, n in found.topics[:12]]
            st.html(_table("Topics with disagreements", ("Topic", "Texts"), rows))


def _person(name: str) -> str:
    """A name that nobody gave says what it is: the same person may have given one later."""
    return f"{name} (account on this computer)" if state.is_account(name) else name


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A name and numbers; the cells are escaped already."""
    columns = "".join(f'<th class="n">{each}</th>' for each in head[1:])
    body = "".join(
        f"<tr><td>{row[0]}</td>{''.join(f'<td class=n>{each}</td>' for each in row[1:])}</tr>"
        for row in rows
    )
    return (
        f'<h2 class="ts-heading">{title}</h2><table class="ts-table"><thead><tr><th>{head[0]}</th>'
        f"{columns}</tr></thead><tbody>{body}</tbody></table>"
    )


# Where people differ


def _disagreements(project: Project, found: Agreement) -> None:
    if not (found.shared or found.in_sight):
        return
    if not found.disagreements:
        with st.container(key="panel-alike"):
            st.markdown("No disagreements so far.")
        return
    settled = [each for each in found.disagreements if each.settled is not None]
    which = OPEN_DISAGREEMENTS
    if settled:
        labels = {
            OPEN_DISAGREEMENTS: f"{OPEN_DISAGREEMENTS} ({len(found.open):,})",
            SETTLED_DISAGREEMENTS: f"{SETTLED_DISAGREEMENTS} ({len(settled):,})",
        }
        which = st.segmented_control(
            "Which",
            [OPEN_DISAGREEMENTS, SETTLED_DISAGREEMENTS],
            format_func=lambda each: labels[each],
            default=OPEN_DISAGREEMENTS,
            required=True,
            key="which",
            label_visibility="collapsed",
        )
    listed = settled if which == SETTLED_DISAGREEMENTS else list(found.open)
    pages = max(1, -(-len(listed) // PER_PAGE))
    box = st.container(gap="small")
    number = st.pagination(pages, key="people.page") if pages > 1 else 1
    shown = listed[(number - 1) * PER_PAGE : number * PER_PAGE]
    with box:
        if not shown:
            with st.container(key="panel-all-settled"):
                st.markdown("Everything is settled.")
        _cards(project, shown)


def _cards(project: Project, shown: list[Disagreement]) -> None:
    store = state.store()
    texts_of = store.documents(project.id, [each.position for each in shown])
    names, topics = store.topic_names(project.id), store.topics(project.id)
    for each, document in zip(shown, texts_of, strict=True):
        with st.container(key=f"panel-differ-{each.position}", gap="small"):
            _card(project.id, each, document, names, topics)


def _card(
    project: int,
    each: Disagreement,
    document: Document,
    names: dict[int, str],
    topics: list[Topic],
) -> None:
    text = " ".join(document.text[: 2 * MAX_QUOTE_CHARACTERS].split())
    short = f"{text[:MAX_QUOTE_CHARACTERS]} …" if len(text) > MAX_QUOTE_CHARACTERS else text
    st.html(
        f'<div class="ts-quiet">{escape(document.id)}</div>'
        f'<div class="ts-text">{escape(short)}</div>{_ending(each, names)}'
    )
    to_settle = each.settled is None and state.may_change(project)
    for side in each.sides:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(_side(side, names), width="stretch")
            if to_settle:
                st.button(
                    "Use this label",
                    key=f"people.take.{each.position}.{side.event}",
                    on_click=_settle,
                    args=(
                        project,
                        each.position,
                        side.permitted,
                        side.forbidden,
                        side.nothing_fits,
                    ),
                )
    with st.container(horizontal=True, gap="small"):
        if to_settle:
            _other(project, each, names, topics)
        if st.button("Open", key=f"people.open.{each.position}", type="tertiary"):
            state.open_page("label", document=str(each.position))


def _side(side: Annotation, names: dict[int, str]) -> str:
    note = f' <span class="ts-quiet">“{escape(side.note)}”</span>' if side.note else ""
    return f"<b>{escape(side.author)}</b>: {escape(describe_annotation(side, names))}{note}"


def _ending(each: Disagreement, names: dict[int, str]) -> str:
    if each.settled is None:
        return ""
    sentence = f"{each.settled.author} settled it: {describe_annotation(each.settled, names)}"
    return f'<div class="ts-good">{escape(sentence)}</div>'


def _other(project: int, each: Disagreement, names: dict[int, str], topics: list[Topic]) -> None:
    with st.popover("Other label"):
        key = f"people.other.{each.position}"
        st.multiselect(
            "Topics", [topic.id for topic in topics], format_func=lambda t: names[t], key=key
        )
        st.caption("Leave empty if no topic fits.")
        st.button(
            "Settle",
            key=f"people.settle.{each.position}",
            type="primary",
            on_click=_settle_by,
            args=(project, each.position, key),
        )


def _settle_by(project: int, position: int, key: str) -> None:
    chosen = tuple(state.get_value(key) or ())
    _settle(project, position, chosen, (), not chosen)


def _settle(
    project: int,
    position: int,
    permitted: tuple[int, ...],
    forbidden: tuple[int, ...],
    nothing_fits: bool,
) -> None:
    """An ordinary label by whoever settles, under a head that says so."""
    label = Label(position, permitted, forbidden, nothing_fits=nothing_fits)
    try:
        state.store().record_batch(project, SETTLED_TITLE, [label], author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.notify("Settled. You can undo this.")
    jobs.service().request(jobs.FIT, project)
