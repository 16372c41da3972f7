"""The papers behind the models: their experiments made again, print and ours side by side.

One module or package per paper (``tsnmf``, ``ssnmf``, ``pfa_ssi``, ``nmf_alpha``,
``supervised_vbnmf``) says which experiments it has and what was printed. ``trials`` keeps every
finished fit, ``tables`` sets ours beside print, ``running`` makes a paper's tables, ``sources``
reads the real corpora, ``groups`` says how papers group newsgroups.
"""

from core.papers.registry import PAPERS, paper
from core.papers.running import PaperRun, run_paper

__all__ = ["PAPERS", "PaperRun", "groups", "paper", "run_paper", "running", "tables", "trials"]
