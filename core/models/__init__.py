"""The ten models by name; what they share is in ``core.engine``, and none imports another.

Every model has scikit-learn's methods: ``fit``, ``transform``, ``predict``, ``predict_proba``,
``score``, ``get_feature_names_out``, ``set_output``. ``predict`` answers in the labels of ``y``
(``core.engine.prediction``). NMF, VBNMF, PFA and LDA find their topics without labels; given ``y``,
they learn how its labels use the topics, so that they predict as well. A model fitted without any
label has no label to predict and raises a ``ModelError``; its main topic is
``transform(X).argmax(axis=1)``.
"""

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
