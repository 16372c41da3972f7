"""A small HTML table for notebooks; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def html_table(title: str, rows: Iterable[tuple[object, object]]) -> str:
    """Two columns under a caption."""
    pairs = [(escape(str(name)), escape(str(value))) for name, value in rows]
    cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in pairs)
    return f"<table><caption>{escape(title)}</caption><tbody>{cells}</tbody></table>"
