"""What to compare: models, runs, seeds and a judge; or rates and sets of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from core.evaluation.comparison import Judge
from core.evaluation.comparison.rates import (
    LABELLING_RATES,
    LDA_BASELINE,
    NMF_BASELINE,
    TSNMF_GUIDED,
    TSNMF_UNWEIGHTED,
    TSNMF_WEIGHTED,
    Variant,
)
from core.evaluation.held_out import MIN_LABELS_FOR_SCORES
from core.spec import COUNT_MODELS, ModelSpec
from core.store import Project, Run
from core.workspace.comparisons import RATE_SAMPLE, ComparisonRequest
from tsnmf_ui.pages.corpus.model_catalogue import BY_NAME, MAX_TOPICS, MODEL_CHOICES
from tsnmf_ui.pages.corpus.model_form import options_form
from tsnmf_ui.theme import texts

PAPER_MODEL = "tsnmf_paper"  # the project's own model as it was published, beside the one in use
PAPER_TITLE = "TS-NMF as in the paper"
PAPER_OPTIONS = {"guidance": 0.0, "labelled_weight": "inverse_rate"}
COMPARED_MODELS = (*(choice.name for choice in MODEL_CHOICES), PAPER_MODEL)
JUDGE_NAMES: Mapping[str, Judge] = {
    "Labels in the file": "truth",
    "A held-out fifth of your labels": "held_out",
    "Not scored: words, agreement and time only": "nothing",
}
JUDGE_HELP = (
    "Labels in the file score the texts nobody labelled. Held-out labels are hidden from the "
    "models and then predicted; each seed hides another fifth. Locks are ignored, because locked "
    "words were learnt from all labels."
)
SEEDS_HELP = (
    "Fits per model, each from another random start; the spread shows the effect of chance."
)
RUNS_HELP = "Earlier runs are compared as they are, without refitting."
SHOWN_RUNS = 20
CURVE_VARIANTS: Mapping[str, Variant] = {
    each.title: each
    for each in (TSNMF_UNWEIGHTED, TSNMF_WEIGHTED, TSNMF_GUIDED, NMF_BASELINE, LDA_BASELINE)
}


def title_of(name: str) -> str:
    return PAPER_TITLE if name == PAPER_MODEL else BY_NAME[name].title


def run_title(run: Run) -> str:
    """A run as one picks it from a list."""
    labelled = run.outcome.scores.n_labelled
    count = "" if labelled is None else f", {labelled:,} labelled"
    kind = BY_NAME[run.spec.model].title if run.spec.model in BY_NAME else run.spec.model
    return f"Run {run.id}: {kind}{count}"


def models_form(
    project: Project, n_named: int, runs: Sequence[Run], author: str
) -> ComparisonRequest | None:
    """Draw the question; what was asked when the button was pressed."""
    own = project.settings.spec.model
    names = st.pills(
        "Models",
        COMPARED_MODELS,
        selection_mode="multi",
        default=list(dict.fromkeys((own, "nmf" if own != "nmf" else "tsnmf"))),
        format_func=title_of,
        key="compare.models",
        wrap=True,
    )
    where = st.columns([0.4, 0.14, 0.12, 0.34], gap="small")
    with where[0]:
        earlier = _earlier(runs)
    n_topics = _whole_number(
        where[1], "Topics", max(2, n_named + project.settings.n_free), MAX_TOPICS
    )
    n_seeds = _whole_number(where[2], "Seeds", 3, 20, SEEDS_HELP)
    with where[3]:
        judge = _judge(project)
    options = _options(project, names)
    pressed = _go("Compare", _cost_sentence(names, n_seeds, judge), "compare.go")
    candidates = [_candidate(project, name, n_topics, options) for name in names]
    candidates += [
        {"title": run_title(run), "spec": run.spec.to_dict(), "run": run.id} for run in earlier
    ]
    if not pressed:
        return None
    return ComparisonRequest(
        project=project.id,
        kind="models",
        title=", ".join(each["title"] for each in candidates) or "nothing",
        author=author,
        candidates=tuple(candidates),
        seeds=tuple(range(n_seeds)),
        judge=judge,
    )


def _earlier(runs: Sequence[Run]) -> list[Run]:
    known = {run.id: run for run in runs[:SHOWN_RUNS]}
    chosen = st.multiselect(
        "Earlier runs",
        list(known),
        format_func=lambda number: run_title(known[number]),
        key="compare.runs",
        placeholder="None",
        help=RUNS_HELP,
    )
    return [known[number] for number in chosen]


def _whole_number(place: Any, label: str, value: int, most: int, help: str | None = None) -> int:
    key = f"compare.{label.lower()}"
    return int(place.number_input(label, 1, max(most, value), value, 1, key=key, help=help))


def _judge(project: Project) -> Judge:
    names = [
        name for name, kind in JUDGE_NAMES.items() if kind != "truth" or project.settings.has_truth
    ]
    index = (
        0
        if project.settings.has_truth or project.n_labelled >= MIN_LABELS_FOR_SCORES
        else len(names) - 1
    )
    return JUDGE_NAMES[
        st.selectbox("Scored on", names, index, key="compare.judge", help=JUDGE_HELP)
    ]


def _cost_sentence(names: Sequence[str], n_seeds: int, judge: Judge) -> str:
    n = len(names) * (n_seeds + (judge == "held_out"))
    counts = [title_of(name) for name in names if name in COUNT_MODELS]
    use = "uses" if len(counts) == 1 else "use"
    also = f" {', '.join(counts)} {use} plain counts of the same words." if counts else ""
    return f"{texts.count(n, 'fit')} in the background; you can keep labelling.{also}"


def _go(label: str, sentence: str, key: str) -> bool:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        pressed = st.button(label, key=key, type="primary", icon=":material/compare_arrows:")
        st.caption(sentence)
    return pressed


def _candidate(
    project: Project, name: str, n_topics: int, options: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    model = "tsnmf" if name == PAPER_MODEL else name
    chosen = PAPER_OPTIONS if name == PAPER_MODEL else options[name]
    seed = project.settings.spec.random_state
    spec = ModelSpec(model, n_topics=n_topics, random_state=seed, options=chosen)
    return {"title": title_of(name), "spec": spec.to_dict(), "run": None}


def _options(project: Project, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The options of the chosen models, those of the project's own as they are set."""
    chosen: dict[str, dict[str, Any]] = {}
    with st.expander("Model options"):
        columns = st.columns(3, gap="medium")
        for place, name in enumerate(name for name in names if name != PAPER_MODEL):
            own = project.settings.spec.model == name
            now = project.settings.spec if own else ModelSpec(name)
            with columns[place % 3]:
                chosen[name] = _options_of(name, now)
    return chosen


