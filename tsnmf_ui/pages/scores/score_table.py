"""All scores in one table; every row explains itself and opens its definition."""

from __future__ import annotations

import re
from html import escape

from core.evaluation.metrics.definitions import definition
from core.evaluation.progress import EvaluatedRun
from core.evaluation.score_format import format_interval, format_score, is_shown
from core.evaluation.scoring import SCORE_INFO

SCORE_GROUPS = (
    ("On held-out labels", ("first", "accuracy", "f1_micro", "f1_macro")),
    ("Topics against labels", ("jaccard", "resolved", "hard", "soft")),
    ("Topic quality", ("coherence", "diversity", "label_sparsity")),
    ("Stability", ("kept_words",)),
    ("Labels not followed", ("adherence",)),
)

SECOND_TOPIC_COUNTS = (
    "It is above “Main topic correct” because a second topic with 30 % or more of a text "
    "counts here."
)


def earlier_texts(labelled: int) -> str:
    """Why a number of the earlier run is not the one in the sentence on top."""
    return (
        f"“With {labelled:,} labels” counts all texts that were scored then; the sentence at the "
        "top compares only those scored both times."
    )


def html(point: EvaluatedRun, before: EvaluatedRun | None) -> str:
    """The table as markup; ``before`` is the fit before the last labels."""
    body = "".join(_group(title, names, point, before) for title, names in SCORE_GROUPS)
    earlier = "Before" if before is None else f"With {before.labelled:,} labels"
    head = (
        "<th>Score</th><th class='n'>Now</th><th class='n'>95 % interval</th>"
        f"<th class='n'>{earlier}</th><th>What it says</th>"
    )
    return (
        '<h2 class="ts-heading">All scores</h2>'
        f'<table class="ts-table ts-scores"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _group(
    title: str, names: tuple[str, ...], point: EvaluatedRun, before: EvaluatedRun | None
) -> str:
    rows = [_row(name, point, before) for name in names if is_shown(name, point.value(name))]
    if not rows:
        return ""
    return f'<tr class="ts-group"><td colspan="5">{escape(title)}</td></tr>' + "".join(rows)


def _row(name: str, point: EvaluatedRun, before: EvaluatedRun | None) -> str:
    value, _, _, note = point.scores[name]
    shown, between = format_score(name, value), format_interval(name, point.scores[name])
    was = None if before is None else before.value(name)
    earlier = "" if was is None else format_score(name, was)
    tone = ' class="ts-bad"' if name == "adherence" else ""
    explained = _explained(name, note, _remark(name, point))
    return (
        f"<tr><td>{escape(SCORE_INFO[name].title)}</td>"
        f'<td class="n"><b{tone}>{escape(shown)}</b></td><td class="n">{escape(between)}</td>'
        f'<td class="n">{escape(earlier)}</td><td>{explained}</td></tr>'
    )


def _remark(name: str, point: EvaluatedRun) -> str:
    """Where the whole set is right more often than the main topic: how that can be."""
    main, whole = point.value("first"), point.value("accuracy")
    higher = name == "accuracy" and main is not None and whole is not None and whole > main
    return f" {SECOND_TOPIC_COUNTS}" if higher else ""


def _explained(name: str, note: str, remark: str) -> str:
    judged = note.startswith("on ")  # the same for all: explanation on top
    about = SCORE_INFO[name].sentence + remark
    explanation = about if judged or not note else f"{about} ({note})"
    return (
        f"<details><summary>{escape(explanation)} <u>Definition</u></summary>"
        f"<p>{_inline(definition(name))}</p></details>"
    )


def _inline(text: str) -> str:
    """The two marks our own pages use: bold and slanted."""
    plain = escape(text, quote=False)
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", bold)
