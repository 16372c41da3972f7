"""A map of topics and documents that is fast to compute and stable between fits.

The distance of two topics follows the difference of their words; documents lie between their
topics, by their shares. After a refit the map starts from the earlier positions and is rotated and
shifted back onto them, so that a reader finds everything where it was. Nothing is random: the same
topics make the same map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.insight.shares import NO_TOPIC, main_topics
from core.insight.similarity import word_similarity
from core.topics import Topics
from core.values import ArrayValue

MAX_STEPS = 300  # of stress majorisation; a map of a hundred topics takes a few milliseconds
MIN_STEP = 1e-7  # a smaller step ends it
SHARE_POWER = 2.0  # applied to shares, so that a document lies nearer to its main topic
CLOUD_RADIUS = 0.42  # of a topic's documents, in distances between neighbouring topics
MAX_CLOUD_RADIUS = 0.55  # of the distance to the nearest topic
GOLDEN_RATIO = 0.6180339887498949


@dataclass(frozen=True, eq=False, repr=False)
class DocumentMap(ArrayValue):
    """Positions of topics and documents; nan for a document without any topic."""

    topics: np.ndarray  # (n_topics, 2)
    documents: np.ndarray  # (n_docs, 2) float32

    @property
    def placed(self) -> np.ndarray:
        """The documents that have a place on the map."""
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
    """The map of a fit; ``before`` says the places of topics with the same key on the last one."""
    places = place_topics(topics, before)
    return DocumentMap(places, place_documents(topics, places))


def place_topics(topics: Topics, before: Mapping[str, Sequence[float]] | None = None) -> np.ndarray:
    """A place for every topic, at distances that follow how different their words are.

    The keys of ``before`` are the topics' keys as text, as in a JSON file.
    """
    distance = np.sqrt(np.maximum(1.0 - word_similarity(topics), 0.0))
    np.fill_diagonal(distance, 0.0)  # a topic without words is not like itself
    earlier = before or {}
    known = {k: earlier[str(key)] for k, key in enumerate(topics.keys) if str(key) in earlier}
    if len(known) < 2:
        return _fix_signs(_majorise(distance, _classical_scaling(distance)))
    start = _start_from(known, distance)
    return _align(_majorise(distance, start), np.array(list(known)), np.array(list(known.values())))


def place_documents(topics: Topics, places: np.ndarray) -> np.ndarray:
    """Documents between their topics, jittered so that they do not hide one another.

    The jitter depends on the document's position in the corpus alone: after a refit a document that
    kept its topics keeps its place.
    """
    weight = topics.shares().astype(np.float32) ** SHARE_POWER
    total = weight.sum(axis=1, keepdims=True)
    weight = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    centre = weight @ places.astype(np.float32)
    main = main_topics(topics)
    radius = _cloud_radii(places, np.bincount(main[main != NO_TOPIC], minlength=len(topics)))
    found = centre + jitter(main.size) * radius[main][:, None].astype(np.float32)
    found[main == NO_TOPIC] = np.nan
    return found.astype(np.float32)


def representatives(
    groups: np.ndarray, n: int, *, first: Sequence[int] | np.ndarray = ()
) -> np.ndarray:
    """At most n documents, sampled from every group by its size, small groups a little more.

    ``groups`` holds a whole number per document, negative for those to leave out; ``first`` are
    always included, as far as there is room. The sample depends on positions alone, so a refit
    shows mostly the same documents.
    """
    eligible = np.flatnonzero(groups >= 0)
    if eligible.size <= n:
        return eligible
    chosen = np.asarray(first, dtype=np.intp)[:n]
    chosen = chosen[groups[chosen] >= 0] if chosen.size else chosen
    eligible = np.setdiff1d(eligible, chosen)
    random_key = _hash_to_unit(groups.size, 3)
    sizes = np.bincount(groups[eligible])
    wanted = np.sqrt(sizes * max(eligible.size / max(sizes.size, 1), 1.0)) + sizes
    share = (n - chosen.size) * wanted / max(wanted.sum(), 1.0)
    chance = np.minimum(share / np.maximum(sizes, 1), 1.0)[groups[eligible]]
    order = eligible[np.argsort(random_key[eligible] / np.maximum(chance, 1e-12), kind="stable")]
    return np.sort(np.concatenate([chosen, order[: n - chosen.size]]))


def points_inside(points: np.ndarray, polygon: Sequence[tuple[float, float]]) -> np.ndarray:
    """Whether each point lies in a polygon: a ray from it crosses an odd number of edges."""
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


def _classical_scaling(distance: np.ndarray) -> np.ndarray:
    """Classical scaling: the two longest axes of the cloud that has these distances."""
    n = distance.shape[0]
    if n < 3:
        return np.array([[-0.5, 0.0], [0.5, 0.0]])[:n] * (distance.max(initial=0.0) or 1.0)
    middle = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * middle @ distance**2 @ middle)
    top = np.argsort(-values, kind="stable")[:2]
    flat = vectors[:, top] * np.sqrt(np.maximum(values[top], 0.0))
    ring = (
        2 * np.pi * GOLDEN_RATIO * np.arange(n)
    )  # topics with nothing in common must not coincide
    return np.asarray(flat + 1e-3 * np.column_stack([np.cos(ring), np.sin(ring)]))


def _majorise(distance: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Stress majorisation (SMACOF): every step brings the distances nearer to those wanted."""
    n = distance.shape[0]
    if n < 3:
        return places - places.mean(axis=0) if n else places
    for _ in range(MAX_STEPS):
        real = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = np.divide(distance, real, out=np.zeros_like(distance), where=real > 1e-12)
        moved = (np.diag(ratio.sum(axis=1)) - ratio) @ places / n
        step = np.abs(moved - places).max()
        places = moved
        if step < MIN_STEP:
            break
    return places - places.mean(axis=0)


