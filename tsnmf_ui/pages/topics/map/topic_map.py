"""The map of documents: look around, draw a lasso, label what lies inside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from core.workspace import topic_facts
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results, documents_at
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics.map import map_colours, map_layout
from tsnmf_ui.pages.topics.operations import operations_form
from tsnmf_ui.pages.widgets import passages, selection_link
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

TEXTS_LISTED = 12  # documents of a lasso that are shown
LAYOUT_WORDS = {
    map_layout.BETWEEN_TOPICS: "between their topics",
    map_layout.BY_NEIGHBOURS: "beside similar texts",
}
CHART_CONFIG = {"modeBarButtonsToRemove": ["toImage", "autoScale2d"], "scrollZoom": True}

_figures: StoreCache[Any] = StoreCache(max_entries=6)


def render(found: Results) -> None:
    """Choose the colours; the map on the left, what was chosen on the right."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        wanted = st.selectbox(
            "Colour by",
            map_colours.choices(found),
            key="topics.colours",
            width=260,
            label_visibility="collapsed",
            format_func=lambda name: f"Colour by {name}",
        )
        layout = map_layout.render(found)
    left, right = st.columns([0.68, 0.32], gap="small")
    with left, st.container(key="panel-docmap"):
        chosen = _map(found, wanted, layout)
    with right, st.container(key="panel-lasso"):
        _chosen(found, chosen)


def _map(found: Results, wanted: str, layout: str) -> tuple[int, ...]:
    """The figure; positions of the documents inside the lasso, or of the one clicked."""
    placed = map_layout.document_map(found, layout)
    figure = _figure(found, wanted, layout)
    event = st.plotly_chart(
        figure,
        key=f"topics.docmap.{found.run.id}.{wanted}.{layout}",
        theme=None,
        alt=figures.alt_text(figure),
        config=CHART_CONFIG,
        on_select="rerun",
        selection_mode=("points", "lasso", "box"),
    )
    st.caption(_caption(found, int(placed.placed.size), layout))
    return _inside(placed, event["selection"])


def _figure(found: Results, wanted: str, layout: str) -> Any:
    """Kept, so that a lasso waits for nothing else."""
    key = (found.version, wanted, layout)
    return _figures.get(state.store(), key, lambda: _draw(found, wanted, layout))


def _draw(found: Results, wanted: str, layout: str) -> Any:
    return figures.document_map(
        map_layout.document_map(found, layout),
        found.topics,
        map_colours.colouring(found, wanted),
        shown=map_layout.hover_positions(found, layout),
        colours=results.colours(found),
        where=LAYOUT_WORDS[layout],
    )


def _inside(placed: Any, selection: Any) -> tuple[int, ...]:
    """What a lasso, a box or a click holds, looked up among all documents."""
    found: set[int] = set()
    for lasso in selection["lasso"]:
        found |= set(placed.inside(list(zip(lasso["x"], lasso["y"], strict=True))).tolist())
    for box in selection["box"]:
        found |= set(placed.within(box["x"], box["y"]).tolist())
    if not found:
        found = {_position(point) for point in selection["points"] if "customdata" in point}
    return tuple(sorted(found))


def _position(point: dict[str, Any]) -> int:
    data = point["customdata"]
    return int(data[0] if isinstance(data, list | tuple) else data)


def _caption(found: Results, n_placed: int, layout: str) -> str:
    if layout == map_layout.BY_NEIGHBOURS:
        return (
            f"{n_placed:,} of {len(found.topics.doc_ids):,} texts, each near texts with similar "
            "topics. Distances between groups mean little on this map."
        )
    parts = ["Topics with similar words are close together; each text lies between its topics."]
    n_shown = len(map_layout.hover_positions(found, layout))
    if n_shown < n_placed:
        parts.append(
            f"All {n_placed:,} texts are drawn; hover works on {n_shown:,} of them, and a lasso "
            "selects every text inside."
        )
    without = len(found.topics.doc_ids) - n_placed
    if without:
        n_texts = texts.count(without, "text")
        parts.append(f"{n_texts} without any topic {'is' if without == 1 else 'are'} left out.")
    wordless = sum(not row.any() for row in found.topics.topic_term)
    if wordless:
        n_topics = texts.count(wordless, "topic")
        parts.append(f"{n_topics} without words yet {'has' if wordless == 1 else 'have'} no place.")
    return " ".join(parts)


def _chosen(found: Results, positions: Sequence[int]) -> None:
    if not positions:
        st.html('<h2 class="ts-heading">Selected texts</h2>')
        st.markdown(
            "Draw a lasso around some texts, or click one. "
            "They appear here for reading and labelling."
        )
        return
    count = texts.count(len(positions), "text")
    st.html(
        f'<h2 class="ts-heading">Selected texts</h2><div class="ts-name">{count}</div>'
        f"{_main_topic_bars(found, positions)}"
    )
    title = f"Lasso around {_middle(found, positions)}"
    selection_link.offer(found.project, title, positions, key="topics.label-lasso", primary=True)
    operations_form.render_selection(found.project, found.run, tuple(positions))
    _list(found, topic_facts.clearest(found, positions, TEXTS_LISTED))


def _main_topic_bars(found: Results, positions: Sequence[int]) -> str:
    """Which main topics the chosen documents have, as bars."""
    colours = results.colours(found)
    rows = [
        f'<div class="ts-row-bar" style="--c:{colours[topic]};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], colours[topic])}"
        f"<b>{texts.percent(share)}</b><small>{texts.count(n, 'text')}</small></div>"
        for topic, n, share in topic_facts.main_topic_counts(state.store(), found, positions)[:5]
    ]
    return "".join(rows)


def _middle(found: Results, positions: Sequence[int]) -> str:
    parts = topic_facts.main_topic_counts(state.store(), found, positions)[:2]
    return " and ".join(found.topics.names[topic] for topic, _, _ in parts) or "no topic"


def _list(found: Results, best: Sequence[tuple[int, float]]) -> None:
    documents = documents_at(state.store(), found.project.id, [at for at, _ in best])
    rows = passages.rows(
        [(documents[at], share) for at, share in best], results.date_writer(found.project)
    )
    with st.container(height=330, border=False):
        st.html(f'<h2 class="ts-heading">{escape("Clearest texts")}</h2>{rows}')
