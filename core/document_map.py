"""A map of topics and documents that is there at once and stays put between fits.

Topics lie apart as far as their words differ; documents lie between their topics, by their shares.
A refit starts from where the topics lay, moves them a little, and is turned and shifted back onto
the map before, so that a reader finds everything where it was. Nothing is drawn by lot: the same
topics make the same map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.shares import NO_TOPIC, main_topics
from core.similarity import word_similarity
from core.topics import Topics

STEPS = 300  # of stress majorisation; a map of a hundred topics takes a few milliseconds
SETTLED = 1e-7  # a step that moves the topics less ends it
PULL = 2.0  # shares are raised to this power: a document lies nearer to its main topic
SPREAD = 0.42  # radius of a cloud of documents, in distances between neighbouring topics
ROOM = 0.55  # what a topic takes up at most of the way to its nearest neighbour
GOLDEN = 0.6180339887498949


@dataclass(frozen=True)
class DocumentMap:
    """Where topics and documents lie. A document without any topic lies nowhere (nan)."""

    topics: np.ndarray  # (n_topics, 2)
    documents: np.ndarray  # (n_docs, 2) float32

    @property
    def placed(self) -> np.ndarray:
        """Positions of the documents that lie somewhere."""
        return np.flatnonzero(np.isfinite(self.documents[:, 0]))

    def inside(self, polygon: Sequence[tuple[float, float]]) -> np.ndarray:
        """Positions of the documents within a lasso, in document order."""
        return np.flatnonzero(points_inside(self.documents, polygon))

    def within(self, x: Sequence[float], y: Sequence[float]) -> np.ndarray:
        """Positions of the documents within a box."""
        (left, right), (low, high) = sorted(x), sorted(y)
        east, north = self.documents[:, 0], self.documents[:, 1]
        return np.flatnonzero((east >= left) & (east <= right) & (north >= low) & (north <= high))


def document_map(
    topics: Topics, before: Mapping[str, Sequence[float]] | None = None
) -> DocumentMap:
    """The map of a fit; ``before`` says where topics of the same name lay on the last one."""
    places = place_topics(topics, before)
    return DocumentMap(places, place_documents(topics, places))


def place_topics(topics: Topics, before: Mapping[str, Sequence[float]] | None = None) -> np.ndarray:
    """A place for every topic, at distances that follow how different their words are."""
    apart = np.sqrt(np.maximum(1.0 - word_similarity(topics), 0.0))
    known = {k: before[name] for k, name in enumerate(topics.names) if before and name in before}
    if len(known) < 2:
        return _steady_signs(_majorise(apart, _classical(apart)))
    start = _start_from(known, apart)
    return _aligned(_majorise(apart, start), np.array(list(known)), np.array(list(known.values())))


def place_documents(topics: Topics, places: np.ndarray) -> np.ndarray:
    """Documents between their topics, each a little aside so that they do not hide one another.

    How far aside, and in which direction, depends on the document's position alone: after a refit
    a document that kept its topics is still the same dot.
    """
    pull = topics.shares().astype(np.float32) ** PULL
    total = pull.sum(axis=1, keepdims=True)
    pull = np.divide(pull, total, out=np.zeros_like(pull), where=total > 0)
    centre = pull @ places.astype(np.float32)
    main = main_topics(topics)
    reach = _reach(places, np.bincount(main[main != NO_TOPIC], minlength=len(topics)))
    found = centre + step_aside(main.size) * reach[main][:, None].astype(np.float32)
    found[main == NO_TOPIC] = np.nan
    return found.astype(np.float32)


def representatives(
    groups: np.ndarray, n: int, *, first: Sequence[int] | np.ndarray = ()
) -> np.ndarray:
    """At most n positions in which every group appears by its size, small ones at least a little.

    ``groups`` holds a whole number per document, negative for those to leave out; ``first`` come in
    any case, as far as there is room. A document's rank within its group follows from its position
    alone, so a refit shows mostly the same documents.
    """
    able = np.flatnonzero(groups >= 0)
    if able.size <= n:
        return able
    chosen = np.asarray(first, dtype=np.intp)[:n]
    chosen = chosen[groups[chosen] >= 0] if chosen.size else chosen
    able = np.setdiff1d(able, chosen)
    lot = _lots(groups.size, 3)
    sizes = np.bincount(groups[able])
    wanted = np.sqrt(sizes * max(able.size / max(sizes.size, 1), 1.0)) + sizes
    share = (n - chosen.size) * wanted / max(wanted.sum(), 1.0)
    chance = np.minimum(share / np.maximum(sizes, 1), 1.0)[groups[able]]
    order = able[np.argsort(lot[able] / np.maximum(chance, 1e-12), kind="stable")]
    return np.sort(np.concatenate([chosen, order[: n - chosen.size]]))


def points_inside(points: np.ndarray, polygon: Sequence[tuple[float, float]]) -> np.ndarray:
    """Whether each point lies in a polygon: a ray from it crosses the edges oddly often."""
    x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    inside = np.zeros(x.size, dtype=bool)
    corners = [(float(a), float(b)) for a, b in polygon]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if y0 == y1:
            continue
        with np.errstate(invalid="ignore"):
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside


def _classical(apart: np.ndarray) -> np.ndarray:
    """Classical scaling: the two longest axes of the cloud that has these distances."""
    n = apart.shape[0]
    if n < 3:
        return np.array([[-0.5, 0.0], [0.5, 0.0]])[:n] * (apart.max(initial=0.0) or 1.0)
    middle = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * middle @ apart**2 @ middle)
    top = np.argsort(-values, kind="stable")[:2]
    flat = vectors[:, top] * np.sqrt(np.maximum(values[top], 0.0))
    ring = 2 * np.pi * GOLDEN * np.arange(n)  # topics without anything in common must not coincide
    return np.asarray(flat + 1e-3 * np.column_stack([np.cos(ring), np.sin(ring)]))


def _majorise(apart: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Stress majorisation (SMACOF): every step brings the distances nearer to those wanted."""
    n = apart.shape[0]
    if n < 3:
        return places - places.mean(axis=0) if n else places
    for _ in range(STEPS):
        real = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = np.divide(apart, real, out=np.zeros_like(apart), where=real > 1e-12)
        moved = (np.diag(ratio.sum(axis=1)) - ratio) @ places / n
        step = np.abs(moved - places).max()
        places = moved
        if step < SETTLED:
            break
    return places - places.mean(axis=0)


