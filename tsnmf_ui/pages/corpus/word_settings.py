"""How words are counted: the settings, and what they do to one text and to the vocabulary."""

from __future__ import annotations

import streamlit as st

from core.text import TextSettings
from tsnmf_ui.pages.corpus import intake, overview, text_form
from tsnmf_ui.pages.corpus.intake import SampledTexts
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.theme import texts

OTHER_STOP_WORDS = (
    "Remove the small words of the other language below or under “More stop words”, or make a "
    "project for each language."
)


def word_settings(
    seen: SampledTexts, key: str, start: TextSettings, against: str
) -> TextSettings | None:
    """The text settings and what they do; None when they leave nothing to count."""
    overview.heading("How words are counted")
    settings, effect = st.columns([0.5, 0.5], gap="medium")
    with settings:
        text = text_form.text_form(start, f"{key}.words")
    with effect:
        number = st.number_input(
            "Text to preview", 1, seen.n_docs, 1, key=f"{key}.document", width=180
        )
        shown = seen.text_at(int(number) - 1)
        counted = try_or_show_error(intake.preview_words, seen.part, shown, text, start)
        if counted is None:
            return None
        text_form.show_counted_words(shown, counted.spans)
        text_form.vocabulary(counted, seen.n_docs, against=against)
        if sentence := intake.second_language(seen.part, text):
            st.warning(texts.escape_markdown(f"{sentence} {OTHER_STOP_WORDS}"))
        text_form.top_words(counted, text, f"{key}.words")
    return text
