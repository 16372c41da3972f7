"""A project in a few lines: how far it is, how fresh, how good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from html import escape

import streamlit as st

from core.store import Project, RunSummary, Topic
from core.workspace.scores.left_out_trend import left_out_of
from tsnmf_ui.theme import style, texts

MAX_TOPIC_NAMES = 6  # topics named on a card

_AGE_UNITS = (  # age in seconds up to which it is told in this unit
    (3_600, 60, "minute"),
    (86_400, 3_600, "hour"),
    (30 * 86_400, 86_400, "day"),
)


def ago(moment: datetime, now: datetime | None = None) -> str:
    """How long ago, the way one would say it; a date when it is long ago."""
    age = ((now or datetime.now(UTC)) - moment) / timedelta(seconds=1)
    if age < 60:
        return "just now"
    for limit, unit, name in _AGE_UNITS:
        if age < limit:
            return f"{texts.count(int(age // unit), name)} ago"
    return f"{moment:%d %b %Y}"


def project_card(project: Project, topics: Sequence[Topic]) -> None:
    """Draw the card's body; whatever a person typed is escaped."""
    demo = "<i>Demo</i>" if project.settings.demo else ""
    facts = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in _facts(project))
    st.html(
        f'<div class="ts-project"><h2><span>{escape(project.name)}</span>{demo}</h2>'
        f"{_progress(project)}<dl>{facts}</dl>{_topics(topics)}</div>"
    )


def _progress(project: Project) -> str:
    share = project.n_labelled / project.n_docs
    width = 0 if not share else max(share * 100, 1.5)  # one label must be visible
    return (
        f'<div><div class="ts-progress"><span>{texts.count(project.n_docs, "text")}</span>'
        f"<span><b>{project.n_labelled:,}</b> labelled</span></div>"
        f'<div class="ts-progress-bar"><i style="width:{width:.1f}%"></i></div></div>'
    )


def _facts(project: Project) -> list[tuple[str, str]]:
    run = project.last_run
    if run is None:
        return [("Created", ago(project.created)), ("Topics", "not fitted yet")]
    fitted = f"{ago(run.finished)}, in {texts.seconds(run.seconds)}"
    name, score = _score(run)
    return [("Last refit", fitted), (name, f"{score}{_labels_then(project, run)}")]


def _labels_then(project: Project, run: RunSummary) -> str:
    """How many labels the score is about, where there are more or fewer by now."""
    then = run.scores.n_labelled
    if not then or then == project.n_labelled:
        return ""
    return f" · with {texts.count(then, 'label')}"


def _score(run: RunSummary) -> tuple[str, str]:
    """The match with the labels in the file where there are any, else what the guide gets right.

    Where labels are rules the model follows them all by construction: only a broken one is news.
    """
    match, adherence = run.scores.mean_jaccard, run.scores.adherence
    resolved, labels = run.scores.n_resolved, run.scores.n_labels
    if adherence is not None and adherence < 1:
        return "Labels", f'<b class="ts-bad">{texts.percent(1 - adherence, 1)} not followed</b>'
    if match is not None and labels != 0:  # 0: every text with a known label is labelled here
        counted = f"{escape(f'{resolved} of {labels}')} labels resolved · " if labels else ""
        return "Score", f"{counted}Jaccard {match:.2f}"
    labelled = run.scores.n_labelled
    if not labelled:
        return "Score", "after the first labels"
    if adherence is None:
        return "Labels", f"{labelled:,} given; no rules to this model"
    judged = left_out_of(run.scores)
    if judged is not None and judged.enough:
        share = texts.percent(judged.share)
        return "Score", f"right on {judged.right:,} of {judged.of:,} labels left out, {share}"
    return "Labels", f"{texts.count(labelled, 'text')} used in the fit"


def _topics(topics: Sequence[Topic]) -> str:
    names = [
        f'<span class="ts-topic" style="--c:{style.topic_colour(topic.colour)}">'
        f"{escape(topic.name)}</span>"
        for topic in topics
    ]
    first, rest = "".join(names[:MAX_TOPIC_NAMES]), "".join(names[MAX_TOPIC_NAMES:])
    more = texts.and_more(
        f'<div class="ts-project-topics">{rest}</div>', len(names) - MAX_TOPIC_NAMES
    )
    return f'<div class="ts-project-topics">{first}{more}</div>' if topics else ""