def _fix_signs(places: np.ndarray) -> np.ndarray:
    """Mirror images are the same map; take the one whose farthest topic lies up and right."""
    if not len(places):
        return places
    farthest = places[np.argmax(np.round(np.abs(places), 9), axis=0), range(2)]
    return places * np.where(farthest < 0, -1.0, 1.0)


def _start_from(known: Mapping[int, Sequence[float]], distance: np.ndarray) -> np.ndarray:
    """Topics at their earlier places; a new one among those most similar to it."""
    old = np.array(list(known))
    previous = np.array(list(known.values()), dtype=np.float64)
    start = np.zeros((distance.shape[0], 2))
    start[old] = previous
    for k in range(distance.shape[0]):
        if k not in known:
            near = 1.0 / np.maximum(distance[k, old], 1e-3) ** 4
            angle = 2 * np.pi * GOLDEN_RATIO * k
            offset = 0.1 * np.array([np.cos(angle), np.sin(angle)])
            start[k] = near @ previous / near.sum() + offset
    return start


def _align(places: np.ndarray, known: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Rotate, mirror and shift the map onto the earlier one (Procrustes), without scaling."""
    centre, target = places[known].mean(axis=0), previous.mean(axis=0)
    u, _, vt = np.linalg.svd((places[known] - centre).T @ (previous - target))
    return np.asarray((places - centre) @ (u @ vt) + target)


def _cloud_radii(places: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The radius of each topic's documents: larger for a large topic, never into the next."""
    n = len(places)
    if n < 2:
        return np.full(n, 0.5)
    between = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(between, np.inf)
    nearest = between.min(axis=1)
    usual = float(np.median(nearest))
    wide = CLOUD_RADIUS * usual * np.sqrt(sizes / max(float(sizes.mean()), 1e-12))
    return np.clip(wide, 0.12 * usual, np.maximum(MAX_CLOUD_RADIUS * nearest, 0.12 * usual))


def jitter(n: int) -> np.ndarray:
    """An offset for each position, evenly distributed over a disc."""
    radius, angle = np.sqrt(_hash_to_unit(n, 1)), 2 * np.pi * _hash_to_unit(n, 2)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).astype(np.float32)


def _hash_to_unit(n: int, salt: int) -> np.ndarray:
    """A pseudo-random number in [0, 1) for each position, always the same (splitmix64)."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z += np.uint64(salt * 0x5851F42D4C957F2D & 0xFFFFFFFFFFFFFFFF)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype(np.float64) / 2.0**64
