"""A button that takes documents to the Label page, where they can be labelled one by one or all."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.store import Project
from tsnmf_ui.label import selections
from tsnmf_ui.label.selections import Selection
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts


def offer(
    project: Project,
    title: str,
    positions: Sequence[int],
    *,
    key: str,
    topic: int | None = None,
    primary: bool = False,
    label: str | None = None,
) -> None:
    """Draw the button; a click writes the selection and leaves for the Label page with it."""
    if not positions:
        return
    button_text = label or f"Label {texts.count(len(positions), 'text')}"
    clicked = st.button(
        button_text,
        key=key,
        type="primary" if primary else "secondary",
        icon=":material/label:",
        help="Opens these texts on the Label page.",
    )
    if clicked:
        chosen = Selection.of(project.id, title, positions, topic)
        state.open_page(
            "label", **{selections.QUERY_PARAMETER: selections.save(state.store().home, chosen)}
        )
