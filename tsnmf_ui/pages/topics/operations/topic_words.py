"""The words of a topic, and rules for them: remove, add, make a stop word, clear."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.steering import operations
from core.steering.operations import Operation
from core.store import Project, Run, State, WordRules
from core.topics import Topics
from core.workspace import topic_operations
from tsnmf_ui.pages.topics.operations import operation_requests
from tsnmf_ui.pages.topics.operations.operation_requests import fresh_key as _key
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WORDS_OFFERED = 15
STRENGTHS = {"A little": 0.5, "Firmly": 1.0, "Strongly": 2.0}


def render(project: Project, run: Run, topic: int) -> None:
    """A popover beside one topic (a column of the run)."""
    number, topics = run.topic_ids[topic], state.topics_of(run)
    word_rules = state.store().word_rules(project.id)
    with st.popover("Words", key=_key("topics.words-box")):
        if number in word_rules.topics.held:
            st.markdown("This topic is locked. Unlock it to change its words.")
        else:
            _choose(project, number, topics, topic)
            _add(project, number)
        _word_rules(project, number, word_rules)


def _choose(project: Project, number: int, topics: Topics, topic: int) -> None:
    key = _key(f"topics.words.{number}")
    options = [term for term, _ in topics.top_terms(topic, WORDS_OFFERED)]
    st.pills(
        "Words that do not belong here",
        options,
        selection_mode="multi",
        key=key,
        format_func=texts.escape_markdown,
        wrap=True,
    )
    with st.container(horizontal=True, gap="small"):
        _button("Remove", "topics.word-out", _take_out, project.id, number, key)
        _button("Make stop words", "topics.word-stop", _stop, project.id, key)
    st.caption("Remove: this topic never uses them. Stop words: no topic uses them.")


def _add(project: Project, number: int) -> None:
    key = _key(f"topics.word.{number}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Add a word", key=key, max_chars=80, placeholder="Any word in the texts")
        st.segmented_control(
            "How strongly", list(STRENGTHS), default="Firmly", required=True, key=f"{key}.strength"
        )
        _button("Add word", "topics.word-add", _add_word, project.id, number, key)


def _word_rules(project: Project, number: int, word_rules: WordRules) -> None:
    """What stands, each word with a way back."""
    removed = word_rules.topics.removed.get(number, ())
    added = word_rules.topics.added.get(number, {})
    if removed or added:
        key = _key(f"topics.word-rules.{number}")
        how = {weight: name.lower() for name, weight in STRENGTHS.items()}
        rule_text = {word: f"{word}, removed" for word in removed}
        rule_text |= {word: f"{word}, added {how.get(s, '')}".rstrip() for word, s in added.items()}
        st.pills(
            "Word rules of this topic",
            list(rule_text),
            selection_mode="multi",
            key=key,
            format_func=lambda word: texts.escape_markdown(rule_text[word]),
            wrap=True,
        )
        _button("Clear rules", "topics.word-free", _release, project.id, number, key)
    if word_rules.stop_words:
        key = _key("topics.stop-words")
        st.pills(
            "Stop words of this project",
            word_rules.stop_words,
            selection_mode="multi",
            key=key,
            format_func=texts.escape_markdown,
            wrap=True,
        )
        _button("Use them again", "topics.word-read", _read_again, project.id, key)


def _button(label: str, key: str, action: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, on_click=action, args=args)


def _take_out(project: int, number: int, key: str) -> None:
    _each(project, key, lambda s, word: operations.remove_word(s, number, word), "Remove words")


def _stop(project: int, key: str) -> None:
    _each(project, key, operations.add_stop_word, "Stop words")


def _release(project: int, number: int, key: str) -> None:
    _each(
        project, key, lambda s, word: operations.release_word(s, number, word), "Clear word rules"
    )


def _read_again(project: int, key: str) -> None:
    _each(project, key, operations.drop_stop_word, "Use words again")


def _each(project: int, key: str, make: Callable[[State, str], Operation], title: str) -> None:
    """The same for every word that was chosen, as one operation."""
    words = list(state.get_value(key) or [])
    if not words:
        state.notify("Choose a word first.", "info")
        return

    def every(now: State) -> Operation:
        return topic_operations.combine([make(now, word) for word in words], title)

    operation_requests.perform(project, every)


def _add_word(project: int, number: int, key: str) -> None:
    words = topic_operations.read_words(state.store(), project, str(state.get_value(key) or ""))
    if not words:
        state.notify("Type the word to add first.", "info")
        return
    strength = STRENGTHS[str(state.get_value(f"{key}.strength") or "Firmly")]
    known = topic_operations.vocabulary(state.store(), project)

    def make(now: State) -> Operation:
        made = [
            operations.add_word(now, number, word, strength=strength, known=known) for word in words
        ]
        return topic_operations.combine(made, "Add words")

    operation_requests.perform(project, make)
