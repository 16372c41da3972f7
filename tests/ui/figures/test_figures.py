"""Figures, judged by the numbers they hold."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

from core.engine.descent import Trace
from core.evaluation.metrics.matching import match_topics
from core.insight import summaries
from core.insight.document_map import document_map
from core.insight.similarity import topic_similarity
from core.insight.topic_details import distinctive_terms
from core.insight.trends import over_time
from core.spec import ModelSpec
from core.topics import Topics
from tsnmf_ui import figures
from tsnmf_ui.figures import maps
from tsnmf_ui.figures.canvas import safe_text

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
    return {
        "keywords": figures.keyword_bars(topics, 1, colour=COLOURS[1]),
        "shares": figures.topic_shares(summaries.topic_sizes(topics), colours=COLOURS),
        "association": figures.association(summaries.association(topics, indicator, ["x", "y"])),
        "matching": figures.matching(matched.table, colours=COLOURS),
        "objective": figures.objective(Trace((3.0, 2.0), 1, "converged", 0.1)),
        "similarity": figures.similarity(topic_similarity(topics)),
        "distinctive": figures.distinctive_bars(
            distinctive_terms(topics, 0), topics.names[1], colour=COLOURS[0]
        ),
        "classes": figures.class_map(summaries.by_class(topics, ["n", "s", "s"]), column="area"),
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


def test_the_numbers_of_a_figure_are_a_table(drawn, topics):
    words = figures.numbers(figures.keyword_bars(topics, 0, colour="#0072B2", n=2))
    assert words.iloc[:, 0].tolist() == ["bill", "<i>refund"]
    assert words.iloc[:, 1].tolist() == [0.8, 0.6]
    cells = figures.numbers(drawn["association"])
    assert list(cells.columns) == ["Label", "Topic", "Value"]
    assert len(cells) == 6
    placed = document_map(topics)
    colouring = figures.by_topic(topics, COLOURS)
    shown = figures.document_map(placed, topics, colouring, shown=placed.placed, colours=COLOURS)
    assert figures.numbers(shown).empty  # places are no numbers


def test_names_cannot_be_markup(drawn):
    for name in ("keywords", "shares", "association", "matching", "similarity", "classes"):
        text = drawn[name].to_json()
        assert "<i>refund" not in text, name
        assert "<b>Net" not in text.replace(figures.alt_text(drawn[name]).replace("/", "\\/"), "")
    assert safe_text("a <b> & c") == "a &lt;b&gt; &amp; c"
    assert safe_text("x" * 80, 10) == "x" * 9 + "…"


def test_keyword_bars_show_the_heaviest_on_top_in_the_topic_colour(topics):
    figure = figures.keyword_bars(topics, 0, colour="#0072B2", n=2)
    assert trace(figure)["x"] == [0.8, 0.6]
    assert trace(figure)["marker"]["color"] == "#0072B2"
    assert list(figure.layout.yaxis.ticktext) == ["bill", "&lt;i&gt;refund"]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]


def test_a_chart_does_not_call_a_small_share_nothing():
    columns = ("topic", "name", "share", "documents", "of")
    rows = [(0, "Billing", 0.9975, 65_284, 65_450), (1, "Water", 0.0025, 166, 65_450)]
    sizes = pd.DataFrame(rows, columns=columns)
    drawn = figures.topic_shares(sizes, colours=["#0072B2", "#D55E00"])
    assert list(trace(drawn)["text"]) == ["&gt;99\u00a0%", "&lt;1\u00a0%"]
    assert "Water <1\u00a0%" in figures.alt_text(drawn)


def test_shares_are_percentages_with_counts(drawn):
    bars = trace(drawn["shares"])
    assert bars["x"] == pytest.approx([200 / 3, 100 / 3, 0])
    assert bars["customdata"][0] == ["Billing", "2", "3", "66.7\u00a0%"]
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


@pytest.fixture
def over_time_table(topics):
    days = [date(2026, 1, 5), date(2026, 1, 20), date(2026, 3, 2)]
    return over_time(topics, days, "month")


def test_lines_over_time_have_bands_gaps_and_denominators(topics, over_time_table):
    figure = figures.over_time(over_time_table, [0], colours=COLOURS, period="month")
    band, line = trace(figure), trace(figure, 1)
    assert band["fill"] == "toself"
    assert line["y"] == [100, None, 0]
    assert "2 of 2 texts" in line["text"][0]
    assert "Billing" in figure.layout.title.text
    two = figures.over_time(over_time_table, [0, 1], colours=COLOURS, period="month")
    assert [each.fill for each in two.data] == [None, None]  # bands lie over each other's lines
    assert "from 100\u00a0% to 0\u00a0%" in figures.alt_text(figure)


def test_classes_show_how_far_a_share_may_be_off(topics):
    table = summaries.by_class(topics, ["n", "n", "s"])
    dots = trace(figures.by_class(table, 0, colour=COLOURS[0], column="area", overall=1 / 3))
    assert dots["x"] == [100, 0]
    assert dots["error_x"]["arrayminus"][0] > 10
    unnamed = figures.by_class(
        summaries.by_class(topics, ["n", "", ""]), 0, colour=COLOURS[0], column="area", overall=0.5
    )
    assert "(none)" in unnamed.layout.yaxis.ticktext
    assert "all 50" in unnamed.layout.annotations[-1].text
    wide = figures.class_map(table, column="area")
    assert trace(wide)["z"][0] == [1, 0, 0]
    assert "0 of 1 texts" in trace(wide, 1)["text"][3]
    numbered = figures.class_map(summaries.by_class(topics, ["10", "10", "2"]), column="age")
    assert trace(numbered)["z"] == [[0, 1, 0], [1, 0, 0]]  # 2 before 10


def test_classes_that_are_numbers_stay_in_their_order(topics):
    table = summaries.by_class(topics, ["2", "2", "1"])
    rated = figures.by_class(table, 0, colour=COLOURS[0], column="stars", overall=1 / 3)
    assert (trace(rated)["x"], list(rated.layout.yaxis.ticktext)) == ([0, 100], ["1", "2"])


def test_likeness_leaves_the_diagonal_blank_and_keeps_the_topics_numbers(topics):
    figure = figures.similarity(topic_similarity(topics))
    values, cells = trace(figure)["z"], trace(figure, 1)["customdata"]
    assert [values[i][i] for i in range(3)] == [None] * 3
    assert sorted(map(tuple, cells)) == [(i, j) for i in range(3) for j in range(3)]
    assert "Most similar" in figures.alt_text(figure)


def test_distinctive_words_say_how_many_times(topics):
    bars = trace(figures.distinctive_bars(distinctive_terms(topics, 0), "A & B", colour="#0072B2"))
    assert bars["text"][0].endswith("×")
    assert bars["x"][0] > 1


def test_a_small_map_draws_every_document(topics):
    placed = document_map(topics)
    colouring = figures.by_topic(topics, COLOURS)
    drawn = figures.document_map(placed, topics, colouring, shown=placed.placed, colours=COLOURS)
    dots = json.loads(drawn.to_json(engine="json"))["data"][0]
    assert dots["type"] == "scatter"
    assert len(dots["text"]) == 3
    assert dots["text"][0].startswith("<b>a</b><br>Billing 75\u00a0%")
    assert not drawn.layout.images
    assert drawn.layout.dragmode == "lasso"
    assert "<b>Net" not in drawn.layout.annotations[1].text.replace("<b>&lt;b&gt;Net", "")


def test_topics_in_one_place_are_all_named_none_over_another(topics):
    same = replace(topics, topic_term=np.tile(topics.topic_term[:1], (3, 1)))
    placed = document_map(same)
    colouring = figures.by_topic(same, COLOURS)
    drawn = figures.document_map(placed, same, colouring, shown=placed.placed, colours=COLOURS)
    signs = drawn.layout.annotations
    assert len(signs) == 3
    assert len({sign.y for sign in signs}) == 3


def test_the_largest_of_many_uneven_topics_are_named_within_the_map(topics):
    """A name that leaves the map is hidden; of topics in one corner the large ones come first."""
    rng, n = np.random.default_rng(0), 40
    sizes = np.sort(rng.pareto(1, n) + 0.01)
    many = replace(
        topics,
        topic_term=1 + 0.001 * rng.random((n, len(topics.terms))),
        doc_topic=rng.gamma(0.2, size=(500, n)) * sizes,
        doc_ids=tuple(map(str, range(500))),
        names=tuple(f"words, of topic {k}" for k in range(n)),
        keys=tuple(f"Free {k}" for k in range(n)),
        n_supervised=0,
    )
    placed = document_map(many)
    colouring = figures.by_topic(many, COLOURS * n)
    drawn = figures.document_map(placed, many, colouring, shown=placed.placed, colours=COLOURS * n)
    low, high = drawn.layout.yaxis.range
    assert all(low <= sign.y <= high for sign in drawn.layout.annotations)
    named = [
        sign.text.removeprefix("<b>").removesuffix("</b>") for sign in drawn.layout.annotations
    ]
    largest = np.argsort(-summaries.topic_sizes(many)["share"].to_numpy(), kind="stable")
    assert named[:10] == [many.names[k] for k in largest[:10]]


def test_no_name_of_a_topic_is_hidden_beside_short_labels():
    table = pd.DataFrame(
        np.full((2, 12), 0.5), ["A", "B"], [f"payment, decline {k}" for k in range(12)]
    )
    layout = figures.association(table).layout
    assert layout.xaxis.ticklabeloverflow == "allow"  # Plotly hid what began left of the figure
    assert len(layout.xaxis.ticktext) == 12
    assert layout.margin.l >= 100


def test_a_wide_map_with_few_large_numbers_shows_them_and_says_which_it_leaves_out():
    few = np.diag(np.full(18, 0.8))[:, :15]  # 270 cells, of which 15 matter
    drawn = figures.association(
        pd.DataFrame(few, list("ABCDEFGHIJKLMNOPQR"), list("abcdefghijklmno"))
    )
    assert [note.text for note in drawn.layout.annotations] == ["80"] * 15
    assert figures.unnumbered_cells(drawn) == "Less than 5 is shown by colour alone."
    full = figures.association(pd.DataFrame(np.full((18, 15), 0.5), list("ABCDEFGHIJKLMNOPQR")))
    assert not full.layout.annotations
    assert figures.unnumbered_cells(full) == "Point at a cell for its number."


def test_percentages_along_an_axis_are_written_as_everywhere_else():
    bar = figures.association(pd.DataFrame([[0.8]], ["A"], ["a"])).data[0].colorbar
    assert (bar.labelalias["60%"], bar.labelalias["2.5%"]) == ("60\u00a0%", "2.5\u00a0%")


def test_a_large_map_paints_all_and_lets_some_answer(topics):
    rng = np.random.default_rng(0)
    many = replace(
        topics, doc_topic=rng.gamma(0.3, size=(9000, 3)), doc_ids=tuple(map(str, range(9000)))
    )
    placed = document_map(many)
    codes = np.where(np.arange(9000) % 3, 0, -1)
    colouring = figures.Colouring("district", codes, ["north"], ["#0072B2"])
    shown = np.arange(0, 9000, 3)
    drawn = figures.document_map(placed, many, colouring, shown=shown, colours=COLOURS)
    assert drawn.layout.images[0].source.startswith("data:image/png;base64,")
    assert drawn.data[0].type == "scattergl"
    assert len(drawn.to_json()) < 3_000_000
    assert drawn.data[1].name == "north"


def test_the_painting_holds_every_document():
    lay = np.array([[0.0, 0.0], [1.0, 1.0], [np.nan, np.nan]], dtype=np.float32)
    colouring = figures.Colouring("x", np.array([0, 1, 0]), ["a", "b"], ["#FF0000", "#0000FF"])
    picture = np.asarray(maps.paint_documents(lay, colouring, (-0.5, 1.5), (-0.5, 1.5)))
    seen = picture[picture[..., 3] > 0][:, :3]
    assert sorted(map(tuple, np.unique(seen, axis=0).tolist())) == [(0, 0, 255), (255, 0, 0)]
    assert len(seen) == 10  # two small crosses


def test_nodes_are_drawn_against_topics_and_parents():
    table = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], index=["a", "b"], columns=["t", "u"])
    assert trace(figures.node_topics(table))["z"] == [[0.9, 0.1], [0.2, 0.8]]
    crossed = figures.cross_similarity(table, below="nodes", above="parents")
    assert "2 nodes and 2 parents" in figures.alt_text(crossed)


def test_a_map_of_hundreds_of_topics_is_an_image_with_squares_on_the_largest_cells():
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 0.4, (60, 60))
    values[7, 9] = values[9, 7] = 0.9
    names = [f"A very long name of a topic, number {k % 40}" for k in range(60)]
    figure = figures.similarity(pd.DataFrame(values, names, names))
    image, squares = figure.data
    assert (image.xgap, len(image.z)) == (None, 60)
    assert len(set(image.x)) == len(set(image.y)) == 60
    assert len(squares.x) == 200
    assert set(squares.x) <= set(image.x)
    assert sorted(squares.customdata[0]) == [7, 9]
    table = figures.numbers(figure)
    assert table["Value"].iloc[0] == pytest.approx(0.9)
    assert len(table) == 2_000
    assert not figure.layout.xaxis.fixedrange
