"""Models side by side: refused in time, scored alike, matched, and apart where they are apart."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core import MODELS, ModelSpec, Supervision, TextSettings, Topics, build_matrix
from core.engine.limits import Steering
from core.errors import Cancelled, ModelError
from core.evaluation.comparison import (
    Candidate,
    Comparison,
    ComparisonInput,
    RateStudy,
    compare_models,
    comparison_problems,
    document_differences,
    rate_study_problems,
    running,
    study_rates,
)
from core.evaluation.comparison.fit_timer import FitTimer
from core.evaluation.comparison.rates import (
    NMF_BASELINE,
    TSNMF_UNWEIGHTED,
    TSNMF_WEIGHTED,
    sample_documents,
)
from tests.core.workspace import small

CORPUS = small.corpus(60)
PLAIN_COUNTS = TextSettings(weighting="counts", l2=False)
NMF, TSNMF = Candidate("plain", ModelSpec("nmf", 3)), Candidate("told", ModelSpec("tsnmf", 3))


def told(n: int) -> Supervision:
    """The first n documents labelled as they are."""
    rows = [labels if i < n else () for i, labels in enumerate(CORPUS.labels)]
    return Supervision.of(rows, CORPUS.label_names)


def material(n: int = 12, n_docs: int = 60) -> ComparisonInput:
    corpus = small.corpus(n_docs)
    rows = [labels if i < n else () for i, labels in enumerate(corpus.labels)]
    return ComparisonInput(
        supervision=Supervision.of(rows, corpus.label_names),
        matrix=build_matrix(corpus, TextSettings()),
        counts=build_matrix(corpus, PLAIN_COUNTS),
        truth=Supervision.of(corpus.labels, corpus.label_names),
    )


@pytest.fixture(scope="module")
def compared() -> tuple[Comparison, list[Topics]]:
    return compare_models([NMF, TSNMF], material(), seeds=(0, 1), judge="truth")


def topics_of(doc_topic: list[list[float]]) -> Topics:
    W = np.array(doc_topic, dtype=np.float32)
    H = np.eye(W.shape[1], 4, dtype=np.float32)
    return Topics(
        doc_topic=W,
        topic_term=H,
        terms=("a", "b", "c", "d"),
        doc_ids=tuple(f"d{i}" for i in range(len(W))),
        names=tuple(f"t{k}" for k in range(W.shape[1])),
        spec=ModelSpec("nmf", W.shape[1]),
    )


def test_topics_are_paired_whatever_their_order():
    found = document_differences(
        topics_of([[1, 0], [1, 0], [0, 2]]), topics_of([[0, 3], [0, 1], [1, 0]])
    )
    assert [pair[:2] for pair in found.pairs] == [(0, 1), (1, 0)]
    assert found.agreement == 1.0
    assert found.distance.tolist() == [0, 0, 0]
    assert found.furthest(5) == []


def test_a_document_read_differently_is_furthest():
    found = document_differences(
        topics_of([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]),
        topics_of([[1, 0], [1, 0], [0, 1], [0, 1], [3, 1]]),
    )
    assert found.furthest(5) == [(4, pytest.approx(0.75))]
    assert found.agreement == pytest.approx(0.8)


def test_an_empty_document_counts_nowhere():
    found = document_differences(
        topics_of([[1, 0], [0, 1], [0, 0]]), topics_of([[1, 0], [0, 1], [1, 0]])
    )
    assert found.agreement == 1.0
    assert not found.known[2]
    assert found.distance[2] == 0


def test_fits_of_other_documents_cannot_be_compared():
    first = topics_of([[1, 0]])
    with pytest.raises(ModelError, match="same texts"):
        document_differences(first, replace(first, doc_ids=("other",)))


def test_every_candidate_is_scored_once_per_seed(compared):
    found, _ = compared
    assert [len(entry.scores["jaccard"]) for entry in found.entries] == [2, 2]
    assert [len(entry.scores["seconds"]) for entry in found.entries] == [2, 2]
    assert found.n_judged == 48  # nobody labelled them
    assert found.n_judged_labels == 3
    table = found.table()
    assert set(table["candidate"]) == {"plain", "told"}
    assert (table["seed"].value_counts() > 0).all()


def test_the_topics_are_those_of_the_first_seed(compared):
    found, topics = compared
    assert [each.spec.model for each in topics] == ["nmf", "tsnmf"]
    assert found.entries[1].topics[0].name == CORPUS.label_names[0]
    assert [each.label for each in found.entries[1].topics] == [0, 1, 2]
    words = {word for word, _ in found.entries[1].topics[0].words}
    assert words & set(small.WATER.split() + small.NOISE.split() + small.PARKS.split())


def test_partners_read_the_same_from_both_sides(compared):
    found, _ = compared
    there, back = found.partners(0, 1), found.partners(1, 0)
    assert {a: b for a, (b, _) in there.items()} == {b: a for a, (b, _) in back.items()}
    assert found.partners(0, 0) == {}


def test_listed_documents_say_what_each_model_says(compared):
    found, topics = compared
    for position, _ in found.documents[:5]:
        mains = found.mains[position]
        assert [k for k, _ in mains] == [int(t.doc_topic[position].argmax()) for t in topics]


def test_a_comparison_survives_a_file(compared):
    found, _ = compared
    assert Comparison.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_labels_kept_aside_judge_without_truth():
    found, topics = compare_models(
        [NMF, TSNMF], replace(material(30), truth=None), seeds=(0, 1), judge="held_out"
    )
    assert found.n_judged == 6  # a fifth of 30
    assert found.entries[1].mean("jaccard") > 0.5
    mask = material(30).supervision.topic_mask(3)
    assert (topics[1].doc_topic[~mask] == 0).all()  # what is shown was fitted with every label


def test_an_earlier_run_stands_beside_as_it_was(compared):
    _, topics = compared
    run = Candidate("run 7", topics[0].spec, run=7)
    found, shown = compare_models(
        [TSNMF, run], replace(material(), fitted={7: topics[0]}), seeds=(0, 1), judge="truth"
    )
    assert shown[1] is topics[0]
    assert len(found.entries[1].scores["jaccard"]) == 1
    assert "seconds" not in found.entries[1].scores


def test_a_report_cancels():
    with pytest.raises(Cancelled):
        compare_models([NMF, TSNMF], material(), report=lambda standing: True)


def test_progress_rises_to_the_end():
    shares = []
    compare_models([NMF, TSNMF], material(), report=lambda s: shares.append(s.share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_time_left_is_told_once_every_kind_was_seen():
    heard = []
    fit_timer = FitTimer([("a", "nmf"), ("b", "lda"), ("a", "nmf")], heard.append)
    fit_timer.begin("a")
    fit_timer.end()
    assert heard[-1].seconds_left is None  # nobody knows how long b takes
    fit_timer.begin("b")
    fit_timer.end()
    assert heard[-1].seconds_left is not None


SUPERVISED = ("tsnmf", "ssnmf", "cnmf", "nmf_alpha", "supervised_vbnmf")


@pytest.mark.parametrize("model", SUPERVISED)
def test_models_of_labels_need_labels(model):
    said = comparison_problems([NMF, Candidate("It", ModelSpec(model, 3))], told(0))
    assert said == ["It learns from labels, and no text is labelled yet."]


def test_a_model_of_groups_needs_labels_or_groups():
    groups = [Candidate("It", ModelSpec("pfa_ssi", 3))]
    assert (
        "needs labels or groups of texts"
        in comparison_problems(groups, told(0), min_candidates=1)[0]
    )
    assert comparison_problems(groups, told(0), levels=("district",), min_candidates=1) == []


def test_groups_and_words_are_told_to_those_who_hear_them(monkeypatch):
    heard = {}

    def fit(matrix, supervision, spec, *, callback, steering):
        heard[spec.model] = (supervision.names, steering)
        return real(matrix, supervision, spec, callback=callback, steering=steering)

    real = running.fit
    monkeypatch.setattr(running, "fit", fit)
    steering = Steering(removed={CORPUS.label_names[0]: ("again",)})
    side = {"district": CORPUS.side["district"]}
    given = replace(material(), steering=steering, side=side, levels=("district",))
    grouped = Candidate("groups", ModelSpec("pfa_ssi", 3, 0, {"max_iter": 10}))
    compare_models([NMF, TSNMF, grouped], given)
    assert heard["pfa_ssi"][0][-1] == "district: South"
    assert heard["tsnmf"] == (CORPUS.label_names, steering)
    assert heard["nmf"] == (CORPUS.label_names, None)


def test_locks_are_left_out_where_labels_are_kept_aside(monkeypatch):
    heard = []

    def fit(matrix, supervision, spec, *, callback, steering):
        heard.append((int(supervision.labelled.sum()), bool(steering.held)))
        return real(matrix, supervision, spec, callback=callback, steering=steering)

    real = running.fit
    monkeypatch.setattr(running, "fit", fit)
    steering = Steering(held={CORPUS.label_names[0]: {"again": 1.0}})
    compare_models([TSNMF], replace(material(30), steering=steering), judge="held_out")
    assert heard == [(24, False), (30, True)]  # judged, then shown


@pytest.mark.parametrize("model", sorted(MODELS))
def test_no_model_is_refused_without_reason(model):
    assert (
        comparison_problems([Candidate("It", ModelSpec(model, 3))], told(12), min_candidates=1)
        == []
    )


REFUSED = [
    ({"candidates": [NMF]}, "at least 2"),
    ({"candidates": [NMF, replace(NMF, title="again")]}, "again has the same settings as plain"),
    ({"candidates": [NMF, Candidate("x", ModelSpec("tsnmf", 2))]}, "3 labels need at least"),
    ({"candidates": [NMF, Candidate("x", ModelSpec("nmf", 61))]}, "more than the 60 texts"),
    ({"candidates": [NMF, Candidate("x", ModelSpec("nmf", 3, 0, {"parts": 2}))]}, "no option"),
    ({"candidates": [NMF, Candidate("x", ModelSpec("none", 3))]}, "There is no model"),
    (
        {"candidates": [NMF, Candidate("x", ModelSpec("nmf", 3, 0, {"loss": "i_divergence"}))]},
        'needs solver="mu"',
    ),
    ({"candidates": [NMF, Candidate("x", ModelSpec("lda", 3))], "counts": False}, "counts"),
    ({"judge": "truth"}, "no true labels"),
    ({"judge": "held_out"}, "at least 20 texts must be labelled"),
    (
        {"judge": "held_out", "candidates": [NMF, replace(TSNMF, run=3)]},
        "was fitted with every label",
    ),
    ({"seeds": (1, 1)}, "different whole numbers"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_what_cannot_work_is_refused_in_a_sentence(given, sentence):
    asked = {"candidates": [NMF, TSNMF], "supervision": told(12), **given}
    said = comparison_problems(asked.pop("candidates"), asked.pop("supervision"), **asked)
    assert any(sentence in each for each in said)


def test_margins_need_two_labels():
    one = Supervision.of([("a",)] + [()] * 59, ("a", "b"))
    said = comparison_problems([NMF, Candidate("It", ModelSpec("nmf_alpha", 3))], one)
    assert "two different ones" in said[0]


def test_a_refused_comparison_does_not_start():
    with pytest.raises(ModelError, match="learns from labels"):
        compare_models([NMF, TSNMF], material(0))


@pytest.fixture(scope="module")
def study() -> RateStudy:
    return study_rates(
        material(),
        variants=(TSNMF_UNWEIGHTED, TSNMF_WEIGHTED, NMF_BASELINE),
        rates=(0.5, 0.1),
        n_sets=2,
    )


def test_every_rate_and_set_is_a_point(study):
    table = study.table()
    assert study.rates == (0.1, 0.5)
    assert len(table) == 2 * (2 * 2 + 1)  # sets × (variants × rates + one without labels)
    assert (table[table["variant"] == NMF_BASELINE.title]["rate"] == 0).all()


def test_more_labels_are_met_at_a_higher_rate(study):
    told = study.table().query("rate > 0").groupby("rate")["coverage"].mean()
    assert told[0.5] == 1.0
    assert told[0.1] <= told[0.5]


def test_labels_help_on_all_documents(study):
    score = study.table().groupby(["variant", "rate"])["jaccard"].mean()
    assert score[TSNMF_UNWEIGHTED.title, 0.5] > 0.5


def test_a_study_survives_a_file(study):
    assert RateStudy.from_dict(json.loads(json.dumps(study.to_dict()))) == study


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"n_known": None}, "need true labels"),
        ({"rates": (0.0,)}, "above 0 % and below 100 %"),
        ({"n_sets": 0}, "1 to 50 sets"),
        ({"variants": ()}, "at least one model"),
        ({"n_known": 5}, "20 texts"),
    ],
)
def test_a_study_that_cannot_work_is_refused(changed, sentence):
    asked = {"variants": (NMF_BASELINE,), "rates": (0.1,), "n_sets": 2, "n_known": 60}
    assert sentence in rate_study_problems(**{**asked, **changed})[0]


def test_a_sample_keeps_documents_and_labels_together():
    whole = material()
    few = sample_documents(whole, 20)
    assert few.matrix.shape[0] == few.truth.n_docs == few.counts.shape[0] == 20
    place = whole.matrix.doc_ids.index(few.matrix.doc_ids[3])
    carried = whole.truth.permitted[[place]].toarray()
    assert (few.truth.permitted[[3]].toarray() == carried).all()
    assert sample_documents(whole, 60) is whole
