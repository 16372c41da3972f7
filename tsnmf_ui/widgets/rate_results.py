"""Supervision-rate curves and what stands beside them in the TS-NMF paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.comparison import RateStudy
from tsnmf_ui import texts
from tsnmf_ui.comparison_worker import SAMPLE
from tsnmf_ui.figures import comparison as figures
from tsnmf_ui.widgets import results_head

EMPTY = (
    "No curves have been drawn yet. For each share of labelled texts, several random sets are "
    "labelled with the truth, TS-NMF is fitted to each, and scored: the curve shows where more "
    "labels stop paying."
)
ALL, REST = "All texts, as in the paper", "Texts without a label"
MEASURES = {"Weighted Jaccard": "jaccard", "Labels resolved": "resolved"}
AXES = {"jaccard": "Weighted Jaccard (0 to 1)", "resolved": "Share of labels resolved"}
BESIDE = 4  # rates that stand beside models without labels


def draw(values: Mapping[str, Any], n_docs: int) -> None:
    """A study as it was kept, of a project with so many documents."""
    study = RateStudy.from_dict(values)
    table = study.table()
    with st.container(key="panel-curves"):
        with st.container(horizontal=True):
            measure = MEASURES[results_head.choice("Score", tuple(MEASURES), "rates.score")]
            scope = results_head.choice("Scored on", (ALL, REST), "rates.scope")
        score = measure if scope == ALL else f"{measure}_rest"
        figure = figures.rate_curves(
            table, score=score, title="What more labels bring", axis=AXES[measure]
        )
        results_head.show(figure, key="rates.curves")
        st.caption(_caption(study, scope) + sample_sentence(n_docs))
    left, right = st.columns(2, gap="small")
    with left, st.container(key="panel-groups"):
        figure = figures.rate_groups(table, score=score, rates=_few(study), axis=AXES[measure])
        results_head.show(figure, key="rates.groups")
    with right, st.container(key="panel-coverage"):
        _coverage(table, score)


def sample_sentence(n_docs: int) -> str:
    """Curves of a large corpus are those of a sample, and say so."""
    if n_docs <= SAMPLE:
        return ""
    return f" A sample: {SAMPLE:,} of the {n_docs:,} texts, drawn at random, were fitted."


def _few(study: RateStudy) -> tuple[float, ...]:
    """Rates near the paper's 5, 20, 50 and 80 per cent."""
    wanted = (0.05, 0.2, 0.5, 0.8)
    near = (min(study.rates, key=lambda rate: abs(rate - want)) for want in wanted)
    return tuple(dict.fromkeys(near))[:BESIDE]


def _coverage(table: pd.DataFrame, score: str) -> None:
    """Whether it is the labels met or the documents labelled that count."""
    if not (table["rate"] > 0).any():
        st.caption("Choose a model that hears labels to see how many labels are met.")
        return
    results_head.show(figures.coverage(table), key="rates.coverage")
    with st.expander("Does meeting more labels help by itself?"):
        results_head.show(figures.coverage_effect(table, score=score), key="rates.effect")


def _caption(study: RateStudy, scope: str) -> str:
    sets = texts.count(study.n_sets, "random set")
    whom = (
        "Labelled texts are among those judged, and there the model obeys."
        if scope == ALL
        else "A fair test: the labelled texts are left out."
    )
    return (
        f"Middle of {sets} of labels, drawn from {study.n_docs:,} texts with "
        f"{texts.count(study.n_labels, 'label')}; the band holds eight sets in ten. {whom} "
        "Weighted: the fewer texts are labelled, the more each counts."
    )
