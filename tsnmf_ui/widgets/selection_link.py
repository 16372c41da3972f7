"""A button that takes documents to the Label page, where they can be labelled one by one or all."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.store import Project
from tsnmf_ui import selections, state, texts
from tsnmf_ui.selections import Selection


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
    said = label or f"Label {texts.count(len(positions), 'text')}"
    clicked = st.button(
        said,
        key=key,
        type="primary" if primary else "secondary",
        icon=":material/label:",
        help="Opens these texts on the Label page.",
    )
    if clicked:
        chosen = Selection.of(project.id, title, positions, topic)
        state.go("label", **{selections.IN_ADDRESS: selections.keep(state.store().home, chosen)})
