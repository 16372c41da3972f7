"""Scores: how good the topics are, whether the last labels helped, and what more would bring."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import pandas as pd
import streamlit as st

from core.evaluation.forecast import MIN_LABELS_FOR_FORECAST
from core.evaluation.metrics.definitions import page as definitions_page
from core.evaluation.progress import EvaluatedRun
from core.evaluation.score_format import format_score, is_shown
from core.evaluation.scoring import SCORE_INFO
from core.workspace.scores import ScoreHistory
from core.workspace.scores import sentences as score_sentences
from tsnmf_ui import figures, jobs
from tsnmf_ui.figures import progress
from tsnmf_ui.pages.scores import other_starts, score_table, scoreboard, verdict_text
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CSS = Path(__file__).parent / "style.css"
CHARTED_SCORES = ("first", "jaccard", "f1_micro", "f1_macro", "coherence")
SCORE_CARDS = ("first", "jaccard", "resolved", "f1_micro", "coherence", "adherence")
MIN_LACKING_LABELS = 1.0  # labels from which a topic is said to lack some


def page() -> None:
    """Require a project; everything below follows the refits and their scores."""
    _body(results_header.open_page(CSS).id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="scores-live", tasks=(jobs.EVALUATE, jobs.SEED_FITS))
    state.show_messages()  # what an act of this fragment told
    board = scoreboard.load(project)
    head, afresh = st.columns([0.86, 0.14], vertical_alignment="center")
    with head:
        results_header.head(project, board)
    if board is not None:
        with afresh:
            results_header.fit_afresh(project)
    if board is None:
        results_header.nothing_yet(project)
        return
    scoreboard.ask_for_scores(board)
    _verdict(board)
    if board.point is not None:
        _numbers(board, board.point)
        _side_by_side(board, history=_history, forecast=_forecast)
        _side_by_side(board, coverage=_coverage, matching=_matching)
        _all_scores(board, board.point)
        other_starts.render(board)


def _verdict(board: ScoreHistory) -> None:
    sentence, tone = verdict_text.verdict_sentence(board)
    shown = f'<span class="ts-{tone}">{escape(sentence)}</span>' if tone else escape(sentence)
    detail = verdict_text.verdict_detail(board)
    small = (score_sentences.basis_sentence(board), verdict_text.freshness(board))
    with st.container(key="panel-verdict"):
        st.html(
            f'<div class="ts-verdict">{shown} {escape(detail)}</div>'
            + "".join(f'<div class="ts-quiet">{escape(line)}</div>' for line in small if line)
        )


def _numbers(board: ScoreHistory, point: EvaluatedRun) -> None:
    """The scores most people ask for, each with its interval."""
    cards = [_card(name, point) for name in SCORE_CARDS if is_shown(name, point.value(name))]
    st.html(f'<div class="ts-numbers">{"".join(cards)}</div>')


def _card(name: str, point: EvaluatedRun) -> str:
    value, low, high, note = point.scores[name]
    of = note.removesuffix(" labels") if name == "resolved" else ""
    shown = f"{format_score(name, value)} {of}"
    ends = [] if low is None else [format_score(name, low), format_score(name, high)]
    spread = " to ".join(ends) if len(set(ends)) > 1 else ""  # “11 to 11” says nothing
    about = spread if ends and name == "resolved" else ", ".join(filter(None, (spread, note)))
    tone = ' class="ts-bad"' if name == "adherence" else ""
    return (
        f"<div><b{tone}>{escape(shown)}</b><span>{escape(SCORE_INFO[name].title)}</span>"
        f"<i>{escape(about)}</i></div>"
    )


def _side_by_side(board: ScoreHistory, **panels: Callable[[ScoreHistory], None]) -> None:
    columns = st.columns(len(panels), gap="small")
    for column, (name, draw) in zip(columns, panels.items(), strict=True):
        with column, st.container(key=f"panel-{name}"):
            draw(board)


def _instead_of_chart(title: str, sentence: str) -> None:
    st.markdown(f"**{title}**")
    st.caption(sentence)


def _history(board: ScoreHistory) -> None:
    assert board.point is not None
    names = [name for name in CHARTED_SCORES if name in board.point.scores]
    titles = {SCORE_INFO[name].title: name for name in names}
    if not titles or len(board.history) < 2:
        _instead_of_chart(
            "Scores by number of labels", "The chart appears after the second scored run."
        )
        return
    title = results_header.choice("Score", list(titles), "score")
    name = titles.get(title, names[0])
    table = scoreboard.by_labels(board, name)
    share = SCORE_INFO[name].kind == "share"
    figure = progress.score_by_labels(table, title=SCORE_INFO[name].title, share=share)
    results_header.show(figure, key="scores.history")
    st.caption(
        "The latest run for each number of labels. Band: 95 % interval. Grey: runs with another "
        "model or other settings, not comparable."
    )


def _forecast(board: ScoreHistory) -> None:
    known = board.forecast_tables()
    if known is None:
        _instead_of_chart("Effect of more labels", _no_forecast(board.project.n_docs))
        return
    past, ahead, earlier = known
    figure = progress.forecast(past, ahead, earlier.tail(scoreboard.MAX_PAST_FORECASTS))
    results_header.show(figure, key="scores.forecast")
    st.caption(_forecast_sentence(ahead) + " " + _earlier_sentence(earlier))


def _no_forecast(n_docs: int) -> str:
    if n_docs < MIN_LABELS_FOR_FORECAST:
        return (
            f"This corpus is too small for a forecast: it needs {MIN_LABELS_FOR_FORECAST} labels."
        )
    return (
        f"From {MIN_LABELS_FOR_FORECAST} labelled texts on, this forecasts the effect of 25, 50 "
        "and 100 more labels."
    )


def _forecast_sentence(ahead: pd.DataFrame) -> str:
    now, then = ahead.iloc[0], ahead[ahead["more"] == 50].iloc[0]
    return (
        f"50 more labels should bring the guide's hit rate from "
        f"{texts.percent(now['expected'])} to about {texts.percent(then['expected'])} "
        f"({texts.percent(then['low'])} to {texts.percent(then['high'])}). The guide is the "
        "classifier learnt from your labels; it is tested on labels it has not seen."
    )


def _earlier_sentence(earlier: pd.DataFrame) -> str:
    if earlier.empty:
        return "No earlier forecast can be checked yet."
    n, held = len(earlier), int(earlier["inside"].sum())
    return f"{held} of {texts.count(n, 'earlier forecast')} held within the 80 % band."


def _coverage(board: ScoreHistory) -> None:
    rows = board.tables.get("coverage") or []
    if not rows:
        _instead_of_chart("Which topics lack labels", "No topic belongs to a label yet.")
        return
    table = pd.DataFrame(rows)
    colours = scoreboard.colours(board, table["name"])
    results_header.show(progress.coverage(table, colours=colours), key="scores.coverage")
    st.caption(_lacking(table))
    if st.button("Label topics with few labels", key="scores.thin"):
        state.open_page("label", mode=texts.FEW_LABELS_MODE)


def _lacking(table: pd.DataFrame) -> str:
    lacking = table[table["lack"] >= MIN_LACKING_LABELS]
    bar = "The line in each row marks the number of labels in proportion to the topic's share."
    if lacking.empty:
        return f"No topic lacks labels. {bar}"
    names = ", ".join(texts.escape_markdown(str(name)) for name in lacking["name"])
    return f"Fewer labels than their share: {names}. {bar}"


def _matching(board: ScoreHistory) -> None:
    rows = board.tables.get("labels") or []
    if not rows:
        _instead_of_chart(
            "Match of labels and topics",
            "Appears with the first score against labels; see the top of the page.",
        )
        return
    table = pd.DataFrame(rows)
    colours = scoreboard.colours(board, table["topic_name"])
    place = [at if topic >= 0 else topic for at, topic in enumerate(table["topic"])]
    figure = figures.matching(table.assign(topic=place), colours=colours)
    results_header.show(figure, key="scores.matching")
    st.caption(
        "Weighted Jaccard: 0 if a label and its topic share no text, 1 if they share all texts "
        "in the same proportions."
    )


def _all_scores(board: ScoreHistory, point: EvaluatedRun) -> None:
    with st.container(key="panel-scores"):
        st.html(score_table.html(point, board.compared_point))
        if board.verdict is not None:
            st.caption(score_table.earlier_texts(board.verdict.reference.labelled))
        with st.expander("Definitions of all scores"):
            st.markdown(definitions_page().replace("# ", "#### ", 1).replace("\n## ", "\n##### "))
