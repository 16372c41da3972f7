"""A corpus at a glance: figures, notes, rows left out, first documents, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

from core.corpus import REPEATED_ID, Corpus
from tsnmf_ui.theme import texts

MAX_LABEL_BARS = 12
TEXTS_SHOWN = 20  # documents shown of an open project
DROPPED_SHOWN = 500


def figures(corpus: Corpus) -> None:
    """The corpus in a few figures, every note, and every row that was left out."""
    reading = corpus.reading
    days = [day for day in corpus.dates if day is not None]
    of_first = " of the first file" if reading.added else ""  # of others a note says how many
    shown = [
        (f"{len(corpus):,}", "texts"),
        (f"{len(reading.dropped):,}", f"rows{of_first} skipped"),
        (f"{len(reading.duplicates):,}", "exact duplicates, kept"),
        (f"{len(corpus.label_names):,}", "labels"),
    ]
    if days:
        months = dict.fromkeys(f"{day:%b %Y}" for day in (min(days), max(days)))
        shown.append((" – ".join(months), "dates"))
    st.html(
        '<div class="ts-figures">'
        + "".join(f"<div><b>{value}</b><span>{name}</span></div>" for value, name in shown)
        + "</div>"
    )
    for note in (_provenance(corpus), *reading.notes):
        if note:
            st.html(f'<div class="ts-quiet">{escape(note)}</div>')
    if reading.dropped:
        _dropped(corpus)


def repeated_ids(corpus: Corpus) -> str:
    """What happens to rows that repeat an id; empty if none does."""
    again = [entry for entry in corpus.reading.dropped if entry.kind == REPEATED_ID]
    if not again:
        return ""
    rows = texts.count(len(again), "row repeats", "rows repeat")
    are = "It is" if len(again) == 1 else "They are"
    column = corpus.reading.columns.id
    return (
        f"{rows} an id of “{column}” that an earlier row has (first: row {again[0].row:,}). {are} "
        f"left out. To keep all rows, choose another Id column, or none."
    )


def first_documents(corpus: Corpus, shown: Sequence[str]) -> None:
    """The first documents as they came in; ``shown`` are their texts."""
    dated = any(day is not None for day in corpus.dates[: len(shown)])
    rows = [
        {"Id": document.id}
        | ({"Date": str(document.date or "")} if dated else {})
        | {"Text": text[:300], "Labels": ", ".join(document.labels)}
        for document, text in zip(corpus, shown, strict=False)
    ]
    config = {
        "Id": st.column_config.TextColumn(width="small"),
        "Date": st.column_config.TextColumn(width="small"),
        "Text": st.column_config.TextColumn(width="large"),
    }
    st.dataframe(rows, hide_index=True, height=166, column_config=config, alt="The first texts")


def label_counts(corpus: Corpus) -> None:
    heading("Labels in the file")
    counts = Counter(label for labels in corpus.labels for label in labels)
    if not counts:
        st.html('<div class="ts-quiet">None.</div>')
        return
    most = max(counts.values())
    bars = [
        f"<span>{escape(name)}</span><i style='width:{100 * counts[name] / most:.0f}%'></i>"
        f"<em>{counts[name]:,}</em>"
        for name in corpus.label_names
    ]
    hidden = f'<div class="ts-bars">{"".join(bars[MAX_LABEL_BARS:])}</div>'
    rest = texts.and_more(hidden, len(bars) - MAX_LABEL_BARS, "more label")
    st.html(f'<div class="ts-bars">{"".join(bars[:MAX_LABEL_BARS])}</div>{rest}')


def _provenance(corpus: Corpus) -> str:
    reading = corpus.reading
    file = f"First file: {reading.source}" if reading.added else reading.source
    parts = [file, reading.kind.upper() if reading.kind != "collection" else ""]
    parts += [reading.encoding or "", f"other columns: {', '.join(corpus.side)}"]
    return " · ".join(part for part in parts[: 4 if corpus.side else 3] if part)


def _dropped(corpus: Corpus) -> None:
    summary = ", ".join(f"{reason} ({n:,})" for reason, n in corpus.reading.reasons())
    with st.expander(f"Skipped rows: {texts.escape_markdown(summary)}"):
        rows = [
            {"Row": entry.row, "Why": entry.reason}
            for entry in corpus.reading.dropped[:DROPPED_SHOWN]
        ]
        st.dataframe(rows, hide_index=True, height=200, alt="Skipped rows, with the reason")


def heading(title: str) -> None:
    st.html(f'<h2 class="ts-heading">{escape(title)}</h2>')


def page_title(title: str, sentence: str) -> None:
    """The title of the page, and what it is about."""
    st.html(
        f'<div class="ts-title">{escape(title)}</div><div class="ts-quiet">{escape(sentence)}</div>'
    )
