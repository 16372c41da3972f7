"""Ways to take a step on Σ_i e_i D(x_i ‖ w_i H) with W zero outside its mask.

``CoordinateDescent`` is for squared error and is the fast one; ``Multiplicative`` and
``MultiplicativeDivergence`` take the papers' updates to the letter. None ever raises the objective,
and each step returns the objective it has reached, so the number optimised is the number reported.
Each has a document side of its own (``core.engine.documents``), which may be on other machines;
``WeightedCells``, the printed updates with a weight for each cell of X, needs one machine.
"""

from typing import Protocol

import numpy as np

from core.engine.estimator import Factors
from core.engine.solvers.coordinate_descent import (
    CoordinateDescent,
    GuidedDescent,
    relaxation_and_sweeps,
)
from core.engine.solvers.multiplicative import Multiplicative, MultiplicativeDivergence
from core.engine.solvers.multiplicative_documents import (
    DivergenceDocuments,
    MultiplicativeDocuments,
    multiply,
)
from core.engine.solvers.squared_documents import SquaredDocuments
from core.engine.solvers.sweeps import (
    MAX_SWEEPS,
    MIN_DIVISOR,
    in_own_scale,
    solve_documents,
    sweep_parts,
)
from core.engine.solvers.weighted_cells import WeightedCells

__all__ = [
    "MAX_SWEEPS",
    "MIN_DIVISOR",
    "CoordinateDescent",
    "DivergenceDocuments",
    "GuidedDescent",
    "Multiplicative",
    "MultiplicativeDivergence",
    "MultiplicativeDocuments",
    "Solver",
    "SquaredDocuments",
    "WeightedCells",
    "in_own_scale",
    "multiply",
    "relaxation_and_sweeps",
    "solve_documents",
    "sweep_parts",
]


class Solver(Protocol):
    """Factors that improve step by step."""

    def factors(self) -> Factors: ...

    def first_objective(self) -> float: ...

    def step(self) -> float: ...

    def used(self) -> np.ndarray:
        """Which topics any document uses."""
