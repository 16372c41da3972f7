"""Table 1 of Hu, Rai & Carin: held-out cells of counts, with and without side information.

A tenth of all cells is held out, those without a word included; and, for print does not say which
cells its sums are over, a tenth of those with a word. What can be compared is how much side
information saves. What a cell holds is
foretold by a Poisson of the mean rate over the draws of a chain. Of 20 Newsgroups we take 200 texts
of every group: a tenth of all cells would be ten million numbers to draw in every sweep. Tables 5
and 6 and figure 3 are read from the first of these fits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from core.corpus import Corpus
from core.evaluation.splits import equal_groups, held_out_cells
from core.loading import read_newsgroups
from core.matrix import DocumentTermMatrix, build_matrix
from core.models import MODELS
from core.papers import sources
from core.papers.pfa_ssi.newsgroups import super_groups
from core.papers.pfa_ssi.nodes import Parents, likeness, nodes_shown, some_nodes_shown
from core.papers.running import Experiment
from core.papers.tables import PaperRow, PaperTable, PaperWords
from core.papers.trials import Settings, Trial, TrialSet
from core.supervision import Supervision
from core.text import TextSettings
from core.values import count

COUNT_MODELS = {"pfa": "PFA", "pfa_ssi": "PFA-SSI"}
HELD_OUT_CELLS = 0.1
WITH_WORDS = "with words"
ALL_CELLS: Settings = {}
WORD_CELLS: Settings = {"cells": WITH_WORDS}
LAST_YEAR = 2014  # of print's addresses
TEXTS_OF_A_GROUP = 200
MIN_RATE = 1e-12
AUTHORS = ("Smola_A", "Ghahramani_Z", "Hinton_G", "Jordan_M", "Bartlett_P")  # of tables 5 and 6


@dataclass(frozen=True)
class PrintedCounts:
    """What print says of one corpus: sums over held-out cells, and how many words it has."""

    title: str
    log_likelihood: Mapping[str, float]  # by model
    n_terms: int

    @property
    def gain(self) -> float:
        """Per cent of PFA's loss that side information saves."""
        return relative_gain(self.log_likelihood["pfa"], self.log_likelihood["pfa_ssi"])


PRINTED_COUNTS = {
    "addresses": PrintedCounts("State of the Union", {"pfa": -23_232, "pfa_ssi": -22_168}, 7_518),
    "newsgroups": PrintedCounts("20 Newsgroups", {"pfa": -522_876, "pfa_ssi": -397_969}, 5_638),
    "nips": PrintedCounts("NIPS", {"pfa": -345_853, "pfa_ssi": -293_404}, 14_036),
}


@dataclass(frozen=True)
class GroupedCounts:
    """Counts of words, and the nodes that texts hang from."""

    name: str
    matrix: DocumentTermMatrix
    nodes: Supervision

    @property
    def fingerprint(self) -> str:
        named = repr((self.nodes.names, self.nodes.hierarchy)).encode("utf8")
        digest = hashlib.blake2b(named, digest_size=16)
        digest.update(self.nodes.permitted.indices.astype(np.int64).tobytes())
        return f"{self.matrix.fingerprint}-{digest.hexdigest()}"

    @property
    def description(self) -> str:
        n_docs, n_terms = self.matrix.shape
        above = {
            parent for level in self.nodes.hierarchy for row in level.values() for parent in row
        }
        nodes = [
            count(self.nodes.n_labels, "label"),
            *([f"{len(above)} above them"] if above else []),
        ]
        return (
            f"{self.name}, {count(n_docs, 'text')}, {count(n_terms, 'term')}, {', '.join(nodes)}."
        )

    @property
    def parents(self) -> Parents:
        return self.nodes.hierarchy[0] if self.nodes.hierarchy else {}


def grouped_counts(name: str) -> GroupedCounts:
    """A corpus as counts of as many words as print has."""
    corpus, parents = CORPUS_READERS[name]()
    settings = TextSettings(
        lemmas=False,
        max_share=1.0,
        max_terms=PRINTED_COUNTS[name].n_terms,
        weighting="counts",
        l2=False,
    )
    nodes = Supervision.of(corpus.labels, hierarchy=[parents] if parents else [])
    return GroupedCounts(PRINTED_COUNTS[name].title, build_matrix(corpus, settings), nodes)


def _addresses() -> tuple[Corpus, Parents]:
    corpus = sources.addresses(LAST_YEAR)
    parties: dict[str, set[str]] = {}
    for labels, party in zip(corpus.labels, corpus.side["party"], strict=True):
        parties.setdefault(labels[0], set()).add(party)
    return corpus, {president: sorted(found) for president, found in parties.items()}


def _newsgroups() -> tuple[Corpus, Parents]:
    corpus = read_newsgroups("all")
    rows = equal_groups([labels[0] for labels in corpus.labels], TEXTS_OF_A_GROUP, seed=0)
    return corpus.rows(rows.tolist()), super_groups()


def _nips() -> tuple[Corpus, Parents]:
    return sources.nips_papers(), {}


CORPUS_READERS = {"addresses": _addresses, "newsgroups": _newsgroups, "nips": _nips}


def count_trials(n_splits: int, n_topics: int, sweeps: int) -> list[Trial]:
    return [
        Trial({"model": model, "topics": n_topics, "sweeps": sweeps, **cells}, seed)
        for seed in range(n_splits)
        for cells in (ALL_CELLS, WORD_CELLS)
        for model in COUNT_MODELS
    ]


