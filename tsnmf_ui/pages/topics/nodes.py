"""Nodes of side information: which topics they use, and which nodes are alike."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.engine.learned import Nodes
from core.workspace.results import Results
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.widgets import passages, results_header
from tsnmf_ui.theme import texts

MAIN_TOPICS, SIMILAR_NODES, NODES_AND_PARENTS = "Main topics", "Similar nodes", "Nodes and parents"


def has_nodes(found: Results) -> bool:
    """Whether the model of this run knows nodes."""
    return found.topics.learned is not None and found.topics.learned.nodes is not None


def render(found: Results) -> None:
    """Choose a level and a picture; one node in words beside it."""
    learned = found.topics.learned
    if learned is None or learned.nodes is None:
        return
    nodes = learned.nodes
    with st.container(horizontal=True, gap="medium"):
        level = _level(nodes)
        pictures = (
            MAIN_TOPICS,
            SIMILAR_NODES,
            *((NODES_AND_PARENTS,) if level + 1 < nodes.depth else ()),
        )
        picture = results_header.choice("Picture", pictures, "topics.node-picture")
    left, right = st.columns([0.66, 0.34], gap="small")
    with left, st.container(key="panel-nodes"):
        _picture(found, nodes, level, picture)
    with right, st.container(key="panel-node"):
        _one(found, nodes, level)


def _level(nodes: Nodes) -> int:
    if nodes.depth == 1:
        return 0
    options = tuple(_level_name(level) for level in range(nodes.depth))
    return options.index(results_header.choice("Level", options, "topics.node-level"))


def _level_name(level: int) -> str:
    return "Labels" if level == 0 else "Parents" if level == 1 else f"Level {level + 1}"


def _picture(found: Results, nodes: Nodes, level: int, picture: str) -> None:
    if picture == SIMILAR_NODES:
        drawn = figures.similarity(nodes.similarity(level), what="nodes", clickable=False)
    elif picture == NODES_AND_PARENTS and level + 1 < nodes.depth:
        table = nodes.similarity(level, level + 1)
        drawn = figures.cross_similarity(table, below="nodes", above="parents")
    else:
        shares = pd.DataFrame(
            nodes.shares(level), index=list(nodes.names[level]), columns=list(found.topics.names)
        )
        drawn = figures.node_topics(shares)
    results_header.show(drawn, key="topics.nodes-figure")
    st.caption(
        "Nodes are similar when their texts use the same topics in the same proportions. Every "
        "text counts once in its label, and every label once in its parent."
    )


def _one(found: Results, nodes: Nodes, level: int) -> None:
    names = nodes.names[level]
    node = st.selectbox(
        "Node", range(len(names)), format_func=lambda i: names[i], key=f"topics.node.{level}"
    )
    colours = results.colours(found)
    main = "".join(
        f'<div class="ts-row-bar" style="--c:{colours[topic]};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], colours[topic])}"
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
        f'<h2 class="ts-heading">Main topics</h2>{main}'
        f'<h2 class="ts-heading">Nearest nodes</h2>{near or "<p>There is no other node.</p>"}'
        + (f'<p class="ts-quiet">Belongs to {above}.</p>' if above else "")
    )