def _steady_signs(places: np.ndarray) -> np.ndarray:
    """Mirror images are the same map; take the one whose farthest topic lies up and right."""
    if not len(places):
        return places
    farthest = places[np.argmax(np.round(np.abs(places), 9), axis=0), range(2)]
    return places * np.where(farthest < 0, -1.0, 1.0)


def _start_from(known: Mapping[int, Sequence[float]], apart: np.ndarray) -> np.ndarray:
    """Topics where they lay; a new one amid those it resembles most."""
    old = np.array(list(known))
    lay = np.array(list(known.values()), dtype=np.float64)
    start = np.zeros((apart.shape[0], 2))
    start[old] = lay
    for k in range(apart.shape[0]):
        if k not in known:
            near = 1.0 / np.maximum(apart[k, old], 1e-3) ** 4
            angle = 2 * np.pi * GOLDEN * k
            aside = 0.1 * np.array([np.cos(angle), np.sin(angle)])
            start[k] = near @ lay / near.sum() + aside
    return start


def _aligned(places: np.ndarray, known: np.ndarray, lay: np.ndarray) -> np.ndarray:
    """Turn, mirror and shift the map onto the one before (Procrustes); nothing is stretched."""
    centre, target = places[known].mean(axis=0), lay.mean(axis=0)
    u, _, vt = np.linalg.svd((places[known] - centre).T @ (lay - target))
    return np.asarray((places - centre) @ (u @ vt) + target)


def _reach(places: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """How wide the documents of a topic spread: more for a large one, never into the next."""
    n = len(places)
    if n < 2:
        return np.full(n, 0.5)
    between = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(between, np.inf)
    nearest = between.min(axis=1)
    usual = float(np.median(nearest))
    wide = SPREAD * usual * np.sqrt(sizes / max(float(sizes.mean()), 1e-12))
    return np.clip(wide, 0.12 * usual, np.maximum(ROOM * nearest, 0.12 * usual))


def step_aside(n: int) -> np.ndarray:
    """A step for each position, spread evenly over a disc."""
    radius, angle = np.sqrt(_lots(n, 1)), 2 * np.pi * _lots(n, 2)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).astype(np.float32)


def _lots(n: int, salt: int) -> np.ndarray:
    """A number in [0, 1) for each position, the same on every machine (splitmix64)."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z += np.uint64(salt * 0x5851F42D4C957F2D & 0xFFFFFFFFFFFFFFFF)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype(np.float64) / 2.0**64
