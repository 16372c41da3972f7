"""Cho & Saul (2011): ``newsgroups`` makes the trials, ``tables`` sets them beside print."""

from core.papers.nmf_alpha import newsgroups, tables
from core.papers.running import Experiment, Paper
from core.papers.sources import newsgroups_by_date

__all__ = ["PAPER", "newsgroups", "tables"]

N_SPLITS, FULL_RANK, FULL_UPDATES = 5, 40, 50
QUICK_RANK, QUICK_UPDATES = 20, 20


def experiments(quick: bool) -> list[Experiment]:
    shares = tables.LABELLED_SHARES
    if quick:
        size = {"rank": QUICK_RANK, "updates": QUICK_UPDATES}
        trials = newsgroups.news_trials(1, ["kept"], shares[:1], **size)
    else:
        size = {"rank": FULL_RANK, "updates": FULL_UPDATES}
        trials = newsgroups.news_trials(N_SPLITS, ["kept", "stripped"], shares, **size)
    return [
        Experiment(
            "20 Newsgroups", newsgroups_by_date, trials, newsgroups.run_news, tables.news_tables
        )
    ]


PAPER = Paper(
    "nmf_alpha",
    "Cho & Saul (2011), Nonnegative matrix factorization for semi-supervised dimensionality "
    "reduction",
    experiments,
    not_attempted=(
        "MNIST (4 against 9) and the aviation reports: not on this machine; no stand-in.",
        "The transductive machine: no maintained package.",
        "Figures 3 to 5 over many ranks: one rank, which print does not name for its table 2.",
    ),
)