def run_counts(data: GroupedCounts, trial: Trial) -> Mapping[str, Any]:
    X, with_words = data.matrix.X, trial.settings.get("cells") == WITH_WORDS
    held = (
        held_out_words(X, HELD_OUT_CELLS, trial.seed)
        if with_words
        else held_out_cells(X.shape, HELD_OUT_CELLS, trial.seed)
    )
    model = MODELS[str(trial.settings["model"])](
        int(trial.settings["topics"]),
        max_iter=int(trial.settings["sweeps"]),
        random_state=trial.seed,
    ).fit(X, data.nodes, observed=held)
    found = sp.coo_array(model.held_out_)
    likelihood = poisson_log_likelihood(np.asarray(X[found.row, found.col]).ravel(), found.data)
    values = {
        "log_likelihood": float(likelihood.mean()),
        "topics_used": model.active_topics_.size,
    }
    return values | (_shown(model, data) if trial.seed == 0 and not with_words else {})


def held_out_words(X: sp.csr_array, share: float, seed: int) -> sp.csr_array:
    """Cells that hold a word, drawn at random, as stored zeros."""
    cells = sp.coo_array(X)
    chosen = np.random.default_rng(seed).permutation(cells.nnz)[: round(share * cells.nnz)]
    places = cells.row[chosen], cells.col[chosen]
    held = sp.csr_array((np.ones(chosen.size), places), shape=X.shape)
    held.data[:] = 0
    return held


def _shown(model: Any, data: GroupedCounts) -> dict[str, Any]:
    """What tables 5 and 6 and figure 3 are read from; plain PFA has nodes of no interest."""
    if not isinstance(model, MODELS["pfa_ssi"]):
        return {}
    if data.parents:
        return nodes_shown(model, data.matrix.terms, data.parents)
    known = [author for author in AUTHORS if author in model.candidates(0)]
    return some_nodes_shown(model, data.matrix.terms, known)


def poisson_log_likelihood(counts: np.ndarray, rate: np.ndarray) -> np.ndarray:
    rate = np.maximum(rate, MIN_RATE)
    values: np.ndarray = counts * np.log(rate) - rate - gammaln(counts + 1.0)
    return values


def relative_gain(plain: float, with_nodes: float) -> float:
    return 100 * (1 - with_nodes / plain)


def count_tables(name: str, results: TrialSet) -> list[PaperTable]:
    printed = PRINTED_COUNTS[name]
    words = results.of(cells=WITH_WORDS)
    every = TrialSet([trial for trial in results.trials if "cells" not in trial.settings])
    rows = [*_rows(printed, every, "of any kind"), *_rows(printed, words, "with a word")]
    (topics,), (sweeps,) = results.choices("topics"), results.choices("sweeps")
    note = (
        f"At most {topics} topics (print: 200), {sweeps} sweeps. Print's sums are over cells whose "
        "number and kind it does not give, so only what PFA-SSI saves can be compared."
    )
    table = PaperTable(f"Held-out cells of {printed.title} (table 1)", rows, notes=[note])
    return [table, *NODE_TABLES.get(name, _nothing)(every)]


def _rows(printed: PrintedCounts, results: TrialSet, kind: str) -> list[PaperRow]:
    found = {model: results.values("log_likelihood", model=model) for model in COUNT_MODELS}
    gains = tuple(map(relative_gain, found["pfa"], found["pfa_ssi"]))
    return [
        *(
            PaperRow(f"{title}: log-likelihood of a cell {kind}", None, found[model])
            for model, title in COUNT_MODELS.items()
        ),
        PaperRow(f"What PFA-SSI saves of it, cells {kind}, per cent", printed.gain, gains),
    ]


def _nothing(results: TrialSet) -> list[PaperTable]:
    return []


def _first_shown(results: TrialSet) -> Mapping[str, Any]:
    return results.of(model="pfa_ssi").trials[0].shown


def _parties(results: TrialSet) -> list[PaperTable]:
    shown = _first_shown(results)
    return [PaperTable("Presidents and parties (figure 3)", statements=likeness(shown, "party"))]


def _authors(results: TrialSet) -> list[PaperTable]:
    shown = _first_shown(results)
    topics = [
        PaperWords(f"{author}, topic {place + 1}", words)
        for author, found in zip(shown["names"], shown["words"], strict=True)
        for place, words in enumerate(found)
    ]
    nearest = list(map(PaperWords, shown["names"], shown["nearest"]))
    note = "Ours are the papers of 1987 to 1999, print's those of 1988 to 2003."
    return [
        PaperTable("Main topics of five authors of NIPS (table 5)", words=topics, notes=[note]),
        PaperTable("Authors most like them (table 6)", words=nearest, notes=[note]),
    ]


NODE_TABLES = {"addresses": _parties, "nips": _authors}
N_COUNT_TOPICS, COUNT_SWEEPS = 50, 60  # print: 200 topics
FULL_SPLITS = {"addresses": 2, "newsgroups": 2, "nips": 1}  # print: 10


def experiments(quick: bool) -> list[Experiment]:
    return [
        Experiment(
            f"Counts of {printed.title}",
            partial(grouped_counts, name),
            count_trials(1 if quick else FULL_SPLITS[name], N_COUNT_TOPICS, COUNT_SWEEPS),
            run_counts,
            partial(count_tables, name),
        )
        for name, printed in PRINTED_COUNTS.items()
    ]
