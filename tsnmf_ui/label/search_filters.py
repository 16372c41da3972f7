"""What can be typed into the search field, for the help beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.search import SearchColumn
from core.workspace.searches import column_examples

MAX_EXAMPLE_LENGTH = 24  # characters of a value

SEARCH_HELP = (  # what is typed, and what it finds
    ('"', "a phrase, word for word"),
    ("-", "excludes what follows"),
    ("OR", "either neighbour: refund OR invoice"),
    ("~", "a pattern: ~refund(s|ed)? or ~“two words”"),
    ("is:unlabelled", "or labelled, skipped, noted, mine"),
    ("topic:", "the model's main topic"),
    ("label:", "a topic you allowed, or none"),
    ("not:", "a topic you forbade"),
    ("score:>60", "share of the topic in %"),
    ("date:2026-03", "a day, month, year or span"),
    ("author:", "who labelled it"),
    ("id:", "the id of a text"),
    ('like:"', "texts that mean the same"),
)


def list_filters(own_columns: Mapping[str, SearchColumn]) -> dict[str, Any]:
    """The help: what every project knows, and the columns of this one with some of their values."""
    columns = column_examples(own_columns)
    own = [(f"{name}:", _examples(title, values)) for name, title, values in columns]
    return {"all": list(SEARCH_HELP), "columns": own}


def _examples(title: str, values: list[str]) -> str:
    short = [f"{v[:MAX_EXAMPLE_LENGTH]}…" if len(v) > MAX_EXAMPLE_LENGTH else v for v in values]
    return ", ".join(short) if short else f"{title}: no values"
