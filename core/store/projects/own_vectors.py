"""The analyst's own document vectors, in a folder beside the database.

::

    vectors/<project>/<fingerprint>.npz

They cannot be made again from anything else, so they are on disk before a call returns, and go
along when a project is copied, exported and imported.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import StoreError, TextError
from core.loading.project_parts import VECTORS_PART
from core.text import DocumentVectors

MAX_SOURCE_CHARACTERS = 2_000  # of what a project's file says about its vectors
LENGTH_TOLERANCE = 1e-4


def save(home: Path, project: int, vectors: DocumentVectors, n_docs: int) -> None:
    """Keep vectors in place of those before."""
    if len(vectors) != n_docs:
        raise StoreError(f"{len(vectors):,} vectors for {n_docs:,} texts.")
    path = _folder(home, project) / f"{vectors.fingerprint}.npz"
    vectors.save(path, durable=True)
    for other in path.parent.glob("*.npz"):
        if other != path:
            other.unlink(missing_ok=True)


def find(home: Path, project: int) -> Path | None:
    """The file, named by the vectors' fingerprint; the newest if a crash left two."""
    paths = list(_folder(home, project).glob("*.npz"))
    return max(paths, key=lambda path: path.stat().st_mtime_ns, default=None)


def load(home: Path, project: int) -> DocumentVectors | None:
    path = find(home, project)
    return None if path is None else DocumentVectors.load(path)


def copy(home: Path, project: int, other: int) -> None:
    """Copy the vectors of a project to its copy."""
    clear(home, other)
    if _folder(home, project).is_dir():
        shutil.copytree(_folder(home, project), _folder(home, other), dirs_exist_ok=True)


def export(home: Path, project: int, bundle: zipfile.ZipFile, n_docs: int) -> None:
    """Put the vectors into a project's file, if there is one for each document."""
    path = find(home, project)
    if path is not None and len(DocumentVectors.load(path)) == n_docs:
        bundle.write(path, VECTORS_PART, zipfile.ZIP_STORED)  # numbers pack badly


def clear(home: Path, project: int) -> None:
    """Delete what a project that was never completed may have left under the same number."""
    shutil.rmtree(_folder(home, project), ignore_errors=True)


def of_arrays(
    about: Mapping[str, Any], arrays: Mapping[str, np.ndarray], n_docs: int
) -> DocumentVectors:
    """The vectors in a project's file, if they are those of its texts."""
    source, values = about["source"], arrays["values"]
    known = type(source) is str and len(source) <= MAX_SOURCE_CHARACTERS
    if not known or values.dtype != np.float32:
        raise ValueError("These are no vectors of a project.")
    try:
        given = DocumentVectors(values=values, source=source)
    except TextError as error:
        raise StoreError(str(error)) from None
    lengths = np.linalg.norm(given.values.astype(np.float64), axis=1)
    unit = np.isclose(lengths, 1, atol=LENGTH_TOLERANCE) | (lengths == 0)
    if len(given) != n_docs or not unit.all():
        raise StoreError("The vectors in this file belong to other texts.")
    return given


def _folder(home: Path, project: int) -> Path:
    return Path(home) / "vectors" / str(int(project))
