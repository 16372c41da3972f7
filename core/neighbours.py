"""The slower map: documents beside those with the most similar topics (t-SNE).

It begins from the map that is there at once and is turned and scaled back onto it, so that both
show the same topics on the same side. The same topics make the same map.
"""

from __future__ import annotations

import numpy as np
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

from core.document_map import DocumentMap, step_aside
from core.shares import main_topics
from core.topics import Topics

PERPLEXITY = 30.0  # neighbours that each document minds
STEPS = 500
ASIDE = 0.035  # of the map's spread: documents with the very same topics must not hide one another


def neighbour_map(topics: Topics, placed: DocumentMap, rows: np.ndarray) -> DocumentMap:
    """Places for the documents ``rows``; all others lie nowhere. Topics lie amid theirs."""
    rows = np.asarray(rows)
    if rows.size < 5:
        return placed
    start = placed.documents[rows].astype(np.float64)
    found = _scattered(np.sqrt(topics.shares()[rows].astype(np.float64)), start)
    documents = np.full_like(placed.documents, np.nan)
    laid = _laid_onto(found, start)
    documents[rows] = laid + ASIDE * np.ptp(laid) * step_aside(len(documents))[rows]
    main = main_topics(topics)[rows]
    places = placed.topics.copy()
    for topic in range(len(topics)):
        mine = documents[rows[main == topic]]
        if len(mine):
            places[topic] = np.median(mine, axis=0)
    return DocumentMap(places, documents)


def _scattered(features: np.ndarray, start: np.ndarray) -> np.ndarray:
    centred = start - start.mean(axis=0)
    began = 1e-4 * centred / max(float(centred[:, 0].std()), 1e-12)
    model = TSNE(
        perplexity=min(PERPLEXITY, (len(features) - 1) / 3),
        init=began.astype(np.float32),
        max_iter=STEPS,
        random_state=0,
        n_jobs=1,
    )
    with threadpool_limits(1):  # threads that wait for one another on a busy machine take for ever
        return np.asarray(model.fit_transform(features.astype(np.float32)), dtype=np.float64)


def _laid_onto(found: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Turned, mirrored, shifted and scaled as a whole."""
    one, other = found - found.mean(axis=0), target - target.mean(axis=0)
    u, _, vt = np.linalg.svd(one.T @ other)
    spread = np.sqrt((other**2).sum() / max(float((one**2).sum()), 1e-12))
    return np.asarray(one @ (u @ vt) * spread + target.mean(axis=0))
