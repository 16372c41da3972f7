"""``tsnmf-studio doctor``, ``backup``, ``restore`` and ``move``: the care of the store."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from core.store.maintenance.backup import back_up
from core.store.maintenance.restore import restore as restore_backup
from core.store.moving import move as move_projects
from core.values import bytes_in_words, count
from core.workspace.doctor import Finding, examine
from tsnmf_ui.cli.argument_types import URL_VARIABLE
from tsnmf_ui.cli.output import say, terminal_json


def doctor(chosen: argparse.Namespace) -> int:
    """One line per check; 1 if there is a problem."""
    found = []
    for each in examine(chosen.home):
        found.append(each)
        if not chosen.json:
            say(line_of(each))
    if chosen.json:
        print(terminal_json([asdict(each) for each in found]))
    return int(any(each.level == "problem" for each in found))


def line_of(finding: Finding) -> str:
    """A finding for the terminal."""
    parts = [f"{finding.level:<8} {finding.check}: {finding.sentence}", finding.advice]
    return " ".join(part for part in parts if part)


def backup(chosen: argparse.Namespace) -> int:
    """Write the file and say what is in it."""
    made = back_up(chosen.file.expanduser().absolute(), chosen.home, force=chosen.force)
    held = made.manifest
    say(f"{chosen.file}: {count(len(held.members), 'file')}, {bytes_in_words(held.size)}.")
    for name in made.damaged:
        say(f"Left out, because it is damaged: {name}.")
    return 0


def restore(chosen: argparse.Namespace) -> int:
    """Put the backup into place; say where the content from before is."""
    done = restore_backup(chosen.file.expanduser().absolute(), chosen.home, force=chosen.force)
    say(f"Restored {count(done.projects, 'project')}, as of {done.manifest.made}.")
    for name in done.without_model_folder:
        say(
            f"“{name}” took the vectors of its texts from a model folder; no backup may name one. "
            "Choose it again on the Corpus page."
        )
    if done.aside is not None:
        say(f"What was there before is now in {done.aside}.")
    return 0


def move(chosen: argparse.Namespace) -> int:
    """Copy the projects, and say how to use them there."""
    moved = move_projects(chosen.to, source=chosen.source, home=chosen.home)
    say(f"Copied {count(moved.projects, 'project')} with {count(moved.events, 'event')}.")
    say(f"Start the Studio with {URL_VARIABLE} set to that address; the old one is unchanged.")
    return 0
