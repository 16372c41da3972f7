"""Where a fit begins.

Multiplicative steps can never leave zero, so their W starts positive inside the permitted cells and
zero outside. Coordinate descent needs topics only: its first pass finds W from nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import svds

from core.engine.kernels.sums import add_documents
from core.supervision import Supervision

Init = Literal["labels", "acol", "nndsvd"]
ACOL_DOCUMENTS = 5  # documents averaged into one topic by random Acol
SEED_DOCUMENTS_PER_TOPIC = 20  # documents per open topic among which its seed is sought
KMEANS_ROUNDS = 5  # of k-means, when a label's documents are divided among its topics
MAX_KMEANS_DOCUMENTS = 1000  # documents that are divided; of more, a sample
NOTHING_GIVEN: Mapping[int, np.ndarray] = MappingProxyType({})
TIE_BREAK = 1e-6  # how much rows are lengthened, each by its own share, before a decomposition
START_SHARE = 1e-3  # what a permitted cell gets beyond its projection, relative to the mean


def labels_with_topics(supervision: Supervision, n_topics: int) -> Supervision:
    """The labels, if there is a topic for each to start; none otherwise."""
    if supervision.n_labels <= n_topics:
        return supervision
    return Supervision.none(supervision.n_docs)


def start_topics(
    X: sp.csr_array,
    supervision: Supervision,
    n_topics: int,
    init: Init,
    rng: np.random.Generator,
    given: Mapping[int, np.ndarray] = NOTHING_GIVEN,
    *,
    from_labelled: bool = True,
) -> np.ndarray:
    """H (n_topics × n_terms); ``given`` are rows that are known already."""
    if init == "nndsvd":
        return nndsvd_topics(X, n_topics, rng)
    if init == "acol":
        return acol_topics(X, n_topics, rng)
    return label_topics(X, supervision, n_topics, rng, given, from_labelled=from_labelled)


def start_weights(
    X: sp.csr_array, H: np.ndarray, mask: np.ndarray, init: Init, rng: np.random.Generator
) -> np.ndarray:
    """W, positive inside the mask: uniform as the paper starts, or the documents' projections."""
    if init == "acol":
        return rng.uniform(size=mask.shape).astype(X.dtype) * mask
    return projection(X, H, mask)


def label_topics(
    X: sp.csr_array,
    supervision: Supervision,
    n_topics: int,
    rng: np.random.Generator,
    given: Mapping[int, np.ndarray] = NOTHING_GIVEN,
    *,
    from_labelled: bool = True,
) -> np.ndarray:
    """Each labelled topic is the mean of its own documents; the others spread over the rest.

    A document with several labels counts for each in equal parts. This keeps topic k on label k,
    which random starts do not. The others keep clear of the rows that are ``given``, too. Where
    there are fewer unlabelled documents than other topics, these spread over all documents; or,
    not ``from_labelled``, those without a document begin near the mean of the corpus.
    """
    H = np.zeros((n_topics, X.shape[1]), dtype=X.dtype)
    known = _with_given(H, _add_means(X, supervision, H), given)
    open_topics = np.setdiff1d(np.arange(n_topics), known)
    candidates = ~supervision.labelled
    if from_labelled and np.diff(X.indptr)[candidates].astype(bool).sum() < open_topics.size:
        candidates = np.ones_like(candidates)
    H[open_topics] = spread_topics(X, open_topics.size, rng, H[known], candidates)
    return H


def _with_given(H: np.ndarray, taught: np.ndarray, given: Mapping[int, np.ndarray]) -> np.ndarray:
    """Write the given rows into H; all rows that are known then."""
    for topic, row in given.items():
        H[topic] = row
    return np.union1d(taught, list(given)).astype(np.intp)


def label_means(X: sp.csr_array, supervision: Supervision) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each label's documents, a row per label, and the labels that have any."""
    means = np.zeros((supervision.n_labels, X.shape[1]), dtype=X.dtype)
    return means, _add_means(X, supervision, means)


