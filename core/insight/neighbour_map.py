"""The slower map: documents beside those with the most similar topics (t-SNE).

It starts from the fast map and is rotated and scaled back onto it, so that both show the same
topics on the same side. The same topics make the same map.
"""

from __future__ import annotations

import numpy as np
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

from core.insight.document_map import DocumentMap, jitter
from core.insight.shares import main_topics
from core.topics import Topics

MAP_PERPLEXITY = 30.0  # neighbours of each document
TSNE_STEPS = 500
JITTER_SHARE = (
    0.035  # of the map's width, so that documents with equal topics do not hide one another
)


def neighbour_map(topics: Topics, placed: DocumentMap, rows: np.ndarray) -> DocumentMap:
    """Places for the documents ``rows``; all others have none. Topics lie amid their documents."""
    rows = np.asarray(rows)
    if rows.size < 5:
        return placed
    start = placed.documents[rows].astype(np.float64)
    found = _run_tsne(np.sqrt(topics.shares()[rows].astype(np.float64)), start)
    documents = np.full_like(placed.documents, np.nan)
    aligned = _align(found, start)
    documents[rows] = aligned + JITTER_SHARE * np.ptp(aligned) * jitter(len(documents))[rows]
    main = main_topics(topics)[rows]
    places = placed.topics.copy()
    for topic in range(len(topics)):
        mine = documents[rows[main == topic]]
        if len(mine):
            places[topic] = np.median(mine, axis=0)
    return DocumentMap(places, documents)


def _run_tsne(features: np.ndarray, start: np.ndarray) -> np.ndarray:
    centred = start - start.mean(axis=0)
    initial = 1e-4 * centred / max(float(centred[:, 0].std()), 1e-12)
    model = TSNE(
        perplexity=min(MAP_PERPLEXITY, (len(features) - 1) / 3),
        init=initial.astype(np.float32),
        max_iter=TSNE_STEPS,
        random_state=0,
        n_jobs=1,
    )
    with threadpool_limits(1):  # threads that wait for one another are slow on a busy machine
        return np.asarray(model.fit_transform(features.astype(np.float32)), dtype=np.float64)


def _align(found: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Rotate, mirror, shift and scale the map onto the target."""
    one, other = found - found.mean(axis=0), target - target.mean(axis=0)
    u, _, vt = np.linalg.svd(one.T @ other)
    spread = np.sqrt((other**2).sum() / max(float((one**2).sum()), 1e-12))
    return np.asarray(one @ (u @ vt) * spread + target.mean(axis=0))
