"""Compile before anyone waits."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


def warm(dtype: type[np.floating] = np.float32) -> None:
    """Run every kernel of the default path once, so that later calls find it compiled.

    Compiled code is kept on disk beside the package (or where ``NUMBA_CACHE_DIR`` says), so this
    takes seconds once per machine and milliseconds afterwards.
    """
    from core.models import MODELS

    X = sp.csr_array(np.eye(3, 4, dtype=dtype))
    model = MODELS["tsnmf"](n_topics=2, max_iter=2, random_state=0)
    model.fit(X, [["a"], [], ["b"]]).transform(X)
