"""Plain non-negative matrix factorisation.

Lee & Seung (1999, 2001): X ≈ W H with W, H ≥ 0, documents in rows. ``solver="mu"`` takes their
multiplicative updates; ``"cd"`` is coordinate descent on the same objective.
"""

from __future__ import annotations

from typing import Any

from core.engine.factorisation import Factorisation
from core.engine.losses import LossName
from core.engine.starts.topics import Init


class NMF(Factorisation):
    """X ≈ W H without any supervision.

    Parameters
    ----------
    n_topics
        How many topics to find.
    loss
        ``"frobenius"`` (squared error) or ``"i_divergence"`` (needs ``solver="mu"``).
    solver
        ``"cd"``, fast; or ``"mu"``, multiplicative updates.
    init
        ``"nndsvd"`` starts from singular vectors, ``"labels"`` spreads topics over documents far
        from one another, ``"acol"`` averages random documents.
    max_iter, tol, random_state
        Stop after so many passes, or when one pass gains less than ``tol`` of the objective.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), rows of unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics)
    objective_ : the loss reached; ``trace_`` holds it at every pass
    """

    uses_labels = False

    def __init__(
        self,
        n_topics: int = 10,
        *,
        loss: LossName = "frobenius",
        solver: str = "cd",
        init: Init = "nndsvd",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.loss = loss
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
