"""Held-out labels: stable folds, fits without them, and no scores where labels are few."""

from __future__ import annotations

import numpy as np
import pytest

from core.corpus import Corpus
from core.engine.limits import Steering
from core.errors import Cancelled
from core.evaluation import held_out as module
from core.evaluation.held_out import cross_validate, fold_of, has_enough_labels
from core.evaluation.scoring import score_held_out
from core.evaluation.subsets import without_labels
from core.matrix import build_matrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.text import TextSettings

WORDS = ("water pipe leak tap", "noise night music loud")
NAMES = ("Water", "Noise")
SPEC = ModelSpec(n_topics=3, options={"max_iter": 20})


def corpus(n: int = 60) -> Corpus:
    texts = tuple(f"{WORDS[i % 2]} {WORDS[i % 2].split()[i % 4]}" for i in range(n))
    return Corpus(ids=tuple(map(str, range(n))), texts=texts)


def told(n_labelled: int, n: int = 60) -> Supervision:
    return Supervision.of([[NAMES[i % 2]] if i < n_labelled else [] for i in range(n)], NAMES)


MATRIX = build_matrix(corpus())
COUNTS = build_matrix(corpus(), TextSettings(weighting="counts", l2=False))


def test_parts_are_even_and_do_not_depend_on_the_others():
    parts = fold_of(np.arange(10_000))
    counts = np.bincount(parts, minlength=5)
    assert counts.min() > 1_800
    assert fold_of(np.array([7, 4321])).tolist() == parts[[7, 4321]].tolist()


def test_without_forgets_everything_about_a_document():
    said = Supervision.of(
        [["A"], ["B"], []], forbidden=[["B"], [], ["A"]], confidence=["expert", "sure", "sure"]
    )
    left = without_labels(said, np.array([0, 2]))
    assert left.labelled.tolist() == [False, True, False]
    assert left.forbidden.nnz == 0
    assert left.confidence.tolist() == [1, 1, 1]


def test_every_labelled_document_is_judged_once():
    judged = cross_validate(MATRIX, told(30), SPEC)
    assert judged.positions.tolist() == list(range(30))
    assert judged.topic_names == (*NAMES, "Free 1")


def test_easy_labels_are_found_again():
    scores = score_held_out(cross_validate(MATRIX, told(30), SPEC))
    assert scores["first"].value > 0.9
    assert scores["first"].note == "on 30 texts"


def test_wrong_labels_are_not_rewarded():
    rng = np.random.default_rng(0)
    labels = [[NAMES[rng.integers(2)]] if i < 40 else [] for i in range(60)]
    judged = cross_validate(MATRIX, Supervision.of(labels, NAMES), SPEC)
    assert score_held_out(judged)["first"].value < 0.8


@pytest.mark.parametrize("said", [told(19), Supervision.of([["A"]] * 60)])
def test_few_labels_or_one_kind_say_nothing(said):
    assert not has_enough_labels(said)
    assert cross_validate(MATRIX, said, SPEC) is None


def test_a_model_whose_topics_belong_to_no_label_is_judged_by_its_namesakes():
    judged = cross_validate(MATRIX, told(40), ModelSpec("nmf", n_topics=2))
    assert judged.doc_topic.shape[1] >= len(NAMES)
    assert score_held_out(judged)["first"].value > 0.8


def test_a_large_corpus_is_sampled_labelled_documents_first(monkeypatch):
    monkeypatch.setattr(module, "MAX_DOCUMENTS", 40)
    judged = cross_validate(MATRIX, told(30), SPEC)
    assert judged.positions.tolist() == list(range(30))


def test_progress_is_told_and_cancels():
    heard = []
    cross_validate(MATRIX, told(30), SPEC, report=heard.append)
    assert heard == sorted(heard)
    assert 0 < heard[0] < heard[-1] <= 1
    with pytest.raises(Cancelled):
        cross_validate(MATRIX, told(30), SPEC, report=lambda share: True)


def heard_by(monkeypatch) -> list:
    """What the fits are told: names and steering."""
    told_to, real = [], module.fit

    def fit(matrix, supervision, spec, *, callback, steering):
        told_to.append((supervision.names, steering))
        return real(matrix, supervision, spec, callback=callback, steering=steering)

    monkeypatch.setattr(module, "fit", fit)
    return told_to


def test_groups_of_documents_are_told_to_the_fits(monkeypatch):
    heard = heard_by(monkeypatch)
    district = ["North", "South", ""] * 20
    spec = ModelSpec("pfa_ssi", 2, options={"max_iter": 10})
    judged = cross_validate(COUNTS, told(30), spec, groups={"district": district})
    assert {names for names, _ in heard} == {(*NAMES, "district: North", "district: South")}
    assert judged.names == NAMES


def test_groups_follow_the_documents_into_a_sample(monkeypatch):
    monkeypatch.setattr(module, "MAX_DOCUMENTS", 40)
    heard = heard_by(monkeypatch)
    everywhere_else = ["North" if i < 30 else f"Far {i}" for i in range(60)]
    spec = ModelSpec("pfa_ssi", 2, options={"max_iter": 5})
    cross_validate(COUNTS, told(30), spec, groups={"district": everywhere_else})
    assert len(heard[0][0]) == len(NAMES) + 1 + 10  # of thirty far ones ten are drawn


def test_a_lock_tells_nothing_of_the_labels_kept_aside(monkeypatch):
    heard = heard_by(monkeypatch)
    said = Steering(held={"Water": {"music": 1.0}}, removed={"Noise": ("pipe",)})
    cross_validate(MATRIX, told(30), SPEC, steering=said)
    assert {len(steering.held) for _, steering in heard} == {0}
    assert all(steering.removed == said.removed for _, steering in heard)
