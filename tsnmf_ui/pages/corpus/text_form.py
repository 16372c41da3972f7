"""How words are counted: the settings on the left, what they do on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TypeVar

import streamlit as st

from core.matrix import TextPreview
from core.text import LANGUAGES, Span, TextSettings
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

Option = TypeVar("Option", int, str)

PRESET_NAMES = {
    "plain": "Default",
    "tsnmf_paper": "As in the TS-NMF paper",
    "ssnmf_paper": "As in the SSNMF paper",
    "vbnmf_paper": "As in the vbNMF paper",
}
PHRASES = {1: "Single words", 2: "Up to 2 words", 3: "Up to 3 words"}
WEIGHTS = {
    "tfidf": "Rare words count more",
    "max_tfidf": "Rare words count more, by share of the most frequent",
    "counts": "Plain counts",
}
WORDS_SHOWN = 14
MAX_WORDS_LISTED = 400  # words gained or lost that a click shows
LEMMA_HELP = "Lamp and lamps count as one word, and so do run and ran."
PREVIEW_CHARACTERS = 900  # characters of a document in the preview


def text_form(start: TextSettings, key: str) -> TextSettings:
    """Draw the settings, starting from ``start``; what they are now."""
    preset = _preset(start, key)
    other = TextSettings(preset=preset, language=start.language)
    base = start if preset == start.preset else other
    key = f"{key}.{preset}"  # another preset brings its own numbers
    left, right = st.columns(2)
    with left:
        language = _language(base, key)
        ngrams = _one_of("Phrases", PHRASES, base.ngrams, f"{key}.ngrams")
    with right:
        max_terms = _number("Maximum vocabulary", base.max_terms, f"{key}.terms", 100, 200_000, 500)
        weighting = _one_of("Word weights", WEIGHTS, base.weighting, f"{key}.weighting")
    with st.container(horizontal=True):
        stop_words = st.checkbox("Remove stop words", base.stop_words, key=f"{key}.stop")
        lemmas = st.checkbox("Merge word forms", base.lemmas, key=f"{key}.lemmas", help=LEMMA_HELP)
        lowercase = st.checkbox("Ignore case", base.lowercase, key=f"{key}.lower")
        numbers = st.checkbox("Keep numbers", base.numbers, key=f"{key}.numbers")
    plain = preset == "plain"  # the paper's tokens are what they are
    with st.container(horizontal=True):
        web = plain and st.checkbox("Keep web addresses", base.web_addresses, key=f"{key}.web")
        emails = plain and st.checkbox("Keep e-mail addresses", base.emails, key=f"{key}.emails")
    few, many, short = st.columns(3)
    with few:
        least = _number("In at least … texts", _least(base), f"{key}.least", 1, 1_000, 1)
    with many:
        most = _number(
            "In at most … % of texts", round(base.max_share * 100), f"{key}.most", 1, 100, 5
        )
    with short:
        letters = _number("At least … letters", base.min_token, f"{key}.letters", 1, 10, 1)
    return TextSettings(
        preset=preset,
        language=language,
        lowercase=lowercase,
        stop_words=stop_words,
        extra_stop_words=_extra(base, key),
        lemmas=lemmas,
        numbers=numbers,
        min_token=letters,
        ngrams=ngrams,
        min_documents=base.min_documents if least == _least(base) else least,
        max_share=most / 100,
        max_terms=max_terms,
        weighting=weighting,
        l2=base.l2,
        web_addresses=web,
        emails=emails,
    )


def _preset(start: TextSettings, key: str) -> str:
    return _one_of("Text preset", PRESET_NAMES, start.preset, f"{key}.preset")


def _language(base: TextSettings, key: str) -> str:
    codes = sorted(LANGUAGES, key=lambda code: LANGUAGES[code])
    return st.selectbox(
        "Language",
        codes,
        index=codes.index(base.language) if base.language in codes else codes.index("en"),
        format_func=lambda code: LANGUAGES[code],
        key=f"{key}.language",
    )


def _one_of(label: str, names: Mapping[Option, str], now: Option, key: str) -> Option:
    options = list(names)
    return st.selectbox(
        label, options, index=options.index(now), format_func=lambda one: names[one], key=key
    )


def _number(label: str, value: int, key: str, least: int, most: int, step: int) -> int:
    return int(
        st.number_input(
            label,
            min_value=least,
            max_value=most,
            value=min(max(value, least), most),
            step=step,
            key=key,
        )
    )


def _least(base: TextSettings) -> int:
    return max(round(base.min_documents), 1)


def _extra(base: TextSettings, key: str) -> tuple[str, ...]:
    typed = st.text_input(
        "More stop words",
        ", ".join(base.extra_stop_words),
        key=f"{key}.extra",
        placeholder="For example: regards, hello, city",
        help="Separate them with commas.",
    )
    return tuple(word.strip() for word in typed.split(",") if word.strip())


def top_words(seen: TextPreview, settings: TextSettings, key: str) -> None:
    """The words that will count most; a click removes one, as one more stop word."""
    field, turn = f"{key}.{settings.preset}.extra", f"{key}.removed"
    pills = f"{key}.top.{state.get_value(turn, 0)}"
    st.pills(
        "Words that will count most; click one to remove it",
        seen.top,
        key=pills,
        format_func=texts.escape_markdown,
        on_change=_remove_word,
        args=(pills, field, turn),
        wrap=True,
    )


def _remove_word(pills: str, field: str, turn: str) -> None:
    word = state.get_value(pills)
    known = str(state.get_value(field) or "").strip().rstrip(",")
    state.set_value(field, f"{known}, {word}" if known else str(word))
    state.set_value(turn, state.get_value(turn, 0) + 1)


def vocabulary(seen: TextPreview, n_docs: int, *, against: str) -> None:
    """How large the vocabulary is, and the words gained and lost."""
    size = f"<b>{seen.n_terms:,}</b> {'word' if seen.n_terms == 1 else 'words'}"
    of = "" if seen.n_documents == n_docs else f" in a sample of {seen.n_documents:,} texts"
    empty = f" · {texts.count(seen.n_empty, 'text')} without any" if seen.n_empty else ""
    st.html(
        f'<div class="ts-vocabulary">{size}{of}{empty}</div>'
        f"{_changes('Added', seen.gained, 'ts-good', against)}"
        f"{_changes('Removed', seen.lost, 'ts-bad', against)}"
    )


def _changes(title: str, words: Sequence[str], look: str, against: str) -> str:
    if not words:
        return ""
    shown = ", ".join(escape(word) for word in words[:WORDS_SHOWN])
    hidden = ", ".join(escape(word) for word in words[WORDS_SHOWN:MAX_WORDS_LISTED])
    more = texts.and_more(hidden, len(words) - WORDS_SHOWN)
    return (
        f'<div class="ts-changes"><b class="{look}">{title} {len(words):,}</b> '
        f'<span class="ts-quiet">compared with {escape(against)}:</span> {shown}{more}</div>'
    )


def show_counted_words(text: str, spans: Sequence[Span]) -> None:
    """One document as the model sees it: counted words stand out, the rest fades."""
    end = (
        len(text)
        if len(text) <= PREVIEW_CHARACTERS
        else text.rfind(" ", 0, PREVIEW_CHARACTERS) + 1 or PREVIEW_CHARACTERS
    )
    body = mark_counted_words(text[:end], [span for span in spans if span.end <= end])
    more = " …" if end < len(text) else ""
    st.html(f'<div class="ts-seen">{body}{more}</div>')


def mark_counted_words(text: str, spans: Sequence[Span]) -> str:
    """The text, escaped, with the spans marked and titled by the word they count as."""
    parts, cursor = [], 0
    for start, end, term in spans:
        if start >= cursor:
            parts += [
                escape(text[cursor:start]),
                f'<mark title="{escape(term)}">{escape(text[start:end])}</mark>',
            ]
            cursor = end
    return "".join((*parts, escape(text[cursor:])))
