"""Label this one together: the audience decides on a text, and watches the model change."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.errors import StudioError
from core.insight import summaries
from core.report import Masker, Privacy
from core.store import Label, Project, Topic
from core.supervision import TopicKey
from core.topics import Topics
from core.values import count, percent
from core.workspace.queue import QueueInputs, next_in_queue
from core.workspace.results import NO_COLOUR, newest_fit
from tsnmf_ui import jobs
from tsnmf_ui.pages.report.present.screens import bars
from tsnmf_ui.server import state
from tsnmf_ui.theme import style, texts

TEXT_SHOWN = "present.text"  # the position of the text on the screen
TOPICS_BEFORE = "present.before"  # the topics before it was labelled
LABEL_GIVEN = "present.given"  # the topic that was chosen
BUTTONS_SHOWN = 12
SHARES_SHOWN = 5
CHARACTERS_SHOWN = 600
TEXTS_LOOKED_AT = 200  # of the queue, for one that is not labelled by two people


def show_together(project: Project, privacy: Privacy) -> None:
    """A text and the topics to choose from; once one is chosen, what the model made of it."""
    fit = newest_fit(state.store(), project.id)
    if fit is None:
        st.html('<p class="ts-p-said">The model has not been fitted yet.</p>')
        return
    position = _position(project)
    if position is None:
        st.html('<p class="ts-p-said">No text is left to label.</p>')
        return
    topics = fit[1]
    before: Topics | None = state.get_value(TOPICS_BEFORE)
    st.html('<h1 class="ts-p-heading">Which topic is this about?</h1>')
    left, right = st.columns([0.58, 0.42], gap="large")
    with left:
        text = state.store().document(project.id, position).text
        shown = Masker(privacy.masks).mask(" ".join(text.split()))[:CHARACTERS_SHOWN]
        st.html(f'<blockquote class="ts-p-text">{escape(shown)}</blockquote>')
        if before is None and state.may_change(project.id):
            _buttons(project, position, topics)
    with right:
        if before is None:
            _shares(project, topics, position, "What the model thinks")
        else:
            _what_changed(project, before, topics, position)


def _position(project: Project) -> int | None:
    """The text on the screen; it stays until somebody asks for the next one.

    None that two people are to label without seeing each other's label.
    """
    known = state.get_value(TEXT_SHOWN)
    if known is not None and known[0] == project.id:
        return int(known[1])
    store = state.store()
    queue = next_in_queue(store, QueueInputs.of(store, project), limit=TEXTS_LOOKED_AT)
    doubled = store.double_coding(project.id)
    open_to_all = (each.position for each in queue if not (doubled and doubled.chooses(each[0])))
    found = next(open_to_all, None)
    if found is not None:
        state.set_value(TEXT_SHOWN, (project.id, found))
    return found


def _buttons(project: Project, position: int, topics: Topics) -> None:
    """The topics, those that the model thinks of first."""
    share = dict(summaries.document_shares(topics, position))

    def likely(topic: Topic) -> float:
        column = topics.column(topic.id)
        return 0.0 if column is None else -share.get(column, 0.0)

    known = sorted(state.store().topics(project.id), key=likely)
    columns = st.columns(3)
    for number, topic in enumerate(known[:BUTTONS_SHOWN]):
        columns[number % 3].button(
            texts.escape_markdown(topic.name),
            key=f"present.topic.{topic.id}",
            width="stretch",
            on_click=_label,
            args=(project.id, position, topic, topics),
        )


def _label(project: int, position: int, topic: Topic, topics: Topics) -> None:
    store = state.store()
    try:
        store.record(project, Label(position, (topic.id,)), author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.set_value(TOPICS_BEFORE, topics)
    state.set_value(LABEL_GIVEN, topic)
    jobs.service().request(jobs.FIT, project, delay=0.0)


def _what_changed(project: Project, before: Topics, after: Topics, position: int) -> None:
    """The text before and after, the words that came and went, and how many texts moved."""
    topic: Topic = state.get_value(LABEL_GIVEN)
    if after is before:
        st.html(f'<p class="ts-p-said">Reading {project.n_docs:,} texts again …</p>')
        return
    _shares(project, before, position, "Before")
    _shares(project, after, position, "Now")
    changes = summaries.compare(before, after)
    own = next((each for each in changes.topics if each.key == topic.id), None)
    lines = [f"{count(len(changes.moved), 'text')} moved to another topic."]
    if own is not None and own.gained:
        lines.insert(0, f"“{topic.name}” gained {', '.join(own.gained)}.")
    elif own is not None:
        lines.insert(0, f"“{topic.name}” kept its words.")
    st.html("".join(f'<p class="ts-p-news">{escape(line)}</p>' for line in lines))
    back, on = st.columns(2)
    back.button("Undo", key="present.undo", on_click=_undo, args=(project.id,))
    on.button("Next text", key="present.more", type="primary", on_click=_forget)


def _shares(project: Project, topics: Topics, position: int, title: str) -> None:
    colour: dict[TopicKey, int]
    colour = {topic.id: topic.colour for topic in state.store().topics(project.id)}
    found = summaries.document_shares(topics, position)[:SHARES_SHOWN]
    rows = (
        (
            topics.names[k],
            style.topic_colour(colour.get(topics.keys[k], NO_COLOUR)),
            share,
            percent(share),
        )
        for k, share in found
    )
    st.html(f'<p class="ts-p-quiet">{escape(title)}</p>{bars(rows, 1.0)}')


def _undo(project: int) -> None:
    state.store().undo(project, author=state.author())
    jobs.service().request(jobs.FIT, project, delay=0.0)
    state.clear_values(TOPICS_BEFORE, LABEL_GIVEN)


def _forget() -> None:
    state.clear_values(TEXT_SHOWN, TOPICS_BEFORE, LABEL_GIVEN)
