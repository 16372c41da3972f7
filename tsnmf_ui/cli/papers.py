"""``tsnmf-studio papers``: a paper's experiments made again, print and ours side by side."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.papers import PaperRun, paper, run_paper
from core.values import count
from tsnmf_ui.cli.output import Output


def papers(chosen: argparse.Namespace) -> int:
    """Run what is missing, write the tables and print them."""
    output = Output(chosen)
    tell = output.progress("reading the corpus")

    def report(doing: str, share: float) -> None:
        nonlocal tell
        tell = output.progress(doing)
        tell(share)

    run = run_paper(
        paper(chosen.name),
        chosen.results,
        quick=chosen.quick,
        minutes=chosen.minutes,
        report=report,
    )
    output.note(*_notes(run, chosen.results))
    if chosen.figures:
        from tsnmf_ui.cli.paper_figures import write_figures  # Plotly is loaded for them alone

        output.note(*map(str, write_figures(run, chosen.results)))
    output.result([run.markdown()], run.to_dict())
    return 0


def _notes(run: PaperRun, folder: Path) -> list[str]:
    n_trials = sum(len(part) for part in run.results.values())
    return [f"{count(n_trials, 'trial')} in {folder}: {run.file_name}.md, {run.file_name}.json."]
