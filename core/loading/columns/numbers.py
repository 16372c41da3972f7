"""Numbers in cells: 3.2 and 1,000 as the English write them, 3,2 and 1.000 as others do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

WITH_COMMA = re.compile(r"[-+]?\d+(?:\.\d{3})*,\d+\s*%?")
WHOLE = re.compile(r"[-+]?\d+\s*%?")
THOUSANDS = re.compile(r"[-+]?\d{1,3},\d{3}\s*%?")
MIN_COMMA_SHARE = 0.5  # of the numbers; lists of codes such as “1,3” stand beside single codes


def has_decimal_commas(cells: Iterable[str]) -> bool:
    """Whether the numbers of a column are written as 3,2: then a comma divides nothing.

    Numbers that may all have been grouped by thousands (1,000) have none.
    """
    numbers = [cell.strip() for cell in cells]
    commas = [cell for cell in numbers if WITH_COMMA.fullmatch(cell)]
    whole = sum(WHOLE.fullmatch(cell) is not None for cell in numbers)
    lists = any(cell.count(",") > 1 for cell in numbers)
    grouped = all(THOUSANDS.fullmatch(cell) for cell in commas)
    return not lists and not grouped and len(commas) > MIN_COMMA_SHARE * (len(commas) + whole)


def number_in(cell: str, *, decimal_comma: bool = False) -> float:
    """The number in a cell; not a number where it holds something else."""
    plain = cell.replace(".", "").replace(",", ".") if decimal_comma else cell.replace(",", "")
    try:
        return float(plain)
    except ValueError:
        return math.nan
