"""What a comparison found: the verdict, and the table of scores with its figure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

from core.evaluation.comparison import Comparison, ComparisonEntry
from core.evaluation.scoring import SCORE_INFO
from core.store import Project
from core.store.runs import comparisons
from core.store.runs.comparisons import ComparisonSummary
from core.workspace.scores import score_history
from tsnmf_ui.figures import comparison as figures
from tsnmf_ui.pages.compare import tables
from tsnmf_ui.pages.compare.tables import ComparisonView
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

USE_MODEL_HELP = "Show its topics on every page, and refit it after each label."
TOPICS_NOT_STORED = "Its topics are no longer stored. Run the comparison again to use it."
NOT_SCORED = (
    "These models were not scored, so none is better; compare their words, agreement and time."
)


def choose(kept: Sequence[ComparisonSummary]) -> ComparisonSummary:
    """The newest comparison, or the one that is picked."""
    if len(kept) == 1:
        st.html(f'<div class="ts-quiet">{escape(_when(kept[0]))}</div>')
        return kept[0]
    by_number = {each.number: each for each in kept}
    number = st.selectbox(
        "Comparison",
        list(by_number),
        format_func=lambda number: _when(by_number[number]),
        # Another list, another box: a new comparison is shown at once, a deleted one forgotten.
        key=f"compare.kept.{kept[0].kind}.{kept[0].number}.{len(kept)}",
        label_visibility="collapsed",
    )
    return by_number[number]


def _when(kept: ComparisonSummary) -> str:
    took = texts.seconds(kept.seconds)
    return f"{state.local_time(kept.made)} · {kept.title} · {took} in total"


def scores(project: Project, shown: ComparisonView) -> int:
    """Verdict and table; the place, from 1, of the model whose button was pressed, else 0."""
    found = shown.found
    with st.container(key="panel-verdict"):
        st.html(f'<div class="ts-verdict">{verdict(found)}</div>')
        basis = f"{_basis(found)} {state_compared(project, shown)}".strip()
        st.html(f'<div class="ts-quiet">{_lead(found)} {basis}</div>')
    names = tables.measures(found)
    best = tables.best_values(found, names)
    pressed = 0
    with st.container(key="panel-table"):
        wide, _ = st.columns([0.88, 0.12], gap="small", vertical_alignment="bottom")
        wide.html(tables.head(names))
        for place, entry in enumerate(found.entries):
            if _row(project, shown, place, entry, names, best):
                pressed = place + 1
        if sentence := beside_scores(project, found):
            st.caption(sentence)
    _figure(found, names)
    return pressed


def _row(
    project: Project,
    shown: ComparisonView,
    place: int,
    entry: ComparisonEntry,
    names: Sequence[str],
    best: dict[str, float],
) -> bool:
    with st.container(key=f"score-row-{place}"):
        wide, narrow = st.columns([0.88, 0.12], gap="small", vertical_alignment="center")
        wide.html(tables.row(entry, names, best, shown.found.n_judged_labels))
        with narrow:
            if in_use(project, entry):
                st.html('<div class="ts-in-use">in use</div>')
                return False
            if not state.may_change(project.id):
                return False
            there = comparisons.has_topics(state.store().home, project.id, shown.kept.number)
            return st.button(
                texts.distinct_label("Make current", entry.title),
                key=f"compare.current.{place}",
                help=USE_MODEL_HELP if there else TOPICS_NOT_STORED,
                disabled=not there,
            )


def in_use(project: Project, entry: ComparisonEntry) -> bool:
    """Whether the project fits this model with these settings."""
    spec, own = entry.spec, project.settings.spec
    alike = spec.model == own.model and dict(spec.options) == dict(own.options)
    same_size = own.n_topics in (None, spec.n_topics)
    return entry.run is None and alike and same_size


def beside_scores(project: Project, found: Comparison) -> str:
    """Why the model in use has another number on the Scores page, where it has."""
    entry = next((each for each in found.entries if in_use(project, each)), None)
    board = score_history(state.store(), project)
    here = None if entry is None else entry.mean("first")
    there = None if board is None or board.point is None else board.point.value("first")
    if here is None or there is None or texts.percent(here) == texts.percent(there):
        return ""
    mean = f"the mean of {len(found.seeds)} seeds" if len(found.seeds) > 1 else "one seed"
    judged = {"held_out": ", each with another fifth of the labels held out"}.get(found.judge, "")
    title = SCORE_INFO["first"].title
    return (
        f"Model in use: “{title}” is {texts.percent(here)} here, {mean}{judged}, "
        f"and {texts.percent(there)} on Scores, which scores the fit on screen."
    )


def verdict(found: Comparison) -> str:
    """Who did best."""
    ranked = _ranked(found)
    if not ranked:
        return NOT_SCORED
    winner = (
        f"<b>{escape(ranked[0].title)}</b> matches the labels best: weighted Jaccard "
        f"<b>{ranked[0].mean('jaccard'):.2f}</b>"
    )
    if len(ranked) == 1:
        return f"{winner}."
    return f"{winner}, then <b>{escape(ranked[1].title)}</b> with {ranked[1].mean('jaccard'):.2f}."


def _ranked(found: Comparison) -> list[ComparisonEntry]:
    judged = [entry for entry in found.entries if entry.values("jaccard")]
    return sorted(judged, key=lambda entry: -(entry.mean("jaccard") or 0.0))


def _lead(found: Comparison) -> str:
    """Whether the first is ahead of the second by more than chance."""
    ranked = _ranked(found)
    if len(ranked) < 2:
        return ""
    if _range(ranked[0])[0] > _range(ranked[1])[1]:
        return '<span class="ts-good">The difference is larger than chance.</span>'
    return "<b>The difference may be chance:</b> the two ranges overlap."


def _range(entry: ComparisonEntry) -> tuple[float, float]:
    """Where the score lies over seeds and over documents like those judged."""
    known = [*entry.values("jaccard"), *entry.intervals.get("jaccard", ())]
    return min(known), max(known)


def state_compared(project: Project, shown: ComparisonView) -> str:
    """Which labels were compared with, and whether there are others by now."""
    found = shown.found
    labelled = f"{found.n_labelled:,} of {found.n_docs:,} texts labelled"
    seeds = f"{texts.count(len(found.seeds), 'seed')} each"
    behind = state.store().count_changes(project.id, after=shown.kept.revision)
    since = f" {texts.count(behind, 'event')} since then." if behind else ""
    return f"{labelled}, {seeds}.{since}"


def _basis(found: Comparison) -> str:
    judged = texts.count(found.n_judged, "text")
    return {
        "truth": f"Scored on the true labels of {judged} that nobody labelled.",
        "held_out": f"Scored on your held-out labels: {judged} per seed.",
        "nothing": "",
    }[found.judge]


def _figure(found: Comparison, names: Sequence[str]) -> None:
    drawn = {tables.title(name): name for name in names if name in SCORE_INFO}
    if not drawn:
        return
    with st.container(key="panel-figure"):
        chosen = drawn[results_header.choice("Score", tuple(drawn), "compare.score")]
        title = f"{SCORE_INFO[chosen].title}, seed by seed"
        figure = figures.model_scores(
            _table(found, chosen), title=title, axis=SCORE_INFO[chosen].title
        )
        results_header.show(figure, key="compare.figure")
        st.caption(f"{SCORE_INFO[chosen].sentence} Dots: seeds. Bars: mean. Lines: 95 % interval.")


def _table(found: Comparison, name: str) -> pd.DataFrame:
    rows = [
        {"candidate": entry.title, "seed": seed, "value": value, "low": low, "high": high}
        for entry in found.entries
        for low, high in [entry.intervals.get(name, (None, None))]
        for seed, value in zip(found.seeds, entry.scores.get(name, ()), strict=False)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["candidate", "seed", "value", "low", "high"])
