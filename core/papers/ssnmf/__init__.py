"""Haddock et al. (2020), in two parts, and their tables.

``newsgroups``: tables 4, 5, 6 and 8 and figure 2; ``made_up``: table 2; ``tables``: print's numbers
with ours beside them.
"""

from core.papers.running import Experiment, Paper
from core.papers.ssnmf import made_up, newsgroups, tables

__all__ = ["PAPER", "made_up", "newsgroups", "tables"]

UPDATES_OF_MADE_UP = 200  # print: 100,000
SEARCH_TRIALS = 3


def experiments(quick: bool) -> list[Experiment]:
    n_trials, n_starts = (2, 1) if quick else (11, 5)
    found = [
        Experiment(
            "20 Newsgroups",
            newsgroups.newsgroups,
            newsgroups.newsgroup_trials(n_trials),
            newsgroups.run_newsgroups,
            tables.newsgroup_tables,
        ),
        Experiment(
            "Made-up data",
            made_up.made_up,
            made_up.synthetic_trials(n_starts, UPDATES_OF_MADE_UP),
            made_up.run_synthetic,
            tables.synthetic_tables,
        ),
    ]
    if not quick:
        search = newsgroups.search_trials(SEARCH_TRIALS)
        found.append(
            Experiment(
                "Search for tol and λ",
                newsgroups.newsgroups,
                search,
                newsgroups.run_search,
                tables.search_tables,
            )
        )
    return found


PAPER = Paper(
    "ssnmf",
    "Haddock et al. (2020), Semi-supervised NMF models for topic modeling in learning tasks",
    experiments,
    not_attempted=(
        "Figures 3 and 4, tables 7 and 9 to 12: the same of the other pairs and of NMF.",
    ),
)
