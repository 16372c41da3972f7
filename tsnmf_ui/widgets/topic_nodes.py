"""Nodes of side information: which topics they use, and which nodes are alike."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.learned import Nodes
from tsnmf_ui import figures, texts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import passages, results_head

TOPICS, ALIKE, ABOVE = "Main topics", "Nodes beside nodes", "Nodes beside their parents"


def has_nodes(found: Results) -> bool:
    """Whether the model of this run knows nodes."""
    return found.topics.learned is not None and found.topics.learned.nodes is not None


def draw(found: Results) -> None:
    """Choose a level and a picture; one node in words beside it."""
    learned = found.topics.learned
    if learned is None or learned.nodes is None:
        return
    nodes = learned.nodes
    with st.container(horizontal=True, gap="medium"):
        level = _level(nodes)
        pictures = (TOPICS, ALIKE, *((ABOVE,) if level + 1 < nodes.depth else ()))
        picture = results_head.choice("Picture", pictures, "topics.node-picture")
    left, right = st.columns([0.66, 0.34], gap="small")
    with left, st.container(key="panel-nodes"):
        _picture(found, nodes, level, picture)
    with right, st.container(key="panel-node"):
        _one(found, nodes, level)


def _level(nodes: Nodes) -> int:
    if nodes.depth == 1:
        return 0
    options = tuple(_level_name(level) for level in range(nodes.depth))
    return options.index(results_head.choice("Level", options, "topics.node-level"))


def _level_name(level: int) -> str:
    return "Labels" if level == 0 else "Their parents" if level == 1 else f"Level {level + 1}"


def _picture(found: Results, nodes: Nodes, level: int, picture: str) -> None:
    if picture == ALIKE:
        drawn = figures.similarity(nodes.similarity(level), what="nodes", clickable=False)
    elif picture == ABOVE and level + 1 < nodes.depth:
        table = nodes.similarity(level, level + 1)
        drawn = figures.cross_similarity(table, below="nodes", above="parents")
    else:
        shares = pd.DataFrame(
            nodes.shares(level), index=list(nodes.names[level]), columns=list(found.topics.names)
        )
        drawn = figures.node_topics(shares)
    results_head.show(drawn, key="topics.nodes-figure")
    st.caption("Two nodes are alike when their texts use the same topics in the same parts.")


def _one(found: Results, nodes: Nodes, level: int) -> None:
    names = nodes.names[level]
    node = st.selectbox(
        "Node", range(len(names)), format_func=lambda i: names[i], key=f"topics.node.{level}"
    )
    main = "".join(
        f'<div class="ts-row-bar" style="--c:{found.colours[topic]};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], found.colours[topic])}"
        f"<b>{texts.percent(share)}</b><small></small></div>"
        for topic, share in nodes.main_topics(level, node, 5)
    )
    near = "".join(
        f'<div class="ts-row-bar" style="--c:var(--accent);--share:{100 * cosine:.1f}%">'
        f"<span>{escape(names[other])}</span><b>{100 * cosine:.0f}</b><small></small></div>"
        for other, cosine in nodes.nearest(level, node)
    )
    parents = nodes.parents[level][node] if level + 1 < nodes.depth else ()
    above = ", ".join(escape(nodes.names[level + 1][parent]) for parent in parents)
    st.html(
        f'<div class="ts-heading">Main topics</div>{main}'
        f'<div class="ts-heading">Nearest nodes</div>{near or "<p>There is no other.</p>"}'
        + (f'<p class="ts-quiet">Belongs to {above}.</p>' if above else "")
    )
