"""Supervision-rate curves and what stands beside them in the TS-NMF paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.evaluation.comparison import RateStudy
from core.workspace.comparisons import RATE_SAMPLE
from tsnmf_ui.figures import supervision_rates as figures
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.theme import texts

NO_RATES = (
    "No curves yet. For each share of labelled texts, TS-NMF is fitted to several random sets of "
    "true labels and scored: the curve shows where more labels stop helping."
)
ALL_TEXTS, UNLABELLED_TEXTS = "All texts, as in the paper", "Texts without a label"
MEASURE_NAMES = {"Weighted Jaccard": "jaccard", "Labels resolved": "resolved"}
AXIS_TITLES = {"jaccard": "Weighted Jaccard (0 to 1)", "resolved": "Share of labels resolved"}
MAX_RATES = 4  # rates that stand beside models without labels


def render(values: Mapping[str, Any], n_docs: int) -> None:
    """A study as it was kept, of a project with so many documents."""
    study = RateStudy.from_dict(values)
    table = study.table()
    with st.container(key="panel-curves"):
        with st.container(horizontal=True):
            measure = MEASURE_NAMES[
                results_header.choice("Score", tuple(MEASURE_NAMES), "rates.score")
            ]
            scope = results_header.choice("Scored on", (ALL_TEXTS, UNLABELLED_TEXTS), "rates.scope")
        score = measure if scope == ALL_TEXTS else f"{measure}_rest"
        figure = figures.rate_curves(
            table, score=score, title="Score by share of labelled texts", axis=AXIS_TITLES[measure]
        )
        results_header.show(figure, key="rates.curves")
        st.caption(_caption(study, scope) + sample_sentence(n_docs))
    left, right = st.columns(2, gap="small")
    with left, st.container(key="panel-groups"):
        figure = figures.rate_groups(
            table, score=score, rates=_few(study), axis=AXIS_TITLES[measure]
        )
        results_header.show(figure, key="rates.groups")
    with right, st.container(key="panel-coverage"):
        _coverage(table, score)


def sample_sentence(n_docs: int) -> str:
    """Curves of a large corpus are those of a sample, and say so."""
    if n_docs <= RATE_SAMPLE:
        return ""
    return f" Fitted on a random sample of {RATE_SAMPLE:,} of the {n_docs:,} texts."


def _few(study: RateStudy) -> tuple[float, ...]:
    """Rates near the paper's 5, 20, 50 and 80 per cent."""
    wanted = (0.05, 0.2, 0.5, 0.8)
    near = (min(study.rates, key=lambda rate: abs(rate - want)) for want in wanted)
    return tuple(dict.fromkeys(near))[:MAX_RATES]


def _coverage(table: pd.DataFrame, score: str) -> None:
    """Whether it is the labels met or the documents labelled that count."""
    if not (table["rate"] > 0).any():
        st.caption("Choose a model that uses labels to see label coverage.")
        return
    results_header.show(figures.label_coverage(table), key="rates.coverage")
    with st.expander("Does label coverage matter on its own?"):
        results_header.show(figures.coverage_effect(table, score=score), key="rates.effect")


def _caption(study: RateStudy, scope: str) -> str:
    sets = texts.count(study.n_sets, "random set")
    whom = (
        "Includes labelled texts, where the model follows the labels."
        if scope == ALL_TEXTS
        else "Labelled texts are left out."
    )
    return (
        f"Median of {sets} of labels from {study.n_docs:,} texts with "
        f"{texts.count(study.n_labels, 'label')}; band: 80 % of the sets. {whom} "
        "Weighted: a labelled text counts more the fewer there are."
    )
