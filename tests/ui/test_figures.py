"""Figures, judged by the numbers they hold."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from core import summaries
from core.descent import Trace
from core.fitting import ModelSpec
from core.metrics.matching import match_topics
from core.topics import Topics
from tsnmf_ui import figures
from tsnmf_ui.figures.drawing import plain

COLOURS = ["#0072B2", "#D55E00", "#8794A6"]
ODD = "<b>Net</b>work & co"


@pytest.fixture
def topics():
    return Topics(
        doc_topic=np.array([[3.0, 1, 0], [1, 0, 0], [0, 2, 1]]),
        topic_term=np.array([[0.8, 0.6, 0], [0, 0.6, 0.8], [0, 0, 1]]),
        terms=("bill", "<i>refund", "tower"),
        doc_ids=("a", "b", "c"),
        names=("Billing", ODD, "Free 1"),
        n_supervised=2,
        spec=ModelSpec(),
    )


@pytest.fixture
def indicator():
    return np.array([[1, 0], [1, 0], [0, 1]])


@pytest.fixture
def drawn(topics, indicator):
    """Every figure once, by name."""
    matched = match_topics(topics.doc_topic, indicator, label_names=["x", "y"])
    table = pd.DataFrame({"run": [1], "score": [0.5], "labelled": [3], "finished": ["today"]})
    return {
        "keywords": figures.keyword_bars(topics, 1, colour=COLOURS[1]),
        "shares": figures.topic_shares(summaries.topic_sizes(topics), colours=COLOURS),
        "association": figures.association(summaries.association(topics, indicator, ["x", "y"])),
        "matching": figures.matching(matched.table, colours=COLOURS),
        "objective": figures.objective(Trace((3.0, 2.0), 1, "converged", 0.1)),
        "history": figures.score_history(table),
    }


def trace(figure, i=0):
    return json.loads(figure.to_json(engine="json"))["data"][i]


def test_every_figure_has_title_axes_and_words(drawn):
    for name, figure in drawn.items():
        layout = figure.to_dict()["layout"]
        assert layout["title"]["text"], name
        assert layout["xaxis"]["title"]["text"], name
        assert figures.alt_text(figure).endswith("."), name
        assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)", name


def test_names_cannot_be_markup(drawn):
    for name in ("keywords", "shares", "association", "matching"):
        text = drawn[name].to_json()
        assert "<i>refund" not in text, name
        assert "<b>Net" not in text.replace(figures.alt_text(drawn[name]).replace("/", "\\/"), "")
    assert plain("a <b> & c") == "a &lt;b&gt; &amp; c"
    assert plain("x" * 80, 10) == "x" * 9 + "…"


def test_keyword_bars_show_the_heaviest_on_top_in_the_topic_colour(topics):
    figure = figures.keyword_bars(topics, 0, colour="#0072B2", n=2)
    assert trace(figure)["x"] == [0.8, 0.6]
    assert trace(figure)["marker"]["color"] == "#0072B2"
    assert list(figure.layout.yaxis.ticktext) == ["bill", "&lt;i&gt;refund"]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]


def test_shares_are_percentages_with_counts(drawn):
    bars = trace(drawn["shares"])
    assert bars["x"] == pytest.approx([200 / 3, 100 / 3, 0])
    assert bars["customdata"][0] == ["Billing", "2", "3"]
    assert bars["marker"]["color"] == COLOURS


def test_a_click_on_a_cell_names_its_label_and_topic(drawn):
    figure = drawn["association"]
    heat, squares = trace(figure), trace(figure, 1)
    # Label y stands under its own topic, Free 1; the topic that found no label comes last.
    assert list(figure.layout.xaxis.ticktext)[::2] == [
        "Billing",
        "&lt;b&gt;Net&lt;/b&gt;work &amp; co",
    ]
    assert heat["z"][0] == pytest.approx([1.0, 0.0, 0.25 / (0.25 + 2 / 3)])
    assert squares["customdata"][4] == [1, 2]
    assert squares["text"][4].startswith("<b>y</b> × <b>Free 1</b>")
    assert (squares["x"][4], squares["y"][4]) == (1, 1)
    assert (squares["marker"]["opacity"], squares["selected"]["marker"]["opacity"]) == (0, 1)


def test_the_heat_map_keeps_its_ranges_still(drawn):
    layout = drawn["association"].layout
    assert (layout.clickmode, layout.hoverdistance, layout.dragmode) == ("event+select", -1, False)
    assert list(layout.xaxis.range) == [-0.5, 2.5]
    assert list(layout.yaxis.range) == [1.5, -0.5]


def test_matching_names_the_topic_and_draws_the_line(drawn):
    bars = trace(drawn["matching"])
    assert bars["x"] == sorted(bars["x"], reverse=True)
    assert bars["text"][0].startswith("Topic 1 · 0.")
    assert drawn["matching"].layout.shapes[0].x0 == 0.1


def test_a_label_without_topic_is_said_so():
    found = match_topics(np.ones((2, 1)), np.eye(2), label_names=["x", "y"])
    bars = trace(figures.matching(found.table, colours=COLOURS))
    assert bars["text"][1] == "no topic · 0.00"


def test_objective_counts_steps_from_the_start(drawn):
    assert trace(drawn["objective"])["x"] == [0, 1]
    assert "from 3 to 2; it stopped because" in figures.alt_text(drawn["objective"])
    assert figures.alt_text(figures.objective(Trace())) == "The fit left no trace."


def test_empty_tables_make_empty_figures(topics):
    nothing = summaries.association(topics, np.zeros((3, 0)), [])
    assert "no labels yet" in figures.alt_text(figures.association(nothing))
    empty = pd.DataFrame({"run": [], "score": [], "labelled": [], "finished": []})
    assert "no fit" in figures.alt_text(figures.score_history(empty))