def _add_means(X: sp.csr_array, supervision: Supervision, H: np.ndarray) -> np.ndarray:
    """Write the labels' means into the first rows of H; the labels that have documents."""
    groups = supervision.groups(unlabelled_group=False)
    total = np.bincount(groups.indices, groups.data, minlength=supervision.n_labels)
    taught = np.flatnonzero(total > 0)
    add_documents(groups.indptr, groups.indices, groups.data, X.indptr, X.indices, X.data, H)
    H[taught] /= total[taught, None]
    return taught


def divided_topics(X: sp.csr_array, n_topics: int, rng: np.random.Generator) -> np.ndarray:
    """Topics that divide some documents among them by their words (spherical k-means)."""
    if X.shape[0] > MAX_KMEANS_DOCUMENTS:
        X = X[np.sort(rng.choice(X.shape[0], MAX_KMEANS_DOCUMENTS, replace=False))]
    everyone = np.ones(X.shape[0], dtype=bool)
    H = spread_topics(X, n_topics, rng, np.zeros((0, X.shape[1]), X.dtype), everyone)
    units = _unit_rows(X)
    for _ in range(KMEANS_ROUNDS):
        owner = _cosine(units, H).argmax(axis=1)
        belongs = sp.csr_array(
            (np.ones(owner.size, X.dtype), (owner, np.arange(owner.size))),
            shape=(n_topics, owner.size),
        )
        count = np.asarray(belongs.sum(axis=1)).ravel()
        owned = np.flatnonzero(count > 0)
        H[owned] = (belongs @ X).toarray()[owned] / count[owned, None].astype(X.dtype)
    return H


def spread_topics(
    X: sp.csr_array,
    n_topics: int,
    rng: np.random.Generator,
    known: np.ndarray,
    candidates: np.ndarray,
) -> np.ndarray:
    """Topics on documents far from one another and from the topics already known.

    Seeds are drawn as in k-means++ (likelier the farther, in angle, from every earlier one), then
    each becomes the mean of the documents that are nearest to it. Every document has its own noise
    (the Gumbel-max trick), so that one candidate more or less, as after a label, rarely changes who
    is drawn: free topics stay what they are from one fit to the next.
    """
    H = np.zeros((n_topics, X.shape[1]), dtype=X.dtype)
    rows = np.flatnonzero(candidates & (np.diff(X.indptr) > 0))
    if n_topics == 0 or rows.size == 0:
        return _fill(H, X, rng)
    enough = max(1000, SEED_DOCUMENTS_PER_TOPIC * n_topics)
    turn = rng.random(X.shape[0])
    if rows.size > enough:
        rows = np.sort(rows[np.argsort(turn[rows], kind="stable")[:enough]])
    sample = X[rows]
    units = _unit_rows(sample)
    nearest = _cosine(units, known).max(axis=1) if len(known) else np.zeros(rows.size, X.dtype)
    owner = np.full(rows.size, -1)
    for topic in range(n_topics):
        distance = np.maximum(1 - nearest, 0).astype(np.float64)
        noise = rng.gumbel(size=X.shape[0])[rows]
        if not distance.any():
            break
        with np.errstate(divide="ignore"):
            seed = int(np.argmax(2 * np.log(distance) + noise))
        similarity = units @ dense_row(units, seed)
        closer = similarity > nearest
        closer[seed] = True
        owner[closer] = topic
        nearest = np.maximum(nearest, similarity)
    members = np.flatnonzero(owner >= 0)
    belongs = sp.csr_array(
        (np.ones(members.size, X.dtype), (owner[members], members)), shape=(n_topics, rows.size)
    )
    count = np.maximum(np.asarray(belongs.sum(axis=1)).ravel(), 1)
    return _fill((belongs @ sample).toarray() / count[:, None].astype(X.dtype), X, rng)


