"""Every document with its topics and labels, as CSV that a spreadsheet opens without harm.

A cell that begins with ``= + - @`` (also full-width), a tab or a line break could start a formula
in a spreadsheet. Such cells get an apostrophe in front, which spreadsheets show as text; remove it
to have the original back. Numbers of our own are written as they are.
"""

from __future__ import annotations

import csv
import io

from core import summaries
from core.corpus import Corpus
from core.supervision import Supervision
from core.topics import Topics

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
SEPARATOR = "; "
BOM = "\ufeff"  # tells Excel that the file is UTF-8


def formula_safe(cell: str) -> str:
    """The cell, harmless in a spreadsheet."""
    return f"'{cell}" if cell.startswith(STARTS_A_FORMULA) else cell


def documents_csv(topics: Topics, corpus: Corpus, supervision: Supervision) -> bytes:
    """UTF-8 with a byte order mark; one row per document, in the order of the corpus."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    side = list(corpus.side)
    header = ["id", "text", "date", "given labels", "labels", "main topic", "main topic share"]
    header += side + [f"share of {name}" for name in topics.names]
    writer.writerow([formula_safe(name) for name in header])
    labels = _label_cells(supervision)
    main, shares = summaries.main_topics(topics).tolist(), topics.shares()
    for position, document in enumerate(corpus):
        share = shares[position].tolist()
        best = main[position]
        texts = [
            document.id,
            document.text,
            "" if document.date is None else document.date.isoformat(),
            SEPARATOR.join(document.labels),
            labels[position],
            "" if best < 0 else topics.names[best],
        ]
        numbers = [f"{value:.4f}" for value in share]
        writer.writerow(
            [formula_safe(cell) for cell in texts]
            + ["" if best < 0 else f"{share[best]:.4f}"]
            + [formula_safe(document.side[name]) for name in side]
            + numbers
        )
    return (BOM + out.getvalue()).encode("utf-8", "replace")


def _label_cells(supervision: Supervision) -> list[str]:
    """The labels people gave, joined; documents of which nothing fits say so."""
    names, permitted = supervision.names, supervision.permitted
    cells = []
    for row, nothing in enumerate(supervision.nothing_fits.tolist()):
        carried = permitted.indices[permitted.indptr[row] : permitted.indptr[row + 1]]
        cells.append("(nothing fits)" if nothing else SEPARATOR.join(names[j] for j in carried))
    return cells
