"""Table 2 of Haddock et al.: the losses that belong to the noise should come nearest to the truth.

Gaussian noise makes numbers below zero, which none of the models takes; print does not say what it
did with them. Here they become zero, or lose their sign. The latter gives print's errors, if beside
Poisson noise 1 / 2r is the standard deviation of the Gaussian, where print has it as the variance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.models import MODELS
from core.papers.ssnmf.newsgroups import LOSS_OF_LETTER
from core.papers.ssnmf.tables import ABSOLUTE, CLIPPED, DEVIATION, PAIRS
from core.papers.trials import Settings, Trial
from core.supervision import Supervision

RANK, MATRIX_SIZE, DENSITY = 5, 500, 0.5  # of the made-up matrices
DIVISOR_SHIFT = 1e-10  # print adds “a small positive value to all entries of divisors”
NOISE = {1: ("N", "N"), 2: ("N", "Po"), 3: ("Po", "N"), 4: ("Po", "Po")}  # on X, on Y
AS_PRINTED: Mapping[int, Settings] = {  # what gives print's errors
    1: {"negative": ABSOLUTE},
    2: {"negative": ABSOLUTE, "spread": DEVIATION},
    3: {"negative": ABSOLUTE, "spread": DEVIATION},
}
EXPERIMENT_PAIR = {1: "F,F", 2: "F,D", 3: "D,F", 4: "D,D"}  # whose objective is the error


@dataclass(frozen=True)
class MadeUp:
    """The true factors of table 2, the same in all trials."""

    W: np.ndarray
    H: np.ndarray
    B: np.ndarray

    @property
    def fingerprint(self) -> str:
        return f"made-up-{len(self.W)}x{RANK}-seed-0"

    @property
    def description(self) -> str:
        size = len(self.W)
        return f"Made-up data: {size} documents, {size} terms, {size} targets, rank {RANK}."


def made_up(size: int = MATRIX_SIZE) -> MadeUp:
    rng = np.random.default_rng(0)
    H = rng.uniform(size=(RANK, size))
    W, B = (_half_empty(rng, size) for _ in range(2))
    return MadeUp(W, H, B)


def _half_empty(rng: np.random.Generator, size: int) -> np.ndarray:
    values = rng.uniform(size=size * RANK)
    values[rng.permutation(values.size)[: round((1 - DENSITY) * values.size)]] = 0
    return values.reshape(size, RANK)


def synthetic_trials(n_starts: int, updates: int) -> list[Trial]:
    clipped = [
        Trial({"noise": noise, "pair": pair, "updates": updates}, seed)
        for seed in range(n_starts)
        for noise in NOISE
        for pair in PAIRS
    ]
    absolute = [
        Trial({"noise": noise, "pair": pair, "updates": updates, **AS_PRINTED[noise]}, seed)
        for seed in range(n_starts)
        for noise in AS_PRINTED
        for pair in PAIRS
    ]
    return [*clipped, *absolute]


def run_synthetic(data: MadeUp, trial: Trial) -> Mapping[str, float]:
    """Relative error (10): the objective of the noise against the truth, after and before."""
    noise, settings = int(trial.settings["noise"]), trial.settings
    true_X, true_Y = data.W @ data.H, data.W @ data.B.T
    rng = np.random.default_rng([noise, trial.seed])
    paired = noise in (2, 3)  # Gaussian noise beside Poisson has the variance 1 / 2r
    variance = 1 / (2 * RANK) if paired else 1.0
    if settings.get("spread") == DEVIATION:
        variance = variance**2
    absolute = settings.get("negative", CLIPPED) == ABSOLUTE
    X, Y = (
        _noisy(truth, kind, variance, rng, absolute)
        for truth, kind in zip((true_X, true_Y), NOISE[noise], strict=True)
    )
    start = _random_start(X, Y, trial.seed)
    model = _fitted(X, Y, settings, start)
    pair = EXPERIMENT_PAIR[noise]
    after = _objective(
        pair, true_X, true_Y, model.doc_topic_, model.components_, model.label_topic_
    )
    return {"relative_error": after / _objective(pair, true_X, true_Y, *start)}


def _noisy(
    truth: np.ndarray, kind: str, variance: float, rng: np.random.Generator, absolute: bool
) -> np.ndarray:
    if kind == "Po":
        return rng.poisson(truth).astype(float)
    values = rng.normal(truth, np.sqrt(variance))
    return np.abs(values) if absolute else np.maximum(values, 0)


def _random_start(X: np.ndarray, Y: np.ndarray, seed: int) -> tuple[np.ndarray, ...]:
    """The same for all four models."""
    rng = np.random.default_rng(seed)
    shapes = (X.shape[0], RANK), (RANK, X.shape[1]), (Y.shape[1], RANK)
    return tuple(rng.uniform(size=shape) for shape in shapes)


def _fitted(X: np.ndarray, Y: np.ndarray, settings: Settings, start: tuple[np.ndarray, ...]) -> Any:
    x_loss, y_loss = (LOSS_OF_LETTER[letter] for letter in str(settings["pair"]).split(","))
    targets = Supervision.of([[] for _ in range(X.shape[0])], targets=Y)
    model = MODELS["ssnmf"](
        RANK, x_loss=x_loss, y_loss=y_loss, max_iter=int(settings["updates"]), tol=0.0
    )
    return model.fit(X, targets, start=start)


def _objective(
    pair: str, X: np.ndarray, Y: np.ndarray, W: np.ndarray, H: np.ndarray, B: np.ndarray
) -> float:
    x_letter, y_letter = pair.split(",")
    return _error(x_letter, X, W @ H) + _error(y_letter, Y, W @ B.T)


def _error(letter: str, truth: np.ndarray, found: np.ndarray) -> float:
    if letter == "F":
        return float(((truth - found) ** 2).sum())
    logs = truth * np.log(np.where(truth > 0, truth, 1) / (found + DIVISOR_SHIFT))  # 0 log 0 is 0
    return float((logs - truth + found).sum())
