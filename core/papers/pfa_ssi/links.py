"""Table 2 of Hu, Rai & Carin: links between papers, with and without side information.

Cora and CiteSeer: a paper's links are its row, its label the node it hangs from. A tenth of the
links is held out, and as many pairs that have none, both in either direction; print does not say
how it chose its cells. The chance of a link is the mean over the draws of a chain. Cold start, of
which print speaks without a figure: papers of which no link is known, only the label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp

from core.evaluation.metrics import auc, auc_pr
from core.evaluation.splits import held_out_links
from core.models import MODELS
from core.papers import sources
from core.papers.running import Experiment
from core.papers.tables import PaperRow, PaperTable
from core.papers.trials import Trial, TrialSet
from core.values import count, percent

LINK_NAMES = {"cora": "Cora", "citeseer": "CiteSeer"}
PRINTED_LINKS = {  # AUC and AUC-PR
    "cora": {"pfa": (0.699, 0.740), "pfa_ssi": (0.808, 0.841)},
    "citeseer": {"pfa": (0.545, 0.670), "pfa_ssi": (0.788, 0.814)},
}
MODEL_NAMES = {"pfa": "PFA", "pfa_ssi": "PFA-SSI"}
HELD_OUT_SHARE = 0.1
COLD_SHARE = 0.05  # of the papers
N_SPLITS, N_TOPICS, SWEEPS = 3, 200, 500
QUICK_TOPICS, QUICK_SWEEPS = 50, 100
MIN_CHANCE = 1e-12  # of a link, or of none, in a logarithm


@dataclass(frozen=True)
class LinkedPapers:
    """Which papers are linked, in both directions, and the label of each."""

    name: str
    links: sp.csr_array
    labels: tuple[tuple[str, ...], ...]

    @property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(repr(self.labels).encode("utf8"), digest_size=16)
        for array in (self.links.indptr, self.links.indices):
            digest.update(array.astype(np.int64).tobytes())
        return digest.hexdigest()

    @property
    def description(self) -> str:
        n_labels = len({label for row in self.labels for label in row})
        return (
            f"{self.name}, {count(len(self.labels), 'paper')}, {count(self.links.nnz // 2, 'link')}"
            f", {count(n_labels, 'label')}."
        )


def linked_papers(name: str) -> LinkedPapers:
    corpus, cites = sources.linked_papers(name)
    place = {paper: row for row, paper in enumerate(corpus.ids)}
    pairs = [
        (row, place[other])
        for row, others in enumerate(cites)
        for other in others
        if place.get(other, row) != row
    ]
    rows, columns = np.array(pairs).T
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    links = sp.csr_array((np.ones(2 * len(pairs)), both), shape=(len(place), len(place)))
    links.data[:] = 1
    return LinkedPapers(LINK_NAMES[name], links, corpus.labels)


def link_trials(n_splits: int, n_topics: int, sweeps: int) -> list[Trial]:
    return [
        Trial({"model": model, "topics": n_topics, "sweeps": sweeps}, seed)
        for seed in range(n_splits)
        for model in MODEL_NAMES
    ]


def run_links(data: LinkedPapers, trial: Trial) -> Mapping[str, float]:
    return _foretold(data, trial, held_out_links(data.links, HELD_OUT_SHARE, trial.seed))


def run_cold_start(data: LinkedPapers, trial: Trial) -> Mapping[str, float]:
    return _foretold(data, trial, unknown_papers(data.links.shape[0], COLD_SHARE, trial.seed))


def unknown_papers(n_papers: int, share: float, seed: int) -> sp.csr_array:
    """All pairs that some papers drawn at random are in, as stored zeros in both directions."""
    chosen = np.random.default_rng(seed).permutation(n_papers)[: round(share * n_papers)]
    cold = np.zeros(n_papers, bool)
    cold[chosen] = True
    rows, columns = np.nonzero(cold[:, None] | cold)
    pairs = rows != columns
    cells = sp.csr_array((np.ones(pairs.sum()), (rows[pairs], columns[pairs])), (n_papers,) * 2)
    cells.data[:] = 0
    return cells


def _foretold(data: LinkedPapers, trial: Trial, held: sp.csr_array) -> Mapping[str, float]:
    model = MODELS[str(trial.settings["model"])](
        int(trial.settings["topics"]),
        data="binary",
        max_iter=int(trial.settings["sweeps"]),
        random_state=trial.seed,
    ).fit(data.links, data.labels, observed=held)
    pairs = sp.coo_array(sp.triu(model.held_out_, k=1))
    backwards = np.asarray(model.held_out_[pairs.col, pairs.row]).ravel()
    chance = np.clip((pairs.data + backwards) / 2, MIN_CHANCE, 1 - MIN_CHANCE)
    truth = np.asarray(data.links[pairs.row, pairs.col]).ravel() > 0
    return {
        "auc": auc(truth, chance),
        "auc_pr": auc_pr(truth, chance),
        "log_likelihood": float(np.log(np.where(truth, chance, 1 - chance)).mean()),
        "topics_used": model.active_topics_.size,
    }


def link_tables(name: str, results: TrialSet) -> list[PaperTable]:
    rows = [
        PaperRow(f"{title}: {score}", printed, results.values(value, model=model))
        for model, title in MODEL_NAMES.items()
        for score, value, printed in (
            ("AUC", "auc", PRINTED_LINKS[name][model][0]),
            ("AUC-PR", "auc_pr", PRINTED_LINKS[name][model][1]),
            ("log-likelihood of a held-out pair", "log_likelihood", None),
        )
    ]
    (topics,), (sweeps,) = results.choices("topics"), results.choices("sweeps")
    note = f"At most {topics} topics, {sweeps} sweeps. Print's log-likelihoods are sums over cells "
    note += "whose number it does not give, so ours stand alone."
    return [PaperTable(f"Held-out links of {LINK_NAMES[name]} (table 2)", rows, notes=[note])]


def cold_start_tables(name: str, results: TrialSet) -> list[PaperTable]:
    rows = [
        PaperRow(f"{title}: AUC", None, results.values("auc", model=model))
        for model, title in MODEL_NAMES.items()
    ]
    (topics,), (sweeps,) = results.choices("topics"), results.choices("sweeps")
    note = (
        f"Every pair that one of {percent(COLD_SHARE)} of the papers is in is held out, so only "
        f"the label of these is known. At most {topics} topics, {sweeps} sweeps."
    )
    return [PaperTable(f"Cold start, {LINK_NAMES[name]}", rows, notes=[note])]


def experiments(quick: bool) -> list[Experiment]:
    few, many = (1, QUICK_TOPICS, QUICK_SWEEPS), (N_SPLITS, N_TOPICS, SWEEPS)
    trials, cold = link_trials(*(few if quick else many)), link_trials(*few)
    warm = [
        Experiment(
            title, partial(linked_papers, name), trials, run_links, partial(link_tables, name)
        )
        for name, title in LINK_NAMES.items()
    ]
    return warm + [
        Experiment(
            f"{title}, cold start",
            partial(linked_papers, name),
            cold,
            run_cold_start,
            partial(cold_start_tables, name),
        )
        for name, title in LINK_NAMES.items()
    ]
