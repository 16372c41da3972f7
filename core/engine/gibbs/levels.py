"""Side columns as levels above documents: district, then area, for PFA with side information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from core.errors import SupervisionError
from core.supervision import Supervision

GROUPED_MODEL = "pfa_ssi"  # the model that uses groups of documents
EMPTY_CELL = ""  # the document hangs from no node of that column


def with_levels(
    supervision: Supervision, side: Mapping[str, Sequence[str]], levels: Sequence[str]
) -> Supervision:
    """The supervision with documents hanging from nodes of ``levels``, lowest first, too.

    A node is called “district: North”, so that no label can share its name. Labels stay nodes of
    the first level, without parents.
    """
    if not levels:
        return supervision
    columns = [_nodes(name, cells) for name, cells in columns_of(side, levels).items()]
    lowest = sorted({node for node in columns[0] if node is not None})
    return replace(
        supervision,
        names=(*supervision.names, *lowest),
        keys=(*supervision.keys, *lowest),
        permitted=_beside(supervision.permitted, columns[0], lowest),
        forbidden=_widened(supervision.forbidden, len(lowest)),
        nothing_fits=np.zeros_like(supervision.nothing_fits),
        hierarchy=tuple(_parents(below, above) for below, above in pairwise(columns)),
    )


def columns_of(
    side: Mapping[str, Sequence[str]], levels: Sequence[str]
) -> dict[str, Sequence[str]]:
    """The columns that are levels, lowest first."""
    missing = [name for name in levels if name not in side]
    if missing:
        raise SupervisionError(f"The texts have no column “{missing[0]}”.")
    return {name: side[name] for name in levels}


def levels_fit(side: Mapping[str, Sequence[str]], levels: Sequence[str]) -> str | None:
    """What is odd about the order of levels, in one sentence; None when each has one parent."""
    for below, above in pairwise(levels):
        parents = _parents(_nodes(below, side[below]), _nodes(above, side[above]))
        n_ambiguous = sum(len(each) > 1 for each in parents.values())
        if parents and n_ambiguous > len(parents) / 2:
            return (
                f"Most of “{below}” lie in several of “{above}”: the order may be the wrong way "
                "round."
            )
    return None


def _nodes(column: str, cells: Sequence[str]) -> list[str | None]:
    return [f"{column}: {cell}" if cell.strip() != EMPTY_CELL else None for cell in cells]


def _beside(permitted: sp.csr_array, nodes: Sequence[str | None], names: list[str]) -> sp.csr_array:
    place = {name: column for column, name in enumerate(names)}
    rows = [row for row, node in enumerate(nodes) if node is not None]
    columns = [place[node] for node in nodes if node is not None]
    ones = np.ones(len(rows), dtype=bool)
    hung = sp.csr_array((ones, (rows, columns)), shape=(permitted.shape[0], len(names)))
    return sp.csr_array(sp.hstack([permitted, hung], format="csr", dtype=bool))


def _widened(forbidden: sp.csr_array, by: int) -> sp.csr_array:
    empty = sp.csr_array((forbidden.shape[0], by), dtype=bool)
    return sp.csr_array(sp.hstack([forbidden, empty], format="csr", dtype=bool))


def _parents(
    below: Sequence[str | None], above: Sequence[str | None]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for child, parent in zip(below, above, strict=True):
        if child is not None and parent is not None:
            found.setdefault(child, set()).add(parent)
    return {child: tuple(sorted(parents)) for child, parents in sorted(found.items())}
