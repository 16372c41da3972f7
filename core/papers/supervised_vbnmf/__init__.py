"""Ivek (2014): ``newsgroups`` makes the trials, ``tables`` sets them beside print."""

from functools import partial

from core.papers.running import Experiment, Paper
from core.papers.sources import newsgroups_by_date
from core.papers.supervised_vbnmf import newsgroups, tables

__all__ = ["PAPER", "newsgroups", "tables"]


def experiments(quick: bool) -> list[Experiment]:
    whole = Experiment(
        "20 Newsgroups",
        newsgroups_by_date,
        newsgroups.newsgroup_trials(quick),
        newsgroups.run_newsgroups,
        tables.newsgroup_tables,
    )
    without_headers = Experiment(
        "Headers removed",
        partial(newsgroups_by_date, ("headers",)),
        newsgroups.trials_without_headers(),
        newsgroups.run_newsgroups,
        tables.table_without_headers,
    )
    return [whole] if quick else [without_headers, whole]


PAPER = Paper(
    "supervised_vbnmf",
    "Ivek (2014), Supervised variational Bayesian NMF for documents",
    experiments,
    not_attempted=(
        "Figures 1 and 2: PCA and plain vbNMF over many dimensions and shapes; print's peak alone.",
        "Figures 4 and 5: words and maps of one fit.",
    ),
)
