"""Topic-supervised NMF.

MacMillan & Wilson (2017), *Topic supervised non-negative matrix factorization*, arXiv:1706.05084.

=======  ==========  ==================================================
paper    code        meaning
=======  ==========  ==================================================
V        X           document-term matrix, documents in rows
W ∘ L    W           document-topic weights, zero outside the mask
H        H           topic-term weights
L        mask        topics a document may use
E        weight      how much each document counts; constant along a row
=======  ==========  ==================================================

Minimises Σ_i e_i ‖v_i − (w_i ∘ l_i) H‖². The print squares E in the loss (15) but not in the
updates (16)–(17); we define E as the weight of the squared error, so the printed updates are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.factorisation import Factorisation
from core.losses import LossName
from core.starts import Init
from core.supervision import LabelledWeight, Supervision


class TSNMF(Factorisation):
    """X ≈ (W ∘ L) H: a labelled document uses only the topics of its labels.

    Parameters
    ----------
    n_topics
        Topics in all; the first belong to the labels, in order, and the others are free.
    labelled_weight
        How much a labelled document counts: ``"inverse_rate"`` (documents per labelled document, as
        in the paper) or a number; times its confidence.
    loss, solver, init, max_iter, tol, random_state
        As in ``NMF``; ``init="labels"`` starts each topic from the mean of its labelled documents.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), rows of unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics), exactly zero where a topic is not permitted
    objective_ : the weighted loss reached; ``trace_`` holds it at every pass
    """

    labels_own_topics = True

    def __init__(
        self,
        n_topics: int = 10,
        *,
        labelled_weight: LabelledWeight = "inverse_rate",
        loss: LossName = "frobenius",
        solver: str = "cd",
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.labelled_weight = labelled_weight
        self.loss = loss
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _document_weight(self, supervision: Supervision) -> np.ndarray:
        return supervision.row_weight(self.labelled_weight, self.n_topics)
