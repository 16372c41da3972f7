"""The lines after a refit: how far the model could follow what was asked of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.workspace import topic_operations
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

MAX_LINES = 3
DEGREE_WORDS = {"fully": "Done", "partly": "Partly done", "not": "Not done"}
CSS = """<style>
.ts-outcome { display: flex; gap: .6rem; align-items: baseline; margin: .12rem 0; font-size: .92rem;
  line-height: 1.4; color: var(--ink); overflow-wrap: anywhere; }
.ts-outcome b { flex: none; font-weight: 650; font-size: .8rem; padding: 0 .5rem;
  border-radius: 99px; line-height: 1.6; color: var(--ink);
  background: color-mix(in srgb, var(--d) 15%, transparent);
  box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--d) 55%, transparent); }
.ts-outcome.ts-fully { --d: light-dark(#1B7F4B, #4CC38A); }
.ts-outcome.ts-partly { --d: light-dark(#C77700, #E8A33D); }
.ts-outcome.ts-not { --d: var(--bad); }
</style>"""


def render(project: int) -> None:
    """Nothing, unless the last operations have been judged."""
    verdicts = topic_operations.last_verdicts(state.store(), project)
    if not verdicts:
        return
    lines = [
        f'<div class="ts-outcome ts-{verdict.degree}"><b>{DEGREE_WORDS[verdict.degree]}</b>'
        f"<span>{escape(verdict.sentence)}</span></div>"
        for verdict in verdicts
    ]
    rest = texts.and_more("".join(lines[MAX_LINES:]), len(lines) - MAX_LINES)
    first = "".join(lines[:MAX_LINES])
    st.html(f'<div class="ts-outcomes" role="status">{first}{rest}</div>{CSS}')
