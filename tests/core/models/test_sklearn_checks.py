"""scikit-learn's own checks on every model; exceptions are listed with their reasons."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from core.models import MODELS

SUPERVISED = "fit_transform obeys the labels of its documents; transform cannot know them"
EXPECTED: dict[str, dict[str, str]] = {
    "TSNMF": {
        "check_transformer_general": SUPERVISED,
        "check_transformer_data_not_an_array": SUPERVISED,
    },
}
N_TOPICS = {"nmf": 2}  # the checks' labels run to 3, and their data have as few as 2 terms


def expected_failures(estimator: object) -> dict[str, str]:
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks(
    [MODELS[name](n_topics=N_TOPICS.get(name, 4)) for name in ("nmf", "tsnmf")],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_accepts_the_model(estimator, check):
    check(estimator)
