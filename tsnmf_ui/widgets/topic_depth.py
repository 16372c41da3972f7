"""One topic in depth: its words, documents, parts, company, classes and time."""

from __future__ import annotations

from html import escape

import streamlit as st

from core import summaries
from core.portrait import borderline_documents, distinctive_terms
from tsnmf_ui import figures, results, texts, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import passages, results_head, selection_link, topic_choice, topic_operations
from tsnmf_ui.widgets.topic_overview import quotes, reasons, told

WORDS, DOCUMENTS, COMPANY, WHEN = "Words", "Texts", "Company", "Time and classes"
SENT = 50  # documents taken to the Label page
SHOWN = 8  # documents listed


def draw(found: Results) -> None:
    """The list on the left, the chosen topic on the right."""
    left, right = st.columns([0.26, 0.74], gap="small")
    with left:
        topic = topic_choice.listed(found)
    with right, st.container(key="panel-topic"):
        _detail(found, topic)


def _detail(found: Results, topic: int) -> None:
    _title(found, topic)
    section = results_head.choice("Section", (WORDS, DOCUMENTS, COMPANY, WHEN), "topics.section")
    drawn = {WORDS: _words, DOCUMENTS: _documents, COMPANY: _company, WHEN: _when}
    drawn[section](found, topic)


def _title(found: Results, topic: int) -> None:
    name, colour = found.topics.names[topic], found.colours[topic]
    title, acts = st.columns([0.42, 0.58], vertical_alignment="top")
    title.html(f'<div class="ts-name">{passages.topic_name(name, colour)}</div>')
    with acts, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        topic_operations.draw(found.project, found.run, topic)
    st.html(
        f'<div class="ts-facts"><b>{texts.percent(found.sizes[topic].share)}</b> · '
        f"{told(found, topic)}</div>{reasons(topic_facts.attention(found)[topic])}"
    )


def _words(found: Results, topic: int) -> None:
    topics, colour = found.topics, found.colours[topic]
    heavy, telling = st.columns(2, gap="medium")
    with heavy:
        results_head.show(figures.keyword_bars(topics, topic, colour=colour), key="topics.words")
    with telling:
        table = distinctive_terms(topics, topic)
        drawn = figures.distinctive_bars(table, topics.names[topic], colour=colour)
        results_head.show(drawn, key="topics.telling")
    if topics.is_group(topic):
        _parts(found, topic)
    st.html(f'<div class="ts-heading">In their words</div>{quotes(found, topic)}')


def _parts(found: Results, topic: int) -> None:
    """The sub-topics that a label holds: their words and how the group divides between them."""
    topics, colour = found.topics, found.colours[topic]
    volume = topics.part_shares().sum(axis=0)
    columns = topics.parts[topic]
    total = float(sum(volume[part] for part in columns)) or 1.0
    cards = "".join(
        f'<div class="ts-part" style="--c:{colour}"><b>{escape(topics.part_name(part))}</b>'
        f"<i>{texts.percent(float(volume[part]) / total)} of the topic</i>"
        f"{passages.words(topics.part_terms(part, 7), colour)}</div>"
        for part in columns
    )
    st.html(
        f'<div class="ts-heading">Made of {len(columns)} sub-topics</div>'
        f'<div class="ts-parts">{cards}</div>'
    )


def _documents(found: Results, topic: int) -> None:
    best, torn = st.columns(2, gap="medium")
    with best:
        _best(found, topic)
    with torn:
        _torn(found, topic)


def _best(found: Results, topic: int) -> None:
    top = summaries.top_documents(found.topics, topic, n=SENT)
    documents = results.documents_at(found.project.id, [at for at, _ in top[:SHOWN]])
    listed = [(documents[at], share) for at, share in top[:SHOWN]]
    st.html(f'<div class="ts-heading">Texts that speak most for it</div>{passages.rows(listed)}')
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


def _torn(found: Results, topic: int) -> None:
    close = borderline_documents(found.topics, topic, n=SENT)
    documents = results.documents_at(found.project.id, [each.position for each in close[:SHOWN]])
    rows = "".join(
        passages.contested(
            documents[each.position],
            (found.topics.names[topic], found.colours[topic], each.share),
            (found.topics.names[each.other], found.colours[each.other], each.other_share),
        )
        for each in close[:SHOWN]
    )
    none = '<p class="ts-quiet">No text is torn between it and another topic.</p>'
    st.html(f'<div class="ts-heading">Texts on the border</div>{rows or none}')
    fresh = [each.position for each in close if each.position not in found.annotations]
    selection_link.offer(
        found.project,
        f"On the border of {found.topics.names[topic]}",
        fresh,
        key="topics.label-torn",
        topic=found.ids[topic],
        label=f"Label the {len(fresh)} closest calls",
    )


def _company(found: Results, topic: int) -> None:
    alike = topic_facts.likeness(found, topic)
    left, right = st.columns(2, gap="medium")
    with left:
        rows = "".join(
            _bar(found, each.topic, each.share, f"{each.documents:,} of {each.of:,} texts")
            for each in topic_facts.company(found, topic)
        )
        none = '<p class="ts-quiet">Its texts speak of nothing else.</p>'
        st.html(
            '<div class="ts-heading">Spoken of in the same texts</div>'
            f'<p class="ts-quiet">Of the texts that speak of it, those that also speak of:</p>'
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
            '<div class="ts-heading">Alike in words</div>'
            '<p class="ts-quiet">100 % would be the same words with the same weights.</p>'
            f"{rows or none}"
        )


def _bar(found: Results, topic: int, share: float, more: str) -> str:
    colour = found.colours[topic]
    return (
        f'<div class="ts-row-bar" style="--c:{colour};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], colour)}"
        f"<b>{texts.percent(share)}</b><small>{escape(more)}</small></div>"
    )


def _shared_words(found: Results, topic: int, other: int) -> str:
    mine = [term for term, _ in found.topics.top_terms(topic, 25)]
    theirs = {term for term, _ in found.topics.top_terms(other, 25)}
    return ", ".join(term for term in mine if term in theirs) or "no heavy word in common"


def _when(found: Results, topic: int) -> None:
    by, columns = topic_facts.period(found), topic_facts.class_columns(found)
    if by is None and not columns:
        st.markdown("The texts of this corpus carry neither dates nor classes.")
        return
    if by is not None:
        table = topic_facts.trend(found)
        drawn = figures.over_time(table, [topic], colours=found.colours, period=by)
        results_head.show(drawn, key="topics.time")
    if not columns:
        return
    column = results_head.choice("Classes", tuple(columns), "topics.class")
    column = column if column in columns else columns[0]
    table = topic_facts.classes(found, column)
    drawn = figures.by_class(table, topic, colour=found.colours[topic], column=column)
    results_head.show(drawn, key="topics.classes")
    st.caption("Bars reach as far as the share may be off, nineteen times in twenty.")
