"""The words of a topic, and what can be said about them: out, in, stop word, as the model likes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core import operations
from core.operations import Operation
from core.store import Project, Run, State, Wording
from core.topics import Topics
from tsnmf_ui import operating, state, texts
from tsnmf_ui.operating import new_key as _new

SHOWN = 15
STRENGTHS = {"A little": 0.5, "Firmly": 1.0, "Strongly": 2.0}


def draw(project: Project, run: Run, topic: int) -> None:
    """A popover beside one topic (a column of the run)."""
    number, topics = run.topic_ids[topic], state.topics_of(run)
    wording = state.store().wording(project.id)
    with st.popover("Words", key=_new("topics.words-box")):
        if number in wording.topics.held:
            st.markdown(
                "The topic is locked: its words stay as they are. Unlock it to change them."
            )
        else:
            _choose(project, number, topics, topic)
            _add(project, number)
        _said(project, number, wording)


def _choose(project: Project, number: int, topics: Topics, topic: int) -> None:
    key = _new(f"topics.words.{number}")
    options = [term for term, _ in topics.top_terms(topic, SHOWN)]
    st.pills(
        "Choose words that do not belong here",
        options,
        selection_mode="multi",
        key=key,
        format_func=texts.literal,
    )
    with st.container(horizontal=True, gap="small"):
        _button("Take out", "topics.word-out", _take_out, project.id, number, key)
        _button("Make stop words", "topics.word-stop", _stop, project.id, key)
    st.caption("Taken out: this topic never uses them. Stop words: no topic reads them any more.")


def _add(project: Project, number: int) -> None:
    key = _new(f"topics.word.{number}")
    st.text_input("Add a word", key=key, max_chars=80, placeholder="Any word of the texts")
    st.segmented_control(
        "How strongly", list(STRENGTHS), default="Firmly", required=True, key=f"{key}.strength"
    )
    _button("Add word", "topics.word-add", _add_word, project.id, number, key)


def _said(project: Project, number: int, wording: Wording) -> None:
    """What stands, each word with a way back."""
    removed = wording.topics.removed.get(number, ())
    added = wording.topics.added.get(number, {})
    if removed or added:
        key = _new(f"topics.word-said.{number}")
        how = {weight: name.lower() for name, weight in STRENGTHS.items()}
        told = {word: f"{word}, taken out" for word in removed}
        told |= {word: f"{word}, added {how.get(s, '')}".rstrip() for word, s in added.items()}
        st.pills(
            "What was said about words here",
            list(told),
            selection_mode="multi",
            key=key,
            format_func=lambda word: texts.literal(told[word]),
        )
        _button("Leave to the model", "topics.word-free", _release, project.id, number, key)
    if wording.stop_words:
        key = _new("topics.stop-words")
        st.pills(
            "Stop words of this project",
            wording.stop_words,
            selection_mode="multi",
            key=key,
            format_func=texts.literal,
        )
        _button("Read them again", "topics.word-read", _read_again, project.id, key)


def _button(label: str, key: str, act: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, on_click=act, args=args)


def _take_out(project: int, number: int, key: str) -> None:
    _each(project, key, lambda s, word: operations.remove_word(s, number, word), "Take out")


def _stop(project: int, key: str) -> None:
    _each(project, key, operations.add_stop_word, "Stop words")


def _release(project: int, number: int, key: str) -> None:
    _each(project, key, lambda s, word: operations.release_word(s, number, word), "Leave words")


def _read_again(project: int, key: str) -> None:
    _each(project, key, operations.drop_stop_word, "Read words again")


def _each(project: int, key: str, make: Callable[[State, str], Operation], title: str) -> None:
    """The same for every word that was chosen, as one operation."""
    words = list(state.recall(key) or [])
    if not words:
        state.tell("Choose one of the words first.", "info")
        return

    def every(now: State) -> Operation:
        return operating.together([make(now, word) for word in words], title)

    operating.perform(project, every)


def _add_word(project: int, number: int, key: str) -> None:
    words = operating.read_words(project, str(state.recall(key) or ""))
    if not words:
        state.tell("Type the word to add first.", "info")
        return
    strength = STRENGTHS[str(state.recall(f"{key}.strength") or "Firmly")]
    known = operating.vocabulary(project)

    def make(now: State) -> Operation:
        made = [
            operations.add_word(now, number, word, strength=strength, known=known) for word in words
        ]
        return operating.together(made, "Add words")

    operating.perform(project, make)