def _options_of(name: str, now: ModelSpec) -> dict[str, Any]:
    choice = BY_NAME[name]
    st.html(f'<h2 class="ts-heading">{escape(choice.title)}</h2>')
    if not choice.options:
        st.caption("No options.")
    return options_form(choice, now, f"compare.{name}")


def rates_form(project: Project, author: str) -> ComparisonRequest | None:
    """Draw the question about rates; what was asked when the button was pressed."""
    chosen = st.pills(
        "Models",
        list(CURVE_VARIANTS),
        selection_mode="multi",
        default=[
            TSNMF_UNWEIGHTED.title,
            TSNMF_WEIGHTED.title,
            TSNMF_GUIDED.title,
            NMF_BASELINE.title,
        ],
        key="rates.models",
        wrap=True,
    )
    left, right = st.columns([0.8, 0.2], gap="small")
    with left:
        rates = st.pills(
            "Share of texts labelled",
            LABELLING_RATES,
            selection_mode="multi",
            default=LABELLING_RATES,
            format_func=texts.percent,
            key="rates.rates",
            wrap=True,
        )
    n_sets = int(right.number_input("Sets of labels", 1, 50, 5, key="rates.sets"))
    variants = [CURVE_VARIANTS[name] for name in chosen]
    n = sum(len(rates) if each.supervised else 1 for each in variants) * n_sets
    caption = f"{texts.count(n, 'fit')} in the background, on true labels drawn at random."
    if project.n_docs > RATE_SAMPLE:
        caption += f" They use a random sample of {RATE_SAMPLE:,} texts."
    if not _go("Draw the curves", caption, "rates.go"):
        return None
    return ComparisonRequest(
        project=project.id,
        kind="rates",
        title=f"Supervision rates, {texts.count(n_sets, 'set')} of labels",
        author=author,
        variants=tuple(
            {"title": each.title, "spec": each.spec.to_dict(), "supervised": each.supervised}
            for each in variants
        ),
        rates=tuple(sorted(float(rate) for rate in rates)),
        n_sets=n_sets,
    )
