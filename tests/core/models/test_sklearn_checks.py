"""scikit-learn's own checks on every model; exceptions are listed with their reasons."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from core.models import MODELS

SUPERVISED = "fit_transform obeys the labels of its documents; transform cannot know them"
SAMPLED = "weights are means over draws, and those of new documents are drawn afresh"
GENERAL = ("check_transformer_general", "check_transformer_data_not_an_array")
EXPECTED: dict[str, dict[str, str]] = {
    name: dict.fromkeys(GENERAL, SUPERVISED)
    for name in ("TSNMF", "SSNMF", "SupervisedVBNMF", "NMFAlpha", "CNMF")
} | {name: dict.fromkeys(GENERAL, SAMPLED) for name in ("PFA", "PFASSI")}
OPTIONS: dict[str, dict[str, object]] = {
    "tsnmf": {"n_topics": 4},  # the checks know three classes, and each needs its topic
    "supervised_vbnmf": {"n_topics": 4},
    "pfa": {"data": "binary"},  # the checks' data are no counts, which is refused otherwise
    "pfa_ssi": {"data": "binary"},
}


def expected_failures(estimator: object) -> dict[str, str]:
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks(
    [MODELS[name](**{"n_topics": 2, **OPTIONS.get(name, {})}) for name in MODELS],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_accepts_the_model(estimator, check):
    check(estimator)
