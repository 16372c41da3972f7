"""The lines after a refit: how far the model could follow what was asked of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from tsnmf_ui import operating

SHOWN = 3
WORDS = {"fully": "Done", "partly": "Partly done", "not": "Not done"}
STYLE = """<style>
.ts-told { display: flex; gap: .6rem; align-items: baseline; margin: .12rem 0; font-size: .92rem;
  line-height: 1.4; color: var(--ink); overflow-wrap: anywhere; }
.ts-told b { flex: none; font-weight: 650; font-size: .8rem; padding: 0 .5rem; border-radius: 99px;
  line-height: 1.6; background: color-mix(in srgb, var(--d) 15%, transparent); color: var(--ink);
  box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--d) 55%, transparent); }
.ts-told.ts-fully { --d: light-dark(#1B7F4B, #4CC38A); }
.ts-told.ts-partly { --d: light-dark(#C77700, #E8A33D); }
.ts-told.ts-not { --d: var(--bad); }
</style>"""


def draw(project: int) -> None:
    """Nothing, unless the last operations have been judged."""
    verdicts = operating.last_verdicts(project)
    if not verdicts:
        return
    lines = "".join(
        f'<div class="ts-told ts-{verdict.degree}"><b>{WORDS[verdict.degree]}</b>'
        f"<span>{escape(verdict.sentence)}</span></div>"
        for verdict in verdicts[:SHOWN]
    )
    more = len(verdicts) - SHOWN
    rest = f'<div class="ts-quiet">and {more} more</div>' if more > 0 else ""
    st.html(f'<div class="ts-tolds" role="status">{lines}{rest}</div>{STYLE}')
