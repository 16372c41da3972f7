"""The papers by the name of their model; a paper's module is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from core.errors import ModelError
from core.papers.running import Paper

PAPERS = ("tsnmf", "ssnmf", "pfa_ssi", "nmf_alpha", "supervised_vbnmf")


def paper(name: str) -> Paper:
    """The paper of a model."""
    if name not in PAPERS:
        raise ModelError(f"There is no paper “{name}”; there are {', '.join(PAPERS)}.")
    found: Paper = import_module(f"core.papers.{name}").PAPER
    return found
