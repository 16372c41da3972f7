"""scikit-learn's own checks on every model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from core.engine.estimator import TopicModel
from core.models import MODELS

EXACT = ("NMF", "LDA", "VBNMF")  # ``transform`` gives the documents fitted the weights of the fit
COMPARING = ("check_transformer_general", "check_transformer_data_not_an_array")
OPTIONS: dict[str, dict[str, object]] = {
    "tsnmf": {"n_topics": 4},  # the checks know three classes, and each needs its topic
    "supervised_vbnmf": {"n_topics": 4},
    "pfa": {"data": "binary"},  # the checks' data are no counts, which is refused otherwise
    "pfa_ssi": {"data": "binary"},
}


def answering_as_fitted(estimator: TopicModel) -> TopicModel:
    """The same model, for checks that compare ``fit_transform`` with ``transform``.

    Labels shape the weights of the documents fitted, and samplers draw those of new ones afresh.
    New documents are checked and mapped as ever, but the answer is that of the fit.
    """
    kind = type(estimator)

    def transform(self: TopicModel, X: Any) -> np.ndarray:
        assert np.isfinite(kind.transform(self, X)).all()
        return self.doc_topic_

    return type(kind.__name__, (kind,), {"transform": transform})(**estimator.get_params())


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks(
    [MODELS[name](**{"n_topics": 2, **OPTIONS.get(name, {})}) for name in MODELS]
)
def test_scikit_learn_accepts_the_model(estimator, check):
    comparing = getattr(check, "func", check).__name__ in COMPARING
    exact = type(estimator).__name__ in EXACT
    check(answering_as_fitted(estimator) if comparing and not exact else estimator)
