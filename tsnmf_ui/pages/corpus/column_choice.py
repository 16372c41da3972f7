"""Which column is what: the guesses as select boxes, the rows below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.corpus import ColumnRoles
from core.loading import Preview

NO_COLUMN = "(none)"
VECTORS_HELP = "Lists of numbers that say what each text means, so that similar texts are found."
KEPT_HELP = (
    "Kept with each text, for example district, author or channel: for groups in charts, or for "
    "labels to start with."
)
MORE_TEXT_HELP = (
    "Joined with the text, a paragraph each, in the order of the file: for example a title, or the "
    "answer to a second question."
)
LABEL_SEPARATORS = {
    "One label per cell": None,
    "Semicolon ;": ";",
    "Comma ,": ",",
    "Pipe |": "|",
    "Slash between spaces /": " / ",
}
COLUMN_ROLES = {"text": "Text", "id": "Id", "date": "Date", "labels": "Labels"}


def column_choice(shown: Preview, key: str) -> ColumnRoles:
    """Draw one select box per role; the guess is chosen at first."""
    guess, header = shown.columns, list(shown.header)
    text, id_, date, labels, separator = st.columns(5)
    with text:
        chosen_text = _pick("Text", header, guess.text, f"{key}.text")
    with id_:
        chosen_id = _pick("Id", [NO_COLUMN, *header], guess.id, f"{key}.id")
    with date:
        chosen_date = _pick("Date", [NO_COLUMN, *header], guess.date, f"{key}.date")
    with labels:
        chosen_labels = _pick("Labels", [NO_COLUMN, *header], guess.labels, f"{key}.labels")
    with separator:
        chosen_separator = _separator(guess.label_separator, chosen_labels, key)
    kept, joined = st.columns([0.6, 0.4])
    roles = (chosen_text, chosen_id, chosen_date, chosen_labels)
    with joined:
        more_text = _more_text(header, roles, key)
    with kept:
        side = _side(header, guess.side, (*roles, *more_text), key)
    return ColumnRoles(
        text=chosen_text,
        id=chosen_id,
        date=chosen_date,
        labels=chosen_labels,
        side=side,
        label_separator=chosen_separator,
        more_text=more_text,
    )


def vector_column(shown: Preview, key: str) -> str | None:
    """Which column of lists of numbers tells what the texts mean; nothing to ask without one."""
    if not shown.vector_columns:
        return None
    options = [*shown.vector_columns, NO_COLUMN]
    chosen = st.selectbox("Vectors", options, key=f"{key}.vectors", help=VECTORS_HELP)
    return None if chosen == NO_COLUMN else str(chosen)


def _pick(label: str, options: list[str], guess: str | None, key: str) -> str | None:
    index = options.index(guess) if guess in options else 0
    chosen = st.selectbox(label, options, index=index, key=key)
    return None if chosen == NO_COLUMN else chosen


def _separator(guess: str | None, labels: str | None, key: str) -> str | None:
    names = list(LABEL_SEPARATORS)
    index = (
        list(LABEL_SEPARATORS.values()).index(guess) if guess in LABEL_SEPARATORS.values() else 0
    )
    chosen = st.selectbox(
        "Label separator",
        names,
        index=index,
        key=f"{key}.separator",
        disabled=labels is None,
        help="What separates several labels in one cell.",
    )
    return LABEL_SEPARATORS[chosen]


def _more_text(header: Sequence[str], taken: Sequence[str | None], key: str) -> tuple[str, ...]:
    """Columns that make the text together with its own; nobody else can know which."""
    chosen = st.multiselect(
        "Join with the text",
        [name for name in header if name not in taken],
        key=f"{key}.more_text",
        placeholder="None",
        help=MORE_TEXT_HELP,
    )
    return tuple(chosen)


def _side(
    header: Sequence[str], guess: Sequence[str], taken: Sequence[str | None], key: str
) -> tuple[str, ...]:
    options = [name for name in header if name not in taken]
    chosen = st.multiselect(
        "Other columns to keep",
        options,
        default=[name for name in guess if name in options],
        key=f"{key}.side",  # the choice stays when another column is taken for a role
        placeholder="None",
        help=KEPT_HELP,
    )
    return tuple(chosen)


def rows(shown: Preview, columns: ColumnRoles) -> None:
    """The first rows; the names of used columns say what they are used for."""
    role = {getattr(columns, name): title for name, title in COLUMN_ROLES.items()}
    role |= dict.fromkeys(columns.more_text, COLUMN_ROLES["text"])
    config = {
        name: st.column_config.TextColumn(
            f"{name} · {role[name]}" if name in role else name,
            width="large" if name in columns.texts else "small",
        )
        for name in shown.header
    }
    used = [name for name in shown.header if name in role or name in columns.side]
    order = [*used, *(name for name in shown.header if name not in used)]
    st.dataframe(
        list(shown.rows),
        hide_index=True,
        column_config=config,
        column_order=order,
        height=232,  # six whole rows
        alt="The first rows of the file",
    )
