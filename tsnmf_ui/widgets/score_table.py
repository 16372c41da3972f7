"""All scores in one table; every row explains itself and opens its definition."""

from __future__ import annotations

import re
from html import escape

from core.metrics.definitions import definition
from core.progress import Point
from core.scoring import ABOUT
from tsnmf_ui import scoreboard

GROUPS = (
    ("Against labels the fit was not told", ("first", "accuracy", "f1_micro", "f1_macro")),
    ("Topics against labels", ("jaccard", "resolved", "hard", "soft")),
    ("How the topics read", ("coherence", "diversity")),
    ("How it keeps to your labels, and how steady it is", ("adherence", "kept_words")),
)


def html(point: Point, before: Point | None) -> str:
    """The table as markup; ``before`` is the fit before the last labels."""
    body = "".join(_group(title, names, point, before) for title, names in GROUPS)
    earlier = "Before" if before is None else f"With {before.labelled:,} labels"
    head = (
        "<th>Score</th><th class='n'>Now</th><th class='n'>95 % interval</th>"
        f"<th class='n'>{earlier}</th><th>What it says</th>"
    )
    return (
        '<div class="ts-heading">All scores</div>'
        f'<table class="ts-table ts-scores"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _group(title: str, names: tuple[str, ...], point: Point, before: Point | None) -> str:
    rows = [_row(name, point, before) for name in names if name in point.scores]
    if not rows:
        return ""
    return f'<tr class="ts-group"><td colspan="5">{escape(title)}</td></tr>' + "".join(rows)


def _row(name: str, point: Point, before: Point | None) -> str:
    value, low, high, note = point.scores[name]
    between = (
        "" if low is None else f"{scoreboard.number(name, low)} to {scoreboard.number(name, high)}"
    )
    was = None if before is None else before.value(name)
    earlier = "" if was is None else scoreboard.number(name, was)
    return (
        f"<tr><td>{escape(ABOUT[name].title)}</td>"
        f'<td class="n"><b>{scoreboard.number(name, value)}</b></td><td class="n">{between}</td>'
        f'<td class="n">{earlier}</td><td>{_explained(name, note)}</td></tr>'
    )


def _explained(name: str, note: str) -> str:
    judged = note.startswith("on ")  # the same for all: said on top
    said = ABOUT[name].sentence if judged or not note else f"{ABOUT[name].sentence} ({note})"
    return (
        f"<details><summary>{escape(said)} <u>Definition</u></summary>"
        f"<p>{_inline(definition(name))}</p></details>"
    )


def _inline(text: str) -> str:
    """The two marks our own pages use: bold and slanted."""
    plain = escape(text, quote=False)
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", bold)
