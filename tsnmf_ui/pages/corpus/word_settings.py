"""How words are counted: the settings, and what they do to one text and to the vocabulary."""

from __future__ import annotations

import streamlit as st

from core.corpus import Corpus
from core.text import TextSettings
from tsnmf_ui.pages.corpus import intake, overview, text_form
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.theme import texts

OTHER_STOP_WORDS = (
    "Remove the small words of the other language below or under “More stop words”, or make a "
    "project for each language."
)


def word_settings(
    corpus: Corpus, key: str, start: TextSettings, against: str
) -> TextSettings | None:
    """The text settings and what they do; None when they leave nothing to count."""
    overview.heading("How words are counted")
    settings, effect = st.columns([0.5, 0.5], gap="medium")
    with settings:
        text = text_form.text_form(start, f"{key}.words")
    with effect:
        number = st.number_input(
            "Text to preview", 1, len(corpus), 1, key=f"{key}.document", width=180
        )
        position = int(number) - 1
        seen = try_or_show_error(intake.preview_words, corpus, text, start, position)
        if seen is None:
            return None
        text_form.show_counted_words(corpus, position, seen.spans)
        text_form.vocabulary(seen, len(corpus), against=against)
        if sentence := intake.second_language(corpus, text):
            st.warning(texts.escape_markdown(f"{sentence} {OTHER_STOP_WORDS}"))
        text_form.top_words(seen, text, f"{key}.words")
    return text
