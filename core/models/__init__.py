"""The models by name. Models never import one another; what they share lives one level up."""

from __future__ import annotations

from typing import Any

from core.models.nmf import NMF
from core.models.tsnmf import TSNMF

MODELS: dict[str, type[Any]] = {
    "nmf": NMF,
    "tsnmf": TSNMF,
}

__all__ = ["MODELS", "NMF", "TSNMF"]
