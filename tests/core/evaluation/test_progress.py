"""Verdicts and forecasts on hand-made histories."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from core.evaluation.progress import (
    DocumentHits,
    EvaluatedRun,
    check_forecasts,
    comparable_runs,
    compare_hits,
    comparison_key,
    estimate_fit_noise,
    judge_progress,
)
from core.spec import ModelSpec
from core.store import Run
from core.store.runs.outcome import RunOutcome

DAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


def point(run: int, labelled: int, *, comparison_key: str = "a", **more) -> EvaluatedRun:
    finished = DAY + timedelta(minutes=run)
    scores = {"first": [0.5, 0.4, 0.6, ""]}
    about = {"basis": "truth", "model": "tsnmf", "scores": scores}
    return EvaluatedRun(run, labelled, labelled, finished, comparison_key, **{**about, **more})


def judged(hits: int, n: int = 100, first: int = 0) -> DocumentHits:
    return DocumentHits(np.arange(first, first + n), np.arange(n) < hits)


def run(number: int, **changes) -> Run:
    about = {
        "id": number,
        "project": 1,
        "revision": number,
        "spec": ModelSpec(n_topics=3),
        "settings": {"n_free": 1, "text": {"lemmas": True}},
        "topic_ids": (),
        "outcome": RunOutcome(),
        "seconds": 1.0,
        "finished": DAY,
        "automatic": True,
        "factors": Path("x"),
    }
    return Run(**{**about, **changes})


def test_a_point_comes_back_from_plain_values():
    made = point(3, 7, forecast={"now": 0.5})
    assert EvaluatedRun.from_dict(made.to_dict()) == made


@pytest.mark.parametrize(
    ("changes", "alike"),
    [
        ({"spec": ModelSpec(n_topics=9)}, True),  # a topic was named
        ({"spec": ModelSpec("nmf", n_topics=3)}, False),
        ({"spec": ModelSpec(n_topics=3, options={"guidance": 0})}, False),
        ({"settings": {"n_free": 2, "text": {"lemmas": True}}}, False),
        ({"settings": {"n_free": 1, "text": {"lemmas": False}}}, False),
        ({"basis": "held_out"}, False),
        ({"spec": ModelSpec(n_topics=3, options={"parts": {"A": 2}})}, False),
    ],
)
def test_only_like_is_held_against_like(changes, alike):
    basis = changes.pop("basis", "truth")
    now = point(2, 7, comparison_key=comparison_key(run(2), "truth"))
    then = point(1, 7, comparison_key=comparison_key(run(1, **changes), basis))
    assert bool(comparable_runs([then], now)) == alike


def test_a_name_that_was_changed_changes_nothing():
    specs = [ModelSpec(options={"parts": {name: 2, "*": 1}}) for name in ("Bins", "Waste")]
    first, second = (comparison_key(run(1, spec=spec), "truth") for spec in specs)
    assert first == second


@pytest.mark.parametrize(
    ("before", "now", "kind"), [(60, 80, "better"), (80, 60, "worse"), (60, 62, "same")]
)
def test_better_the_same_or_worse(before, now, kind):
    found = judge_progress(point(2, 40), judged(now), [point(1, 25)], {1: judged(before)})
    assert found.kind == kind
    assert (found.before, found.now) == (before / 100, now / 100)
    assert found.reference.labelled == 25


def test_the_fit_before_the_last_labels_is_some_labels_back():
    earlier = [point(1, 20), point(2, 31), point(3, 39)]
    kept = {each.run: judged(50) for each in earlier}
    assert judge_progress(point(4, 42), judged(50), earlier, kept).reference.run == 2
    assert judge_progress(point(4, 22), judged(50), earlier[:1], kept).reference.run == 1


def test_since_when_goes_back_as_far_as_the_same_holds():
    earlier = [point(1, 10), point(2, 20), point(3, 30)]
    kept = {1: judged(40), 2: judged(78), 3: judged(80)}
    found = judge_progress(point(4, 45), judged(80), earlier, kept)
    assert (found.kind, found.since.run) == ("same", 2)


def test_the_same_fit_again_has_nothing_to_compare_with():
    assert judge_progress(point(2, 25), judged(50), [point(1, 25)], {1: judged(50)}) is None


def test_only_documents_judged_both_times_count():
    before = {1: judged(100, first=0)}
    found = judge_progress(point(2, 40), judged(80, first=50), [point(1, 25)], before)
    assert (found.difference.n, found.now) == (50, 1.0)
    few = judge_progress(point(2, 40), judged(80, first=95), [point(1, 25)], before)
    assert (few.kind, few.difference.n) == ("too few", 5)
    assert judge_progress(point(2, 40), judged(80, first=100), [point(1, 25)], before) is None


def test_forecasts_are_held_against_what_happened():
    told = {"now": 0.6, "more": [25, 50], "expected": [0.7, 0.75], "low": [0.65, 0.7]}
    told["high"] = [0.75, 0.8]
    history = [
        point(1, 30, forecast=told),
        point(2, 33, forecast=told),  # says what the first one said
        point(3, 56, forecast={**told, "now": 0.72}),
        point(4, 81, forecast={**told, "now": 0.9}),
    ]
    table = check_forecasts(history)
    assert table[["labelled", "more", "then"]].to_numpy().tolist() == [
        [30, 25, 56],
        [30, 50, 81],
        [56, 25, 81],
    ]
    assert table["inside"].tolist() == [True, False, False]


def test_a_fit_with_many_more_labels_is_no_test_of_a_forecast():
    told = {"now": 0.6, "more": [25], "expected": [0.7], "low": [0.6], "high": [0.8]}
    assert check_forecasts([point(1, 30, forecast=told), point(2, 90, forecast=told)]).empty


def test_sixteen_right_labels_are_not_blamed_for_the_luck_of_a_fit():
    """73 to 69 % on 300 documents: clear for these two fits, not for two fits by chance."""
    before = {1: DocumentHits(np.arange(300), np.arange(300) < 219)}
    now = DocumentHits(np.arange(300), np.arange(300) < 207)
    found = judge_progress(point(2, 40), now, [point(1, 24)], before)
    assert (found.kind, found.noise.source) == ("same", "assumed")
    assert compare_hits(now, before[1]).high < 0
    assert found.difference.low < compare_hits(now, before[1]).low


def test_other_starts_tell_the_luck_of_a_fit():
    steady = judge_progress(point(2, 40), judged(70), [point(1, 25)], {1: judged(80)}, [0.7] * 5)
    shaky = judge_progress(
        point(2, 40), judged(70), [point(1, 25)], {1: judged(80)}, [0.6, 0.7] * 5
    )
    assert (steady.noise.source, shaky.noise.source) == ("starts", "starts")
    assert 0 < steady.noise.spread < 0.02 < shaky.noise.spread
    assert (steady.kind, shaky.kind) == ("worse", "same")


def test_runs_with_other_labels_say_nothing_of_the_luck_of_a_fit():
    assert estimate_fit_noise().source == "assumed"
    assert estimate_fit_noise([0.3, 0.5]).source == "assumed"
    assert estimate_fit_noise([0.5] * 5).source == "starts"


def series(shares: list[float], n: int, seed: int = 0) -> list[DocumentHits]:
    """Runs on the same n texts; which of them a run is right about is partly up to chance."""
    rng = np.random.default_rng(seed)
    hard = rng.random(n)
    draws = [hard + 0.1 * rng.normal(size=n) for _ in shares]
    hits = [d <= np.quantile(d, share) for d, share in zip(draws, shares, strict=True)]
    return [DocumentHits(np.arange(n), each) for each in hits]


def last_verdict(shares: list[float], n: int, seed: int = 0):
    hits = series(shares, n, seed)
    runs = [point(k + 1, 20 * (k + 1)) for k in range(len(shares))]
    known = {each.run: found for each, found in zip(runs[:-1], hits, strict=False)}
    return judge_progress(runs[-1], hits[-1], runs[:-1], known)


def test_a_steep_gain_and_a_smaller_one_are_both_progress():
    """2, 25, 34 % on 61,000 texts was called noise: the steep gain had counted as luck."""
    assert last_verdict([0.02, 0.25], 61_000).kind == "better"
    found = last_verdict([0.02, 0.25, 0.34], 61_000)
    assert (found.kind, found.since.run) == ("better", 1)
    assert found.now == pytest.approx(0.34, abs=0.001)
    long = [0.02, 0.05, 0.1, 0.16, 0.25, 0.34, 0.42]
    assert last_verdict(long, 61_000).kind == "better"


@pytest.mark.parametrize("seed", range(5))
def test_flat_noise_is_no_change(seed):
    shares = [0.5 + 0.01 * (-1) ** k for k in range(9)]
    assert last_verdict(shares, 5_000, seed).kind == "same"


def test_a_drop_far_beyond_chance_is_worse_at_once():
    assert last_verdict([0.5, 0.52, 0.34], 5_000).kind == "worse"
    assert last_verdict([0.5, 0.34], 5_000).kind == "worse"


@pytest.mark.parametrize("n", [12, 25, 40])
def test_few_texts_tell_nothing_either_way(n):
    assert last_verdict([0.4, 0.48], n).kind == "too few"
    assert last_verdict([0.48, 0.4], n).kind == "too few"


@pytest.mark.parametrize(("between", "kind"), [(80, "perhaps worse"), (64, "worse")])
def test_a_drop_must_hold_for_two_fits(between, kind):
    earlier = [point(1, 25), point(2, 33)]
    found = judge_progress(point(3, 40), judged(66), earlier, {1: judged(80), 2: judged(between)})
    assert (found.kind, found.reference.run) == (kind, 1)
