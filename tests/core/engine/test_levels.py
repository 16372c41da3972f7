"""Side columns as levels: who hangs from whom, and a model that sees it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.gibbs.levels import levels_fit, with_levels
from core.errors import SupervisionError
from core.models import MODELS
from core.supervision import Supervision

SIDE = {
    "district": ("Quay", "Hill", "Quay", "", "Mill"),
    "area": ("South", "North", "South", "North", ""),
}
LABELS = Supervision.of(
    [["A"], [], ["A", "B"], [], ["B"]], ["A", "B"], forbidden=[[], ["A"], [], [], []]
)


def test_documents_hang_from_labels_and_from_their_district():
    found = with_levels(LABELS, SIDE, ["district", "area"])
    assert found.names == ("A", "B", "district: Hill", "district: Mill", "district: Quay")
    assert found.permitted.toarray().astype(int).tolist() == [
        [1, 0, 0, 0, 1],
        [0, 0, 1, 0, 0],
        [1, 1, 0, 0, 1],
        [0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0],
    ]
    assert found.forbidden.shape == (5, 5)
    assert found.hierarchy == (
        {"district: Hill": ("area: North",), "district: Quay": ("area: South",)},
    )


def test_the_hierarchy_reads_both_levels():
    names = Hierarchy.of(with_levels(LABELS, SIDE, ["district", "area"])).names
    assert names[1] == ("area: North", "area: South")


def test_without_levels_nothing_changes():
    assert with_levels(LABELS, SIDE, []) is LABELS


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(SupervisionError, match="no column “planet”"):
        with_levels(LABELS, SIDE, ["planet"])


def test_levels_the_wrong_way_round_are_noticed():
    side = {"street": ("a", "b", "c", "d"), "town": ("x", "x", "y", "y")}
    assert levels_fit(side, ["street", "town"]) is None
    assert "wrong way" in (levels_fit(side, ["town", "street"]) or "")


def test_the_model_learns_what_a_district_talks_about():
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.2, (40, 12))
    counts[:20, :6] += rng.poisson(3, (20, 6))
    counts[20:, 6:] += rng.poisson(3, (20, 6))
    side = {"district": ("East",) * 20 + ("West",) * 20, "area": ("Town",) * 40}
    seen = with_levels(Supervision.none(40), side, ["district", "area"])
    model = MODELS["pfa_ssi"](n_topics=2, max_iter=60, random_state=0)
    model.fit(sp.csr_array(counts.astype(float)), seen)
    assert model.node_names_[0] == ("district: East", "district: West")
    east, west = model.node_topic_[0]
    assert east.argmax() != west.argmax()
