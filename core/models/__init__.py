"""The models by name. Models never import one another; what they share lives one level up."""

from __future__ import annotations

from typing import Any

from core.models.nmf import NMF
from core.models.ssnmf import SSNMF
from core.models.supervised_vbnmf import SupervisedVBNMF
from core.models.tsnmf import TSNMF
from core.models.vbnmf import VBNMF

MODELS: dict[str, type[Any]] = {
    "nmf": NMF,
    "tsnmf": TSNMF,
    "ssnmf": SSNMF,
    "vbnmf": VBNMF,
    "supervised_vbnmf": SupervisedVBNMF,
}

__all__ = ["MODELS", "NMF", "SSNMF", "TSNMF", "VBNMF", "SupervisedVBNMF"]
