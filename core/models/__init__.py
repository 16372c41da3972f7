"""The models by name. Models never import one another; what they share lives one level up."""

from __future__ import annotations

from typing import Any

from core.models.cnmf import CNMF
from core.models.lda import LDA
from core.models.nmf import NMF
from core.models.nmf_alpha import NMFAlpha
from core.models.pfa import PFA
from core.models.pfa_ssi import PFASSI
from core.models.ssnmf import SSNMF
from core.models.supervised_vbnmf import SupervisedVBNMF
from core.models.tsnmf import TSNMF
from core.models.vbnmf import VBNMF

MODELS: dict[str, type[Any]] = {
    "nmf": NMF,
    "tsnmf": TSNMF,
    "ssnmf": SSNMF,
    "nmf_alpha": NMFAlpha,
    "cnmf": CNMF,
    "vbnmf": VBNMF,
    "supervised_vbnmf": SupervisedVBNMF,
    "pfa": PFA,
    "pfa_ssi": PFASSI,
    "lda": LDA,
}

__all__ = [
    "CNMF",
    "LDA",
    "MODELS",
    "NMF",
    "PFA",
    "PFASSI",
    "SSNMF",
    "TSNMF",
    "VBNMF",
    "NMFAlpha",
    "SupervisedVBNMF",
]
