"""One topic in depth: its words, documents, parts, related topics, classes and time."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.insight import summaries
from core.insight.topic_details import borderline_documents, distinctive_terms
from core.workspace import topic_facts
from core.workspace.results import Results, documents_at
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import cures, topic_choice, trends
from tsnmf_ui.pages.topics.operations import operations_form
from tsnmf_ui.pages.topics.overview import facts_line, quotes, reasons
from tsnmf_ui.pages.widgets import passages, results_header, selection_link
from tsnmf_ui.pages.widgets.memos import memos
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WORDS_SECTION, TEXTS_SECTION, RELATED_SECTION, TRENDS_SECTION, MEMOS_SECTION = (
    "Words",
    "Texts",
    "Related topics",
    "Time and groups",
    "Memos",
)
NO_MEMOS_ON_FREE_TOPICS = "Name this topic first: memos stay with a name."
MAX_SENT_TO_LABEL = 50  # documents taken to the Label page
TEXTS_SHOWN = 8  # documents listed


def render(found: Results) -> None:
    """The list on the left, the chosen topic on the right."""
    left, right = st.columns([0.26, 0.74], gap="small")
    with left:
        topic = topic_choice.choose_from_list(found)
    with right, st.container(key="panel-topic"):
        _detail(found, topic)


def _detail(found: Results, topic: int) -> None:
    _title(found, topic)
    drawn = {
        WORDS_SECTION: _words,
        TEXTS_SECTION: _documents,
        RELATED_SECTION: _related_topics,
        TRENDS_SECTION: _when,
        MEMOS_SECTION: _memos,
    }
    section = results_header.choice("Section", tuple(drawn), "topics.section")
    drawn[section](found, topic)


def _memos(found: Results, topic: int) -> None:
    """Memos stay with a named topic; a free one may be another after the next fit."""
    key = found.ids[topic]
    if key is None:
        st.caption(NO_MEMOS_ON_FREE_TOPICS)
    else:
        memos(found.project, key, key=f"topic-memos-{key}")


def _title(found: Results, topic: int) -> None:
    name, colour = found.topics.names[topic], results.colour(found, topic)
    title, actions = st.columns([0.42, 0.58], vertical_alignment="top")
    title.html(f'<div class="ts-name">{passages.topic_name(name, colour)}</div>')
    with actions, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        operations_form.render(found.project, found.run, topic)
    judged = topic_facts.attention(state.store(), found)[topic]
    st.html(
        f'<div class="ts-facts"><b>{texts.percent(found.sizes[topic].share)}</b> · '
        f"{facts_line(found, topic)}</div>{reasons(judged)}"
    )
    cures.render(found, judged)


def _words(found: Results, topic: int) -> None:
    topics, colour = found.topics, results.colour(found, topic)
    keywords, distinctive = st.columns(2, gap="medium")
    with keywords:
        results_header.show(figures.keyword_bars(topics, topic, colour=colour), key="topics.words")
    with distinctive:
        table = distinctive_terms(topics, topic)
        drawn = figures.distinctive_bars(table, topics.names[topic], colour=colour)
        results_header.show(drawn, key="topics.distinctive")
    if topics.is_group(topic):
        _parts(found, topic)
    st.html(f'<h2 class="ts-heading">Quotes</h2>{quotes(found, topic)}')


def _parts(found: Results, topic: int) -> None:
    """The parts of a label's topic: their words and shares."""
    topics, colour = found.topics, results.colour(found, topic)
    volume = topics.part_shares().sum(axis=0)
    columns = topics.parts[topic]
    total = float(sum(volume[part] for part in columns)) or 1.0
    cards = "".join(
        f'<div class="ts-part" style="--c:{colour}"><b>{escape(topics.part_name(part))}</b>'
        f"<i>{texts.percent(float(volume[part]) / total)} of the topic</i>"
        f"{passages.words(topics.part_terms(part, 7), colour)}</div>"
        for part in columns
    )
    st.html(f'<h2 class="ts-heading">{len(columns)} parts</h2><div class="ts-parts">{cards}</div>')


def _documents(found: Results, topic: int) -> None:
    best, borderline = st.columns(2, gap="medium")
    with best:
        _best(found, topic)
    with borderline:
        _borderline(found, topic)


