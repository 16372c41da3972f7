"""Labels in whatever form a caller has them, read into one indicator matrix."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.errors import SupervisionError

Rows = Mapping[int, tuple[str, ...]]  # label names by document; those without any are left out


def as_array(labels: Any) -> Any:
    """An array where something merely knows how to become one; everything else as it is."""
    known = isinstance(labels, (np.ndarray, pd.DataFrame, pd.Series)) or sp.issparse(labels)
    return np.asarray(labels) if hasattr(labels, "__array__") and not known else labels


def is_indicator(labels: Any) -> bool:
    """Whether labels are an indicator matrix or frame, documents × labels."""
    labels = as_array(labels)
    if isinstance(labels, pd.DataFrame) or sp.issparse(labels):
        return True
    return isinstance(labels, np.ndarray) and labels.ndim == 2


def is_numbered(labels: Any) -> bool:
    """Whether every label is a number; gaps and −1 stand for unlabelled documents."""
    labels = as_array(labels)
    if not isinstance(labels, Iterable) or is_indicator(labels):
        return False
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "biuf":
        return True
    return _all_numbers(_without_gaps(labels))


def whole_numbers(labels: Any) -> np.ndarray:
    """Numbered labels, one per document; −1 for an unlabelled one."""
    return np.array(_whole(_without_gaps(labels)), dtype=np.int64)


def label_numbers(labels: Any) -> np.ndarray:
    """The numbers that stand for a label, each once, in order."""
    values = whole_numbers(labels)
    return np.unique(values[values >= 0])


def is_real_valued(labels: Any) -> bool:
    """Whether labels are real numbers, not all of them whole."""
    labels = as_array(labels)
    if not isinstance(labels, Iterable) or sp.issparse(labels):
        return False
    values = np.asarray(labels) if hasattr(labels, "__array__") else labels
    if isinstance(values, np.ndarray) and values.dtype.kind != "f":
        return False
    if not isinstance(values, np.ndarray) and not is_numbered(values):
        return False
    numbers = np.asarray(values, dtype=np.float64)
    return bool((numbers != np.round(numbers))[np.isfinite(numbers)].any())


def read_labels(
    labels: Any, names: Sequence[str] | None, forbidden: Rows
) -> tuple[sp.csr_array, list[str]]:
    """Whatever the caller had, as one row per document."""
    labels = as_array(labels)
    if isinstance(labels, pd.DataFrame):
        return _from_frame(labels, names)
    if is_indicator(labels):
        return _from_indicator(sp.csr_array(labels, copy=True), names)
    values = _without_gaps(labels)
    if _all_numbers(values):
        return _from_integers(_whole(values), names)
    rows = rows_with_names(values)
    found = found_names(rows, forbidden)
    given = sorted(found) if names is None else list(names)
    require_known(given, found)
    return indicator_of(len(values), rows, given), given


def _without_gaps(labels: Any) -> list[Any]:
    """One value per document, None where it is unlabelled."""
    if isinstance(labels, pd.Series):
        labels = labels.astype(object)
    values = np.asarray(labels) if hasattr(labels, "__array__") else labels
    return [None if _is_gap(value) else value for value in values]


def _is_gap(value: Any) -> bool:
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _all_numbers(values: list[Any]) -> bool:
    """Whether there are values, and all but the gaps are numbers."""
    given = [value for value in values if value is not None]
    return bool(given) and all(isinstance(v, (int, float, np.number, np.bool)) for v in given)


def rows_with_names(values: Iterable[Any]) -> Rows:
    """Label names by document; a gap or an empty list means that a document has none."""
    return {
        at: names_of(row)
        for at, row in enumerate(values)
        if not (row is None or (isinstance(row, (tuple, list)) and not row))
    }


def names_of(given: Any) -> tuple[str, ...]:
    """A plain string is one name."""
    if isinstance(given, str):
        return (given,)
    try:
        return tuple(given)
    except TypeError:
        raise SupervisionError(f"Expected a name or a list of names, not {given!r}.") from None


def found_names(*tables: Rows) -> set[str]:
    found = {label for rows in tables for row in rows.values() for label in row}
    for odd in (label for label in found if not isinstance(label, str)):
        raise SupervisionError(f"A label's name is a text, not {odd!r}; give 0 and 1 as an array.")
    return found


def require_known(names: Sequence[str], found: Collection[str]) -> None:
    if not all(str(name).strip() for name in (*names, *found)):
        raise SupervisionError("A label needs a name: use [] or None for an unlabelled document.")
    if len(set(names)) != len(names):
        raise SupervisionError("Two labels have the same name.")
    unknown = set(found) - set(names)
    if unknown:
        raise SupervisionError(f"Unknown label “{min(unknown)}”.")


def _from_frame(frame: pd.DataFrame, names: Sequence[str] | None) -> tuple[sp.csr_array, list[str]]:
    """An indicator frame; gaps are taken for 0."""
    frame = frame.rename(columns=str)
    columns = list(frame.columns)
    given = columns if names is None else list(names)
    require_known(given, columns)
    values = frame.reindex(columns=given, fill_value=0).astype(object).to_numpy()
    cells = [0 if _is_gap(value) else value for value in values.ravel()]
    if not all(cell in (0, 1) for cell in cells):
        raise SupervisionError("A frame of labels holds 0 and 1, a column for each label.")
    return _from_indicator(sp.csr_array(np.array(cells, dtype=bool).reshape(values.shape)), given)


def _from_indicator(
    matrix: sp.csr_array, names: Sequence[str] | None
) -> tuple[sp.csr_array, list[str]]:
    given = list(names) if names is not None else [f"label {j + 1}" for j in range(matrix.shape[1])]
    if len(given) != matrix.shape[1]:
        raise SupervisionError(f"{len(given)} names for {matrix.shape[1]} columns of labels.")
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return _csr(np.diff(matrix.indptr), matrix.indices, len(given)), given


def _whole(values: list[Any]) -> list[int]:
    """Whole numbers, −1 for a gap."""
    numbers = [-1 if value is None else value for value in values]
    if not all(float(number).is_integer() for number in numbers):
        raise SupervisionError("Labels are names or whole numbers; real values go into targets.")
    return [int(number) for number in numbers]


def _from_integers(
    values: list[int], names: Sequence[str] | None
) -> tuple[sp.csr_array, list[str]]:
    n_labels = max(values) + 1
    given = list(names) if names is not None else [f"label {j + 1}" for j in range(n_labels)]
    if n_labels > len(given) or min(values) < -1:
        raise SupervisionError("Integer labels run from 0, with −1 for an unlabelled document.")
    column = np.array(values)
    return _csr(column >= 0, column[column >= 0], len(given)), given


def indicator_of(n_docs: int, rows: Rows, names: Sequence[str]) -> sp.csr_array:
    """True where a document carries a name."""
    column = {name: j for j, name in enumerate(names)}
    places = sorted(rows)
    lists = [sorted({column[label] for label in rows[at]}) for at in places]
    counts = np.zeros(n_docs, dtype=np.int64)
    counts[places] = [len(each) for each in lists]
    return _csr(counts, [j for each in lists for j in each], len(names))


def _csr(counts: np.ndarray, columns: Any, n_columns: int) -> sp.csr_array:
    indptr = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    indices = np.array(columns, dtype=np.int32)
    data = np.ones(indices.size, dtype=bool)
    return sp.csr_array((data, indices, indptr), shape=(len(counts), n_columns))
