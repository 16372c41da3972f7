"""Months as people of several languages write them: 4. Juni 2023, 4 juin 2023, 4 de junio de 2023.

English names are read with the other formats of ``dates``.
"""

from __future__ import annotations

import re
from datetime import date

MONTH_NAMES = (  # January to December, one language or habit a line
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber maerz apr mai juni juli aug sept okt nov dez",
    "jan feb mär apr mai jun jul aug sep okt nov dez",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
)
MONTHS = {name: at for line in MONTH_NAMES for at, name in enumerate(line.split(), start=1)}
IN_WORDS = re.compile(
    r"(?:(?P<day>\d{1,2})(?:\.|er|º)?\s*(?:de\s+)?)?(?P<month>[^\W\d_]+)\.?\s+(?:de\s+)?(?P<year>\d{4})$"
)


def read_month_name(value: str) -> date | None:
    """A day, or a month alone, whose month is written in one of these languages."""
    match = IN_WORDS.match(value.casefold())
    month = MONTHS.get(match["month"]) if match else None
    if match is None or month is None:
        return None
    try:
        return date(int(match["year"]), month, int(match["day"] or 1))
    except ValueError:
        return None
