"""What a comparison found: the verdict, the table, words side by side, texts read differently."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

from core.comparison import Comparison, Entry
from core.scoring import ABOUT
from core.store import Project, Run, comparisons
from core.store.comparisons import Kept
from tsnmf_ui import comparing, results, selections, state, texts
from tsnmf_ui.figures import comparison as figures
from tsnmf_ui.selections import Selection
from tsnmf_ui.widgets import compare_tables, results_head
from tsnmf_ui.widgets.compare_form import run_title
from tsnmf_ui.widgets.compare_tables import Shown

LISTED = 12  # documents drawn at once
OFFERED = 100  # documents handed to the Label page
CURRENT = "Show its topics on every page, and refit it after each label."
GONE = "Its topics are no longer kept. Run the comparison again, then it can be made current."
UNJUDGED = (
    "Nothing judged these models, so none can be called better; compare their words, how far they "
    "agree and what they cost."
)


def choose(kept: Sequence[Kept]) -> Kept:
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


def _when(kept: Kept) -> str:
    took = texts.seconds(kept.seconds)
    return f"{state.moment(kept.made)} · {kept.title} · {took} in all"


def scores(project: Project, shown: Shown) -> int:
    """Verdict and table; the place, from 1, of the model whose button was pressed, else 0."""
    found = shown.found
    with st.container(key="panel-verdict"):
        st.html(f'<div class="ts-verdict">{verdict(found)}</div>')
        behind = comparing.acts_since(state.store(), project, shown.kept.revision)
        st.html(f'<div class="ts-quiet">{_lead(found)} {_basis(found, behind)}</div>')
    names = compare_tables.measures(found)
    best = compare_tables.best_values(found, names)
    pressed = 0
    with st.container(key="panel-table"):
        wide, _ = st.columns([0.88, 0.12], gap="small", vertical_alignment="bottom")
        wide.html(compare_tables.head(names))
        for place, entry in enumerate(found.entries):
            if _row(project, shown, place, entry, names, best):
                pressed = place + 1
    _figure(found, names)
    return pressed


def _row(
    project: Project,
    shown: Shown,
    place: int,
    entry: Entry,
    names: Sequence[str],
    best: dict[str, float],
) -> bool:
    with st.container(key=f"score-row-{place}"):
        wide, narrow = st.columns([0.88, 0.12], gap="small", vertical_alignment="center")
        wide.html(compare_tables.row(entry, names, best, shown.found.n_judged_labels))
        with narrow:
            if in_use(project, entry):
                st.html('<div class="ts-in-use">in use</div>')
                return False
            there = comparisons.has_topics(state.store().home, project.id, shown.kept.number)
            return st.button(
                "Make current",
                key=f"compare.current.{place}",
                help=CURRENT if there else GONE,
                disabled=not there,
            )


def in_use(project: Project, entry: Entry) -> bool:
    """Whether the project fits this model with these settings."""
    spec, own = entry.spec, project.settings.spec
    alike = spec.model == own.model and dict(spec.options) == dict(own.options)
    same_size = own.n_topics in (None, spec.n_topics)
    return entry.run is None and alike and same_size


def verdict(found: Comparison) -> str:
    """Who did best."""
    ranked = _ranked(found)
    if not ranked:
        return UNJUDGED
    said = (
        f"<b>{escape(ranked[0].title)}</b> found the labels best: weighted Jaccard "
        f"<b>{ranked[0].mean('jaccard'):.2f}</b> of 1"
    )
    if len(ranked) == 1:
        return f"{said}."
    return f"{said}, then <b>{escape(ranked[1].title)}</b> with {ranked[1].mean('jaccard'):.2f}."


def _ranked(found: Comparison) -> list[Entry]:
    judged = [entry for entry in found.entries if entry.values("jaccard")]
    return sorted(judged, key=lambda entry: -(entry.mean("jaccard") or 0.0))


def _lead(found: Comparison) -> str:
    """Whether the first is ahead of the second by more than chance."""
    ranked = _ranked(found)
    if len(ranked) < 2:
        return ""
    if _range(ranked[0])[0] > _range(ranked[1])[1]:
        return '<span class="ts-good">The lead is more than chance.</span>'
    return "<b>The lead may be chance:</b> the ranges of the two overlap."


def _range(entry: Entry) -> tuple[float, float]:
    """Where the score lies over seeds and over documents like those judged."""
    known = [*entry.values("jaccard"), *entry.intervals.get("jaccard", ())]
    return min(known), max(known)


def _basis(found: Comparison, behind: int) -> str:
    judged = texts.count(found.n_judged, "text")
    told = {
        "truth": f"Judged by the true labels of {judged} that nobody labelled.",
        "held_out": f"Judged by your labels on {judged} per seed, which the models were not told.",
        "nothing": "",
    }[found.judge]
    seeds = f"{texts.count(len(found.seeds), 'seed')} each"
    since = f" Since then: {texts.count(behind, 'act')}." if behind > 0 else ""
    labelled = f"{found.n_labelled:,} of {found.n_docs:,} texts labelled"
    return f"{told} {labelled}, {seeds}.{since}".strip()


def _figure(found: Comparison, names: Sequence[str]) -> None:
    drawn = {compare_tables.title(name): name for name in names if name in ABOUT}
    if not drawn:
        return
    with st.container(key="panel-figure"):
        chosen = drawn[results_head.choice("Score", tuple(drawn), "compare.score")]
        title = f"{ABOUT[chosen].title}, seed by seed"
        figure = figures.model_scores(_table(found, chosen), title=title, axis=ABOUT[chosen].title)
        results_head.show(figure, key="compare.figure")
        st.caption(
            f"{ABOUT[chosen].sentence} Dots are seeds, bars their mean; a line is where the score "
            "would lie for other texts like those judged."
        )


def _table(found: Comparison, name: str) -> pd.DataFrame:
    rows = [
        {"candidate": entry.title, "seed": seed, "value": value, "low": low, "high": high}
        for entry in found.entries
        for low, high in [entry.intervals.get(name, (None, None))]
        for seed, value in zip(found.seeds, entry.scores.get(name, ()), strict=False)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["candidate", "seed", "value", "low", "high"])


def words(shown: Shown) -> None:
    """Matched topics side by side."""
    titles = [entry.title for entry in shown.found.entries]
    with st.container(key="panel-words"):
        narrow, _ = st.columns([0.36, 0.64])
        place = narrow.selectbox(
            "Topics of",
            range(len(titles)),
            format_func=lambda place: titles[place],
            key=f"compare.reference.{shown.kept.number}",
        )
        st.html(compare_tables.side_by_side(shown, int(place)))
        st.caption(
            "Topics are paired one to one so that their texts are most alike in all "
            "(Kuhn–Munkres). Words in colour are not among the words of the first column."
        )


def apart(project: Project, shown: Shown) -> None:
    """How far the models agree, and the documents on which they do not."""
    found = shown.found
    titles = [entry.title for entry in found.entries]
    left, right = st.columns([0.44, 0.56], gap="small")
    with left, st.container(key="panel-agreement"):
        figure = figures.agreement(titles, _matrix(found))
        points = results_head.show_clickable(figure, key=f"compare.agreement.{shown.kept.number}")
        st.caption(
            "Topics are paired first. On the diagonal, a model with itself from other seeds: "
            "more agreement than that cannot be expected. Click a cell for its texts."
        )
    pair = _pair(points)
    rows = _documents_of(found, pair)
    with right, st.container(key="panel-apart"):
        _list(project, shown, pair, rows)


def _matrix(found: Comparison) -> list[list[float | None]]:
    n = len(found.entries)
    values: list[list[float | None]] = [[None] * n for _ in range(n)]
    for place, entry in enumerate(found.entries):
        values[place][place] = entry.agreement
    for pair in found.pairs:
        values[pair.first][pair.second] = values[pair.second][pair.first] = pair.agreement
    return values


def _pair(points: Sequence[dict[str, object]]) -> tuple[int, int] | None:
    for point in points:
        cell = point.get("customdata")
        if isinstance(cell, list) and cell[0] != cell[1]:
            return int(cell[0]), int(cell[1])
    return None


def _documents_of(found: Comparison, pair: tuple[int, int] | None) -> list[tuple[int, float]]:
    chosen = None if pair is None else found.pair(*pair)
    return list(found.documents if chosen is None else chosen.documents)


def _list(
    project: Project,
    shown: Shown,
    pair: tuple[int, int] | None,
    rows: Sequence[tuple[int, float]],
) -> None:
    titles = [shown.found.entries[place].title for place in pair or ()]
    between = " and ".join(titles) if titles else "the models"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="ts-heading">Where {escape(between)} differ most</div>')
        offered = [position for position, _ in rows[:OFFERED]]
        if offered and st.button(
            f"Label {'these' if len(offered) == 1 else f'these {len(offered)}'}",
            key="compare.label",
            icon=":material/label:",
        ):
            _label(project, f"Where {between} differ", offered)
    found = results.documents_at(project.id, [position for position, _ in rows[:LISTED]])
    drawn = [(at, far, found[at]) for at, far in rows[:LISTED]]
    with st.container(height=560, border=False):
        st.html(compare_tables.documents(shown, drawn))


def _label(project: Project, title: str, positions: Sequence[int]) -> None:
    chosen = Selection.of(project.id, title, positions)
    key = selections.keep(state.store().home, chosen)
    state.go("label", **{selections.IN_ADDRESS: key})


def runs(listed: Sequence[Run]) -> Run | None:
    """Every run that can be brought back, newest first; the one whose button was pressed."""
    chosen = None
    with st.container(key="panel-runs"):
        st.html(
            '<div class="ts-heading">Runs, newest first</div><div class="ts-quiet">Each keeps its '
            "settings. Making one current brings both back; labels stay as they are.</div>"
        )
        for place, run in enumerate(listed):
            with st.container(key=f"score-row-{run.id}"):
                wide, narrow = st.columns([0.86, 0.14], gap="small", vertical_alignment="center")
                wide.html(_run(run))
                with narrow:
                    if place == 0:
                        st.html('<div class="ts-in-use">current</div>')
                    elif st.button("Make current", key=f"compare.run.{run.id}"):
                        chosen = run
    return chosen


def _run(run: Run) -> str:
    score = run.scores.get("mean_jaccard")
    cells = [
        state.moment(run.finished),
        "" if score is None else f"{score:.2f} weighted Jaccard",
        texts.seconds(run.seconds),
    ]
    told = "".join(f"<div>{escape(cell)}</div>" for cell in cells)
    kind = "brought back" if not run.automatic else "fitted by itself"
    return (
        f'<div class="ts-scores" style="--n:{len(cells)}"><div>{escape(run_title(run))}'
        f"<small>{kind}</small></div>{told}</div>"
    )