def _best(found: Results, topic: int) -> None:
    top = summaries.top_documents(found.topics, topic, n=MAX_SENT_TO_LABEL)
    documents = documents_at(state.store(), found.project.id, [at for at, _ in top[:TEXTS_SHOWN]])
    strongest = [(documents[at], share) for at, share in top[:TEXTS_SHOWN]]
    listed = passages.rows(strongest, results.date_writer(found.project))
    st.html(f'<h2 class="ts-heading">Strongest texts</h2>{listed}')
    fresh = [at for at, _ in top if at not in found.annotations]
    name = found.topics.names[topic]
    selection_link.offer(
        found.project,
        f"Most certain for {name}",
        fresh,
        key="topics.label-best",
        topic=found.ids[topic],
        label=f"Label the {len(fresh)} most certain",
    )


def _borderline(found: Results, topic: int) -> None:
    close = borderline_documents(found.topics, topic, n=MAX_SENT_TO_LABEL)
    documents = documents_at(
        state.store(), found.project.id, [each.position for each in close[:TEXTS_SHOWN]]
    )
    rows = "".join(
        passages.contested(
            documents[each.position],
            (found.topics.names[topic], results.colour(found, topic), each.share),
            (found.topics.names[each.other], results.colour(found, each.other), each.other_share),
        )
        for each in close[:TEXTS_SHOWN]
    )
    none = '<p class="ts-quiet">No borderline texts.</p>'
    st.html(f'<h2 class="ts-heading">Borderline texts</h2>{rows or none}')
    fresh = [each.position for each in close if each.position not in found.annotations]
    selection_link.offer(
        found.project,
        f"Borderline for {found.topics.names[topic]}",
        fresh,
        key="topics.label-borderline",
        topic=found.ids[topic],
        label=f"Label {len(fresh)} borderline texts",
    )


def _related_topics(found: Results, topic: int) -> None:
    alike = topic_facts.similarities(found, topic)
    left, right = st.columns(2, gap="medium")
    with left:
        rows = "".join(
            _bar(found, each.topic, each.share, f"{each.documents:,} of {each.of:,} texts")
            for each in topic_facts.related_topics(state.store(), found, topic)
        )
        none = '<p class="ts-quiet">No other topic occurs in its texts.</p>'
        st.html(
            '<h2 class="ts-heading">In the same texts</h2>'
            f'<p class="ts-quiet">Share of its texts that also contain:</p>'
            f"{rows or none}"
        )
    with right:
        order = sorted(range(len(alike)), key=lambda k: -alike[k])
        rows = "".join(
            _bar(found, other, alike[other], _shared_words(found, topic, other))
            for other in order[:8]
            if other != topic and alike[other] > 0.01
        )
        none = '<p class="ts-quiet">No other topic uses its words.</p>'
        st.html(
            '<h2 class="ts-heading">Similar words</h2>'
            '<p class="ts-quiet">100 %: the same words with the same weights.</p>'
            f"{rows or none}"
        )


def _bar(found: Results, topic: int, share: float, more: str) -> str:
    colour = results.colour(found, topic)
    return (
        f'<div class="ts-row-bar" style="--c:{colour};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], colour)}"
        f"<b>{texts.percent(share)}</b><small>{escape(more)}</small></div>"
    )


def _shared_words(found: Results, topic: int, other: int) -> str:
    mine = [term for term, _ in found.topics.top_terms(topic, 25)]
    theirs = {term for term, _ in found.topics.top_terms(other, 25)}
    return ", ".join(term for term in mine if term in theirs) or "no top word in common"


def _when(found: Results, topic: int) -> None:
    by, columns = (
        topic_facts.period(state.store(), found),
        topic_facts.class_columns(state.store(), found),
    )
    if by is None and not columns:
        st.markdown("These texts have no dates or other columns.")
        return
    if by is not None:
        table = topic_facts.trend(state.store(), found)
        drawn = figures.over_time(table, [topic], colours=results.colours(found), period=by)
        results_header.show(drawn, key="topics.time")
        if left_out := trends.not_counted(found):
            st.caption(left_out.strip())
    if not columns:
        return
    column = results_header.choice("Groups", tuple(columns), "topics.class")
    column = column if column in columns else columns[0]
    results_header.show(trends.class_bars(found, topic, column), key="topics.classes")
    st.caption(f"Bars: 95 % interval.{texts.escape_markdown(trends.several_values(found, column))}")