def dense_row(X: sp.csr_array, i: int) -> np.ndarray:
    row = np.zeros(X.shape[1], X.dtype)
    cells = slice(X.indptr[i], X.indptr[i + 1])
    row[X.indices[cells]] = X.data[cells]
    return row


def acol_topics(X: sp.csr_array, n_topics: int, rng: np.random.Generator) -> np.ndarray:
    """Random Acol: each topic is the mean of a few random documents."""
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    rows = rows if rows.size else np.arange(X.shape[0])
    drawn = rng.choice(rows, size=(n_topics, ACOL_DOCUMENTS))
    pick = sp.csr_array(
        (
            np.full(drawn.size, 1 / ACOL_DOCUMENTS, X.dtype),
            (np.repeat(np.arange(n_topics), ACOL_DOCUMENTS), drawn.ravel()),
        ),
        shape=(n_topics, X.shape[0]),
    )
    return _fill((pick @ X).toarray(), X, rng)


def nndsvd_topics(X: sp.csr_array, n_topics: int, rng: np.random.Generator) -> np.ndarray:
    """NNDSVD (Boutsidis & Gallopoulos): the stronger sign of each right singular vector."""
    rank = min(n_topics, min(X.shape) - 1)
    H = np.zeros((n_topics, X.shape[1]), dtype=X.dtype)
    if rank >= 1 and X.nnz:
        first = rng.standard_normal(min(X.shape))
        U, values, Vt = svds(_without_ties(X, rng), k=rank, v0=first)
        order = np.argsort(-values)
        H[:rank] = _stronger_sign(U[:, order], Vt[order]) * np.sqrt(values[order])[:, None]
    return _fill(H, X, rng)


def projection(X: sp.csr_array, H: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """How much of each topic a document would hold, shared among its permitted topics."""
    length = np.maximum((H.astype(np.float64) ** 2).sum(axis=1), 1e-30)
    W = np.asarray(X @ H.T) / length.astype(X.dtype)
    W /= np.maximum(mask.sum(axis=1, keepdims=True), 1).astype(X.dtype)
    W += max(float(W.mean()), 1e-6) * START_SHARE
    W *= mask
    return W


def _without_ties(X: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """X in double precision, each row longer by its own millionth.

    Texts that mirror each other give equal singular values. Which vectors span them is then left
    to rounding, which changes from call to call, and with it the start of the same fit.
    """
    longer = 1 + TIE_BREAK * rng.random(X.shape[0])
    return sp.csr_array(sp.diags_array(longer) @ X.astype(np.float64))


def _stronger_sign(U: np.ndarray, Vt: np.ndarray) -> np.ndarray:
    positive = np.linalg.norm(np.maximum(U, 0), axis=0) * np.linalg.norm(np.maximum(Vt, 0), axis=1)
    negative = np.linalg.norm(np.minimum(U, 0), axis=0) * np.linalg.norm(np.minimum(Vt, 0), axis=1)
    sign = np.where(positive >= negative, 1, -1)[:, None]
    return np.maximum(sign * Vt, 0)


def _fill(H: np.ndarray, X: sp.csr_array, rng: np.random.Generator) -> np.ndarray:
    """A topic without words starts as the corpus mean with a random tilt."""
    empty = np.flatnonzero(~(H > 0).any(axis=1))
    if empty.size:
        mean = np.asarray(X.mean(axis=0)).ravel() + 1e-6
        H[empty] = mean * rng.uniform(0.5, 1.5, size=(empty.size, X.shape[1]))
    return H


def _unit_rows(X: sp.csr_array) -> sp.csr_array:
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array(1 / np.maximum(length, 1e-30)).astype(X.dtype) @ X)


def _cosine(units: sp.csr_array, H: np.ndarray) -> np.ndarray:
    length = np.maximum(np.linalg.norm(H, axis=1), 1e-30)
    return np.asarray(units @ (H / length[:, None]).T.astype(units.dtype))
