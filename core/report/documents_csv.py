"""Every document with its topics and labels, as CSV that is safe to open in a spreadsheet.

Cells that could start a formula get an apostrophe in front; remove it to get the original back.
Every cell is quoted: where a spreadsheet separates cells by semicolons, one in a text would begin
a new cell, and that cell could be a formula.
Numbers that we computed are written as they are.
"""

from __future__ import annotations

import csv
import io

from core.corpus import Corpus
from core.insight import summaries
from core.store.files.spreadsheet_cells import BYTE_ORDER_MARK, formula_safe
from core.supervision import Supervision
from core.topics import Topics

SEPARATOR = "; "


def documents_csv(topics: Topics, corpus: Corpus, supervision: Supervision) -> bytes:
    """UTF-8 with a byte order mark; one row per document, in the order of the corpus."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
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
    return (BYTE_ORDER_MARK + out.getvalue()).encode("utf-8", "replace")


def _label_cells(supervision: Supervision) -> list[str]:
    """The labels of each document, joined; or “(nothing fits)”."""
    names, permitted = supervision.names, supervision.permitted
    cells = []
    for row, nothing in enumerate(supervision.nothing_fits.tolist()):
        carried = permitted.indices[permitted.indptr[row] : permitted.indptr[row + 1]]
        cells.append("(nothing fits)" if nothing else SEPARATOR.join(names[j] for j in carried))
    return cells
