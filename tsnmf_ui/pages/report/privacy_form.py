"""Who may read the report: one setting on top of the page, and what it means in detail."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.report import PRIVACY_PRESETS, Privacy
from core.store import PRIVACY_CHOICES
from tsnmf_ui.server import state

OWN_CHOICE = "own"
PRESET_TITLES = {
    "team": "The team",
    "others": "People outside the team",
    "public": "Everybody",
    OWN_CHOICE: "Own choice",
}
FIELD_TITLES = {
    "quotes": "Quotes",
    "ids": "Ids of texts",
    "people": "People who labelled",
    "masking": "E-mail addresses, phone, card and account numbers",
    "small_groups": "Groups of fewer than five texts",
    "texts": "Tables of all texts",
    "memos": "Memos and notes",
}
CHOICE_TITLES = {
    ("quotes", "chosen"): "chosen by hand",
    ("masking", "on"): "masked",
    ("masking", "off"): "shown",
    ("texts", "with"): "with the texts",
    ("texts", "without"): "without the texts",
}

Write = Callable[[Mapping[str, str]], None]


def privacy_form(project: int, privacy: Privacy, write: Write) -> None:
    """The setting; what is chosen is an event on the log, and holds for every format."""
    preset = next((n for n, each in PRIVACY_PRESETS.items() if each == privacy), OWN_CHOICE)
    key = f"report.readers.{project}"
    state.set_value(key, preset)
    st.segmented_control(
        "Who will read this report?",
        list(PRESET_TITLES),
        required=True,
        key=key,
        format_func=lambda name: PRESET_TITLES[name],
        help="Holds for every format, and is printed in the report.",
        on_change=_preset_chosen,
        args=(key, write),
    )
    with st.expander("What they will see", expanded=preset == OWN_CHOICE):
        rows = _rows_of_two()
        for column, names in zip(st.columns(len(rows)), rows, strict=True):
            for name in names:
                with column:
                    _choice(project, name, privacy.to_dict()[name], write)


def _rows_of_two() -> list[list[str]]:
    names = list(FIELD_TITLES)
    return [names[i : i + 2] for i in range(0, len(names), 2)]


def _preset_chosen(key: str, write: Write) -> None:
    chosen = str(state.get_value(key))
    if chosen in PRIVACY_PRESETS:
        write(PRIVACY_PRESETS[chosen].to_dict())


def _choice(project: int, name: str, value: str, write: Write) -> None:
    key = f"report.{name}.{project}"
    state.set_value(key, value)
    st.selectbox(
        FIELD_TITLES[name],
        PRIVACY_CHOICES[name],
        key=key,
        format_func=lambda choice: CHOICE_TITLES.get((name, choice), choice),
        on_change=lambda: write({name: str(state.get_value(key))}),
    )
