"""pandas frames in and out; pandas is imported by whoever asks for one, not by a file reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pandas as pd

from core.errors import CorpusError

FRAME_ROLES = ("id", "labels", "date")


def corpus_columns(
    frame: pd.DataFrame, text: str, columns: Mapping[str, str | None]
) -> dict[str, Any]:
    """What ``Corpus`` takes, from a frame and the names of its columns."""
    unknown = sorted(set(columns) - set(FRAME_ROLES))
    if unknown:
        raise TypeError(f"Corpus.of takes {', '.join(FRAME_ROLES)}, not {unknown[0]!r}.")
    given = {role: name for role, name in columns.items() if name is not None}
    for name in (text, *given.values()):
        if name not in frame.columns:
            there = ", ".join(f"“{known}”" for known in frame.columns)
            raise CorpusError(f"there is no column “{name}”; the frame has {there}.")
    kept = frame[[isinstance(each, str) and bool(each.strip()) for each in frame[text]]]
    ids = kept[given["id"]] if "id" in given else kept.index
    used = {text, *given.values()}
    return {
        "ids": tuple(map(str, ids)),
        "texts": tuple(kept[text]),
        "labels": tuple(map(_labels, kept[given["labels"]])) if "labels" in given else (),
        "dates": tuple(map(_date, kept[given["date"]])) if "date" in given else (),
        "side": {
            str(name): tuple("" if _is_gap(each) else str(each) for each in kept[name])
            for name in frame.columns
            if name not in used
        },
    }


def frame_of(ids: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Columns of equal length under their names, ids as the index."""
    return pd.DataFrame(
        {name: list(values) for name, values in columns.items()}, index=pd.Index(ids, name="id")
    )


def _is_gap(value: Any) -> bool:
    return value is None or value is pd.NA or (not isinstance(value, str) and value != value)


def _labels(value: Any) -> tuple[str, ...]:
    if isinstance(value, list | tuple | set | frozenset):
        return tuple(str(each) for each in value if str(each).strip())
    return () if _is_gap(value) or not str(value).strip() else (str(value),)


def _date(value: Any) -> date | None:
    found = pd.to_datetime(value, errors="coerce")
    return None if pd.isna(found) else found.date()
