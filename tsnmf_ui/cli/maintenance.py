"""``tsnmf-studio doctor``, ``backup`` and ``restore``: the care of the store."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from core.workspace.doctor import Finding, examine


def doctor(chosen: argparse.Namespace) -> int:
    """One line per check; 1 if there is a problem."""
    found = []
    for each in examine(chosen.home):
        found.append(each)
        if not chosen.json:
            print(line_of(each), flush=True)
    if chosen.json:
        print(json.dumps([asdict(each) for each in found], ensure_ascii=False, indent=2))
    return int(any(each.level == "problem" for each in found))


def line_of(finding: Finding) -> str:
    """A finding for the terminal."""
    parts = [f"{finding.level:<8} {finding.check}: {finding.sentence}", finding.advice]
    return " ".join(part for part in parts if part)
