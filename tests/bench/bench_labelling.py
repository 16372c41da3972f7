"""Few labels, whole corpus: what a simulated analyst's labels are worth, by queue and by model.

    pip install --no-deps tsnmf
    NLTK_DATA=... SCIKIT_LEARN_DATA=... python -m tests.bench.bench_labelling --out folder

An analyst who knows the truth labels 10 to 400 documents as the queue offers them (``mixed``) or
as chance does (``random``). Every model reads the same labels; every score is taken on documents
that were not labelled. ``--marks 1650 --modes random --corpora reuters`` is one document in five.
``--quick`` takes two seeds of the demo. Rows already in ``results.csv`` of the folder are not
measured again, so a long run may be interrupted; remove the file to start anew.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from core import Supervision
from core.evaluation import forecast
from core.evaluation.forecast import MIN_LABELS_FOR_FORECAST
from core.guide.classifier import fit_guide
from core.loading import read_demo, read_newsgroups
from core.workspace.refits.warm_up import warm
from tests.bench.analyst import Analyst
from tests.bench.corpora import Bench, from_file, news_with_names, titles
from tests.bench.labelling_curves import draw
from tests.bench.ranking_time import ranking
from tests.bench.rivals import MEASURES, NEEDS_NO_LABEL, RIVALS, Answer, scores

MARKS = (0, 1, 3, 10, 25, 50, 100, 200, 400)
MODES = ("random", "mixed")
TARGET, HALF = 200, 100  # chance's labels, and with how many the queue should be as good
KEY = ["corpus", "mode", "seed", "labels", "model"]


CORPORA: dict[str, Callable[[], Bench]] = {
    "demo": lambda: Bench.of("demo", read_demo()),
    "reuters": news_with_names,
    "newsgroups": lambda: Bench.of("20 Newsgroups", read_newsgroups("train", min_characters=100)),
    "titles": titles,
    "intents": lambda: from_file("clinc150", 6000, 77),
    "packages": lambda: from_file("debian_packages", 6000, 50),  # not used for any choice
    "venues": lambda: from_file("acl_anthology", 6000, 25),  # not used for any choice
}


def measured(
    name: str,
    bench: Bench,
    mode: str,
    seed: int,
    models: Sequence[str],
    marks: Sequence[int],
) -> Iterator[dict[str, object]]:
    """One row per number of labels and model; the forecast is a model of its own."""
    analyst = Analyst(bench, mode, seed)
    for labels, said in analyst.at(marks):
        about = {"corpus": name, "mode": mode, "seed": seed, "labels": labels}
        for model in models if labels else [m for m in models if m in NEEDS_NO_LABEL]:
            begun = time.perf_counter()
            answer = RIVALS[model](bench, said, seed)
            seconds = time.perf_counter() - begun
            yield about | {"model": model, "seconds": seconds} | scores(bench, said, answer)
        if labels >= MIN_LABELS_FOR_FORECAST:
            yield about | {"model": "forecast"} | forecast_row(bench, said)


def forecast_row(bench: Bench, said: Supervision) -> dict[str, float]:
    """What the curve up to here promises for twice as many labels."""
    curve = forecast.learning_curve(
        bench.X, said, vectors=bench.vectors, descriptions=bench.names_read
    )
    if curve is None:
        return {}
    told = forecast.forecast(curve, (int(said.labelled.sum()),))
    guide = fit_guide(bench.X, said, vectors=bench.vectors, descriptions=bench.names_read)
    assert guide is not None
    answer = Answer(guide.probabilities(bench.X, bench.vectors))
    return scores(bench, said, answer) | {
        "now": told.now,
        "expected": float(told.expected[0]),
        "low": float(told.low[0]),
        "high": float(told.high[0]),
    }


def run(
    out: Path,
    names: Sequence[str],
    seeds: int,
    modes: Sequence[str],
    models: Sequence[str],
    marks: Sequence[int] = MARKS,
) -> pd.DataFrame:
    """All rows of all corpora, those of earlier runs included."""
    path = out / "results.csv"
    table = pd.read_csv(path) if path.is_file() else pd.DataFrame(columns=KEY)
    for name in names:
        bench = CORPORA[name]()
        print(f"{bench.name}: {bench.X.shape[0]:,} documents, {len(bench.names)} labels")
        reached = {mark for mark in marks if mark <= bench.X.shape[0] // 2}
        for seed, mode in [(seed, mode) for seed in range(seeds) for mode in modes]:
            modelled = [
                m for m in models if m != "logistic on vectors" or bench.vectors is not None
            ]
            mine = table[(table.corpus == name) & (table["mode"] == mode) & (table.seed == seed)]
            done = mine.groupby("model").labels.agg(set)
            missing = [m for m in modelled if reached - {0} - done.get(m, set())]
            if not missing:
                continue
            begun = time.perf_counter()
            rows = pd.DataFrame(measured(name, bench, mode, seed, missing, marks))
            table = pd.concat([table, rows] if len(table) else [rows], ignore_index=True)
            table = table.drop_duplicates(KEY, keep="last", ignore_index=True)
            table.to_csv(path, index=False)
            print(f"  {mode}, seed {seed}: {time.perf_counter() - begun:.0f} s", flush=True)
    return table


def by_model(table: pd.DataFrame) -> None:
    """One table per corpus, mode and measure: mean ± standard error, and over how many seeds."""
    scored = table[table.model != "forecast"]
    for (corpus, mode), part in scored.groupby(["corpus", "mode"], sort=False):
        for measure in MEASURES:
            known = part.dropna(subset=[measure])
            groups = known.groupby(["model", "labels"], sort=False)[measure]
            cells = groups.agg(_cell).unstack("labels").fillna("")
            counts = groups.count().unstack("labels")
            cells["seeds"] = [_span(row.dropna()) for _, row in counts.iterrows()]
            print(f"\n**{corpus}, labels by {mode}: {measure}**\n")
            print(markdown(cells))


def _cell(values: pd.Series) -> str:
    error = f" ± {values.sem(ddof=1):.3f}" if len(values) > 1 else ""
    return f"{values.mean():.3f}{error}"


def _span(counts: pd.Series) -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low}–{high}"


def markdown(table: pd.DataFrame) -> str:
    head = " | ".join(["", *map(str, table.columns)])
    pairs = zip(table.index, table.to_numpy(), strict=True)
    rows = [" | ".join([str(name), *map(str, row)]) for name, row in pairs]
    rule = "---|" * (len(table.columns) + 1)
    return "\n".join([f"|{head} |", f"|{rule}", *(f"| {row} |" for row in rows)])


def efficiency(table: pd.DataFrame) -> None:
    """With how many labels does the queue reach what chance has with 200?"""
    print(f"\n**Labels with which the queue reaches chance's score at {TARGET}**\n")
    print("| corpus | model | measure | chance at 200 | mixed at 100 | labels needed |")
    print("|---|---|---|---|---|---|")
    mean = table.groupby(["corpus", "mode", "model", "labels"])[list(MEASURES)].mean()
    for corpus, model in table[["corpus", "model"]].drop_duplicates().itertuples(index=False):
        for measure in ("jaccard", "first", "f1_micro", "f1_macro"):
            try:
                chance = mean.loc[(corpus, "random", model), measure]
                queue = mean.loc[(corpus, "mixed", model), measure]
                target, half = chance[TARGET], queue[HALF]
            except KeyError:
                continue
            if np.isfinite(target):
                needed = f"{labels_needed(queue, target):.0f}"
                print(f"| {corpus} | {model} | {measure} | {target:.3f} | {half:.3f} | {needed} |")


def labels_needed(curve: pd.Series, target: float) -> float:
    """Where a curve first reaches the target, between marks in proportion; inf if it never does."""
    before = (0.0, 0.0)
    for labels, value in curve.items():
        if value >= target:
            share = (target - before[1]) / max(value - before[1], 1e-12)
            return before[0] + share * (float(labels) - before[0])
        before = (float(labels), float(value))
    return float("inf")


def guided_against_pure(table: pd.DataFrame) -> None:
    """Guided minus pure, seed by seed; a mark where it is below by more than one standard error."""
    print("\n**Guided minus pure: mean ± standard error; “below” by more than one**\n")
    print("| corpus | mode | labels | jaccard | first | npmi |\n|---|---|---|---|---|---|")
    both = table[table.model.isin(["pure", "guided"])]
    wide = both.set_index(KEY)[list(MEASURES)].unstack("model")
    for (corpus, mode, labels), part in wide.groupby(["corpus", "mode", "labels"], sort=False):
        cells = []
        for measure in ("jaccard", "first", "npmi"):
            gain = (part[measure, "guided"] - part[measure, "pure"]).dropna()
            error = gain.sem(ddof=1)
            mark = " below" if gain.mean() < -error else ""
            cells.append(f"{gain.mean():+.3f} ± {error:.3f}{mark}")
        print(f"| {corpus} | {mode} | {labels} | {' | '.join(cells)} |")


def forecasts(table: pd.DataFrame) -> None:
    """What was forecast for twice the labels, and what happened: by the curve then, and in truth.

    In brackets how often it lay in the band, which should be eight times in ten.
    """
    told = table[table.model == "forecast"]
    if "expected" not in told:
        return
    key = ["corpus", "mode", "seed", "labels"]
    told = told.assign(labels=told.labels.astype(float))
    later = told[[*key, "now", "first"]].assign(labels=told.labels / 2)
    later = later.rename(columns={"now": "then", "first": "unlabelled"})
    pairs = told.merge(later, on=key).dropna(subset=["expected"])
    print("\n**Forecast of the share of right first labels, for twice as many labels**\n")
    print("| corpus | mode | labels | now | forecast | low | high | curve then | unlabelled then |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (corpus, mode, labels), part in pairs.groupby(["corpus", "mode", "labels"], sort=False):
        row = [f"{part[name].mean():.3f}" for name in ("now", "expected", "low", "high")]
        for name in ("then", "unlabelled"):
            inside = part[name].between(part.low, part.high).mean()
            row.append(f"{part[name].mean():.3f} ({inside:.0%})")
        print(f"| {corpus} | {mode} | {labels:.0f} → {2 * labels:.0f} | {' | '.join(row)} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--out", type=Path, default=Path("labelling"))
    options.add_argument("--corpora", nargs="+", choices=[*CORPORA], default=[*CORPORA])
    options.add_argument("--seeds", type=int, default=10)
    options.add_argument("--modes", nargs="+", default=MODES)
    options.add_argument("--models", nargs="+", choices=[*RIVALS], default=[*RIVALS])
    options.add_argument("--marks", nargs="+", type=int, default=MARKS)
    options.add_argument("--quick", action="store_true", help="two seeds of the demo")
    options.add_argument("--ranking", action="store_true", help="only time the queue at 200,000")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1, user_api="blas")
    if chosen.ranking:
        ranking()
        return
    warm()
    if chosen.quick:
        chosen.corpora, chosen.seeds = ["demo"], 2
    chosen.out.mkdir(parents=True, exist_ok=True)
    table = run(chosen.out, chosen.corpora, chosen.seeds, chosen.modes, chosen.models, chosen.marks)
    table = table[table.corpus.isin(chosen.corpora) & (table.seed < chosen.seeds)]
    by_model(table)
    efficiency(table)
    if {"pure", "guided"} <= set(table.model):
        guided_against_pure(table)
    forecasts(table)
    print("\nCurves:", *draw(table, chosen.out))


if __name__ == "__main__":
    main()
