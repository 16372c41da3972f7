"""Scores: how good the topics are, whether the last labels helped, and what more would bring."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

import pandas as pd
import streamlit as st

from core.forecast import LEAST as FORESEEN
from core.metrics.definitions import page as definitions_page
from core.progress import Point
from core.scoring import ABOUT
from tsnmf_ui import figures, scoreboard, state, texts
from tsnmf_ui.figures import progress
from tsnmf_ui.scoreboard import EVALUATE, SEEDS, Board
from tsnmf_ui.widgets import other_starts, results_head, score_table
from tsnmf_ui.widgets.live import follow

CSS = Path(__file__).parent.parent / "scores.css"
CHARTED = ("first", "jaccard", "f1_micro", "f1_macro", "coherence")
CARDS = ("first", "jaccard", "resolved", "f1_micro", "coherence", "adherence")
LACKING = 1.0  # labels from which a topic is said to lack some


def page() -> None:
    """Require a project; everything below follows the refits and their scores."""
    project = state.require_project()
    results_head.dress()
    st.html(f"<style>{_css()}</style>")
    _body(project.id)


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="scores-live", tasks=(EVALUATE, SEEDS))
    board = scoreboard.of(project)
    results_head.head(project, board)
    if board is None:
        results_head.nothing_yet(project)
        return
    scoreboard.ask_for_scores(board)
    _verdict(board)
    if board.point is not None:
        _numbers(board, board.point)
        _over_time(board)
        _label_by_label(board)
        _all_scores(board, board.point)
        other_starts.draw(board)


def _verdict(board: Board) -> None:
    sentence, tone = scoreboard.verdict_sentence(board)
    shown = f'<span class="ts-{tone}">{escape(sentence)}</span>' if tone else escape(sentence)
    detail = scoreboard.verdict_detail(board)
    small = (scoreboard.basis_sentence(board), scoreboard.freshness(board))
    with st.container(key="panel-verdict"):
        st.html(
            f'<div class="ts-verdict">{shown} {escape(detail)}</div>'
            + "".join(f'<div class="ts-quiet">{escape(line)}</div>' for line in small if line)
        )


def _numbers(board: Board, point: Point) -> None:
    """The scores most people ask for, each with its interval."""
    cards = [_card(name, point) for name in CARDS if name in point.scores]
    st.html(f'<div class="ts-numbers">{"".join(cards)}</div>')


def _card(name: str, point: Point) -> str:
    value, low, high, note = point.scores[name]
    shown = f"{_plain(name, value)} {note if name == 'resolved' else ''}".replace(" labels", "")
    ends = [] if low is None else [_plain(name, low), _plain(name, high)]
    spread = " to ".join(ends) if len(set(ends)) > 1 else ""  # “11 to 11” says nothing
    about = spread if ends and name == "resolved" else ", ".join(filter(None, (spread, note)))
    return (
        f"<div><b>{escape(shown)}</b><span>{escape(ABOUT[name].title)}</span>"
        f"<i>{escape(about)}</i></div>"
    )


def _plain(name: str, value: float) -> str:
    return scoreboard.number(name, value)


def _over_time(board: Board) -> None:
    left, right = st.columns(2, gap="small")
    with left, st.container(key="panel-history"):
        _history(board)
    with right, st.container(key="panel-forecast"):
        _forecast(board)


def _history(board: Board) -> None:
    assert board.point is not None
    names = [name for name in CHARTED if name in board.point.scores]
    titles = {ABOUT[name].title: name for name in names}
    if not titles or len(board.history) < 2:
        st.markdown("**Scores by number of labels**")
        st.caption("A line from fit to fit appears here with the second scored fit.")
        return
    title = results_head.choice("Score", list(titles), "score")
    name = titles.get(title, names[0])
    table = scoreboard.by_labels(board, name)
    share = ABOUT[name].kind == "share"
    figure = progress.score_by_labels(table, title=ABOUT[name].title, share=share)
    results_head.show(figure, key="scores.history")
    st.caption(
        "The newest fit for each number of labels; the band is where as many other texts would "
        "put the score. Grey: fits with another model or other settings, not to be compared."
    )


def _forecast(board: Board) -> None:
    known = scoreboard.foreseen(board)
    if known is None:
        st.markdown("**What more labels would bring**")
        st.caption(_no_forecast(board.project.n_docs))
        return
    past, ahead, fared = known
    figure = progress.forecast(past, ahead, fared.tail(scoreboard.MOST_FARED))
    results_head.show(figure, key="scores.forecast")
    st.caption(_forecast_sentence(ahead) + " " + _fared_sentence(fared))


def _no_forecast(n_docs: int) -> str:
    if n_docs < FORESEEN:
        return f"This corpus is too small to foresee anything: it takes {FORESEEN} labels."
    return f"From {FORESEEN} labelled texts on, this tells what 25, 50 and 100 more would bring."


def _forecast_sentence(ahead: pd.DataFrame) -> str:
    now, then = ahead.iloc[0], ahead[ahead["more"] == 50].iloc[0]
    return (
        f"50 more labels should take what the guide gets right first from "
        f"{texts.percent(now['expected'])} to about {texts.percent(then['expected'])} "
        f"({texts.percent(then['low'])} to {texts.percent(then['high'])}). The guide is the "
        "classifier that steers the topics; it is asked about labels it has not seen."
    )


def _fared_sentence(fared: pd.DataFrame) -> str:
    if fared.empty:
        return "No earlier forecast has come due yet."
    n, held = len(fared), int(fared["inside"].sum())
    return (
        f"Of {texts.count(n, 'earlier forecast')} that came due, {held} lay within the band; "
        "eight in ten should."
    )


def _label_by_label(board: Board) -> None:
    left, right = st.columns(2, gap="small")
    with left, st.container(key="panel-coverage"):
        _coverage(board)
    with right, st.container(key="panel-matching"):
        _matching(board)


def _coverage(board: Board) -> None:
    rows = board.tables.get("coverage") or []
    if not rows:
        st.markdown("**Which topics lack labels**")
        st.caption("No topic bears the name of a label yet.")
        return
    table = pd.DataFrame(rows)
    colours = [board.colour(name) for name in table["name"]]
    results_head.show(progress.coverage(table, colours=colours), key="scores.coverage")
    st.caption(_lacking(table))
    if st.button("Label for thin topics", key="scores.thin"):
        state.go("label", mode=texts.THIN)


def _lacking(table: pd.DataFrame) -> str:
    lacking = table[table["lack"] >= LACKING]
    bar = "The line in each row is the number of labels that fits the topic's share of the corpus."
    if lacking.empty:
        return f"No topic lacks labels. {bar}"
    names = ", ".join(texts.literal(str(name)) for name in lacking["name"][:3])
    others = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
    return f"Fewer labels than their share of the corpus: {names}{others}. {bar}"


def _matching(board: Board) -> None:
    rows = board.tables.get("labels") or []
    if not rows:
        st.markdown("**How well each label found its topic**")
        st.caption("Appears as soon as there is a score against labels; see on top what it needs.")
        return
    table = pd.DataFrame(rows)
    colours = [board.colour(name) for name in table["topic_name"]]
    place = [at if topic >= 0 else topic for at, topic in enumerate(table["topic"])]
    figure = figures.matching(table.assign(topic=place), colours=colours)
    results_head.show(figure, key="scores.matching")
    st.caption(
        "Weighted Jaccard: 0 if a label and its topic have no text in common, 1 if they hold "
        "the same ones in the same shares."
    )


def _all_scores(board: Board, point: Point) -> None:
    with st.container(key="panel-scores"):
        st.html(score_table.html(point, scoreboard.before(board)))
        with st.expander("How the scores are counted, in full"):
            st.markdown(definitions_page())
