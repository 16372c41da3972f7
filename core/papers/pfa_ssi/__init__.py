"""Hu, Rai & Carin (2016), in five parts.

``links``: table 2 and cold start; ``counts``: table 1; ``newsgroups``: the accuracy on new texts;
``nodes``: tables 3 to 6 and figures 2 and 3, what nodes are about and which are alike.
"""

from core.papers.pfa_ssi import counts, links, newsgroups
from core.papers.running import Experiment, Paper

__all__ = ["PAPER", "counts", "links", "newsgroups", "nodes"]


def experiments(quick: bool) -> list[Experiment]:
    return [
        *links.experiments(quick),
        *counts.experiments(quick),
        *newsgroups.experiments(quick),
    ]


PAPER = Paper(
    "pfa_ssi",
    "Hu, Rai & Carin (2016), Non-negative matrix factorization for discrete data with "
    "hierarchical side-information",
    experiments,
    not_attempted=(
        "Scholars (not published) and everything made of it; no stand-in.",
        "The accuracy of an SVM on topics of LDA.",
    ),
)
