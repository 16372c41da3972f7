"""Scores: how good the topics are, and whether the last refit helped."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.metrics.matching import UNMATCHED, Matching
from core.store import Run
from tsnmf_ui import figures, results, state, texts, theme
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import passages, results_head
from tsnmf_ui.widgets.live import follow

FAIR, ALL = "Documents nobody labelled", "All documents"
LITTLE = 0.005  # a smaller difference is noise
EXPLAINED = (
    "Weighted Jaccard compares the documents of a label with those of a topic: 0 means none in "
    "common, 1 means the same documents in the same shares. Labels and topics are paired one to "
    "one so that the pairs are best together; above 0.1 a label counts as resolved."
)
NO_TRUTH = (
    "This corpus came without true labels, so there is nothing independent to score against. "
    "Your own labels cannot serve as a test: the model already obeys them. Load a corpus with a "
    "label column, and mark it as the truth, to see scores."
)


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_head.dress()
    _body(project.id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="scores-live")
    found = results.of(project)
    results_head.head(project, found)
    if found is None:
        results_head.nothing_yet(project)
    elif results.truth(project) is None:
        _without_truth(found)
    else:
        _with_truth(found)


def _with_truth(found: Results) -> None:
    scope = results_head.choice("Scored on", (FAIR, ALL), "scope", in_address=True)
    now = results.matching(found, everything=scope == ALL)
    if now is None or not now.n_labels:
        with st.container(key="panel-none"):
            st.markdown(
                "Every document is labelled, so none is left to judge by. Score all of them."
            )
        return
    before = results.matching_before(found, everything=scope == ALL)
    with st.container(key="panel-verdict"):
        st.html(f'<div class="ts-verdict">{_verdict(now, scope)} {_difference(now, before)}</div>')
        st.html(f'<div class="ts-quiet">{_caution(scope, compared=before is not None)}</div>')
    st.html(_numbers(found, now, before))
    left, right = st.columns([0.56, 0.44], gap="small")
    with left, st.container(key="panel-matching"):
        figure = figures.matching(now.table, colours=found.colours)
        results_head.show(figure, key="scores.matching")
        st.caption(EXPLAINED)
    with right:
        _history(found, scope)
        with st.container(key="panel-table"):
            st.html(_table(found, now, before))


def _verdict(now: Matching, scope: str) -> str:
    where = "nobody has labelled" if scope == FAIR else "of the corpus"
    documents = f"<b>{texts.count(now.n_documents, 'document')}</b>"
    return (
        f"On the {documents} {where}, <b>{now.n_resolved} of {now.n_labels}</b> labels have found "
        f"a topic of their own; the mean weighted Jaccard is <b>{now.mean_jaccard:.2f}</b> of 1."
    )


def _difference(now: Matching, before: Matching | None) -> str:
    """Did the last refit help? Said plainly, in red when it did not."""
    if before is None:
        return "This is the first fit, so there is nothing to compare it with yet."
    was, gain = before.mean_jaccard, now.mean_jaccard - before.mean_jaccard
    if abs(gain) < LITTLE:
        return f"The last refit changed little ({was:.3f} before)."
    if gain > 0:
        return f'<span class="ts-good">The last refit helped: it was {was:.2f} before.</span>'
    return f'<span class="ts-bad">The last refit made it worse: it was {was:.2f} before.</span>'


def _caution(scope: str, *, compared: bool) -> str:
    if scope == FAIR:
        both = " Both fits are judged on the same ones." if compared else ""
        return f"A fair test: the model has not been told about these documents.{both}"
    return (
        "Labelled documents are among them, and there the model obeys: read this as a "
        "description, not as a test."
    )


def _numbers(found: Results, now: Matching, before: Matching | None) -> str:
    change = (
        "" if before is None else f", {now.mean_jaccard - before.mean_jaccard:+.3f} by the refit"
    )
    return _cards(
        (f"{now.mean_jaccard:.2f}", f"mean weighted Jaccard{change}"),
        (f"{now.n_resolved} of {now.n_labels}", "labels resolved, above 0.1"),
        *_always(found),
    )


def _always(found: Results) -> list[tuple[str, str]]:
    """What can be said with and without true labels."""
    scores = found.run.scores
    kept = scores.get("adherence")
    cards = [] if kept is None else [(texts.percent(kept), "adherence: labels the model keeps")]
    change = scores.get("change")
    if change and change.get("stability") is not None:
        note = f"of top words kept by the refit, {texts.count(change['moved'], 'document')} moved"
        cards.append((texts.percent(change["stability"]), note))
    return cards


def _cards(*cards: tuple[str, str]) -> str:
    inside = "".join(f"<div><b>{escape(n)}</b><span>{escape(t)}</span></div>" for n, t in cards)
    return f'<div class="ts-numbers">{inside}</div>'


def _history(found: Results, scope: str) -> None:
    ending = "_all" if scope == ALL else ""
    table = _scores_of(state.store().runs(found.project.id), f"mean_jaccard{ending}")
    if len(table) < 2:
        return
    with st.container(key="panel-history"):
        results_head.show(figures.score_history(table), key="scores.history")
        if scope == FAIR:
            st.caption("Each fit on the documents that were unlabelled at its time.")


def _scores_of(runs: list[Run], name: str) -> pd.DataFrame:
    """A score of every run that has it, oldest first."""
    known = [run for run in reversed(runs) if run.scores.get(name) is not None]
    return pd.DataFrame(
        {
            "run": range(1, len(known) + 1),
            "score": [run.scores[name] for run in known],
            "labelled": [run.scores.get("n_labelled", 0) for run in known],
            "finished": [f"{run.finished:%d %b %Y, %H:%M}" for run in known],
        }
    )


def _table(found: Results, now: Matching, before: Matching | None) -> str:
    """Label by label, the weakest first: that is where labels help."""
    earlier = {} if before is None else _jaccards(before)
    rows = now.table[now.table["documents"] > 0].sort_values("jaccard", kind="stable")
    columns = (rows["label"], rows["topic"], rows["jaccard"], rows["documents"], rows["resolved"])
    body = "".join(_row(found, earlier, *cells) for cells in zip(*columns, strict=True))
    head = "<th>Label</th><th>Topic</th><th class='n'>Jaccard</th><th class='n'>Documents</th>"
    return (
        '<div class="ts-heading">Label by label, weakest first</div>'
        f'<table class="ts-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _row(
    found: Results,
    earlier: dict[str, float],
    label: str,
    topic: int,
    jaccard: float,
    documents: int,
    resolved: bool,
) -> str:
    matched = topic != UNMATCHED
    name = found.topics.names[topic] if matched else "no topic"
    colour = found.colours[topic] if matched else theme.FREE
    gain = jaccard - earlier.get(label, jaccard)
    arrow = "" if abs(gain) < LITTLE else f' <small class="ts-{_tone(gain)}">{gain:+.2f}</small>'
    shown = f"{jaccard:.2f}" if resolved else f'<span class="ts-bad">{jaccard:.2f}</span>'
    return (
        f"<tr><td>{escape(label)}</td><td>{passages.topic_name(name, colour)}</td>"
        f'<td class="n">{shown}{arrow}</td><td class="n">{documents:,}</td></tr>'
    )


def _tone(gain: float) -> str:
    return "good" if gain > 0 else "bad"


def _jaccards(found: Matching) -> dict[str, float]:
    return dict(zip(found.table["label"], found.table["jaccard"], strict=True))


def _without_truth(found: Results) -> None:
    n = found.project.n_labelled
    with st.container(key="panel-verdict"):
        st.html(
            f'<div class="ts-verdict">How good the topics are cannot be told here. '
            f"{_held(found)}</div>"
            f'<div class="ts-quiet">{NO_TRUTH}</div>'
        )
    st.html(_cards(*_always(found), (f"{n:,}", f"of {found.project.n_docs:,} documents labelled")))
    with st.container(key="panel-topics"):
        st.html(_label_table(found))


def _held(found: Results) -> str:
    """What can be told without true labels."""
    kept, n = found.run.scores.get("adherence"), found.project.n_labelled
    if kept is None:
        return "To this model labels are not binding; topics bear the names of labels they match."
    documents = f"<b>{texts.count(n, 'document')}</b>"
    return f"What can: the model keeps <b>{texts.percent(kept)}</b> of the labels on {documents}."


def _label_table(found: Results) -> str:
    """Labels per topic, fewest first: a topic without labels is the model's own guess."""
    body = "".join(
        f"<tr><td>{passages.topic_name(found.topics.names[topic], found.colours[topic])}</td>"
        f'<td class="n">{found.labelled[topic]:,}</td>'
        f'<td class="n">{found.sizes[topic].documents:,} of {found.sizes[topic].of:,}</td></tr>'
        for topic in results.order(found, "Fewest labels")
    )
    head = "<th>Topic</th><th class='n'>Labelled</th><th class='n'>Main topic of</th>"
    return (
        '<div class="ts-heading">Labels by topic, fewest first</div>'
        f'<table class="ts-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )
