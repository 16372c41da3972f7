"""Several names in one cell, separated by semicolons or lines; a name that holds one is quoted."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import chain


def join_names(names: Iterable[str]) -> str:
    """Names in one cell."""
    listed = list(names)
    if not listed:
        return ""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerow(listed)
    return out.getvalue().removesuffix("\r\n")


def split_names(cell: str) -> tuple[str, ...]:
    """The names in a cell, without blanks around them."""
    if not cell.strip():
        return ()
    lines = csv.reader(io.StringIO(cell, newline=""), delimiter=";", skipinitialspace=True)
    names = chain.from_iterable(lines)
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
