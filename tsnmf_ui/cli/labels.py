"""``tsnmf-studio labels``: take the labels of a project out, or bring a file of labels in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from core.store import Store
from core.store.files.label_files import Format, read_labels
from core.store.files.label_import import Choice, ImportPlan, import_labels, plan_import
from core.store.history.sentences import describe_annotation
from core.workspace import machine_user
from core.workspace.labels import export_labels, write_label_file
from core.workspace.projects import find_project
from tsnmf_ui.cli.fit import FileSource
from tsnmf_ui.cli.output import say

MAX_LISTED = 20  # conflicts and the like that are printed one by one


def export(chosen: argparse.Namespace) -> int:
    """Write the file and say where; “-” is the standard output."""
    format: Format = "jsonl" if chosen.out.suffix.lower() in (".jsonl", ".json") else "csv"
    with Store.open(home=chosen.home) as store:
        project = find_project(store, chosen.project).id
        if str(chosen.out) == "-":
            pieces = export_labels(store, project, format=format, texts=chosen.texts)
            sys.stdout.writelines(piece.decode("utf-8-sig") for piece in pieces)
        else:
            path = write_label_file(store, project, chosen.out, format=format, texts=chosen.texts)
            say(str(path))
    return 0


def bring_in(chosen: argparse.Namespace) -> int:
    """Tell what would change; do it when asked to."""
    for line in _bring_in(chosen):
        say(line)
    return 0


def _bring_in(chosen: argparse.Namespace) -> Iterator[str]:
    source = FileSource(chosen.file)
    rows, file = read_labels(source.content, filename=source.name)
    with Store.open(home=chosen.home) as store:
        project = find_project(store, chosen.project)
        plan = plan_import(store, project.id, rows, file)
        yield from dry_run(plan, chosen.choose, store.topic_names(project.id))
        if not chosen.do:
            yield "Nothing was changed. Add --do to import the labels."
        elif plan.chosen(chosen.choose):
            author = chosen.author or machine_user()
            import_labels(store, project.id, plan, chosen.choose, author=author)
            yield "Done. One undo reverts the whole import."


def dry_run(plan: ImportPlan, choice: Choice, names: dict[int, str]) -> Iterator[str]:
    """The dry run, line by line."""
    yield f"{len(plan.chosen(choice)):,} of {plan.n_rows:,} rows would come in."
    yield from (f"New topic: {name}" for name in plan.new_topics(choice))
    for each in plan.conflicts[:MAX_LISTED]:
        mine, row = each.mine, each.imported.row
        here, theirs = describe_annotation(mine, names), ", ".join(row.permitted) or "nothing fits"
        yield f"{row.id} differs: {here} by {mine.author}; {theirs} in the file"
    if len(plan.conflicts) > MAX_LISTED:
        yield f"and {len(plan.conflicts) - MAX_LISTED:,} more differ."
    reasons = ((plan.unknown, "no text has the id"), (plan.ambiguous, "several texts have"))
    for listed, reason in reasons:
        yield from (f"Row {row:,}: {reason} {id}." for row, id in listed[:MAX_LISTED])
