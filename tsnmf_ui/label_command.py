"""``tsnmf-studio labels``: take the labels of a project out, or bring a file of labels in."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Iterator

from core.act_words import note_words
from core.errors import NotFound, StudioError
from core.label_files import Format, read_labels, write_labels
from core.label_import import Choice, ImportPlan, import_labels, plan_import
from core.store import Project, Store

LISTED = 20  # conflicts and the like that are printed one by one


def export(chosen: argparse.Namespace) -> Iterator[str]:
    """Write the file and say where."""
    format: Format = "jsonl" if chosen.out.suffix.lower() in (".jsonl", ".json") else "csv"
    with Store.open(home=chosen.home) as store:
        project = _project(store, chosen.project).id
        texts = store.corpus(project).texts if chosen.texts else None
        notes, names = store.annotations(project), store.topic_names(project)
        data = write_labels(notes, names, store.document_ids(project), texts, format=format)
    try:
        chosen.out.write_bytes(data)
    except OSError as error:
        raise StudioError(f"{chosen.out} cannot be written: {error.strerror}.") from error
    yield str(chosen.out)


def bring_in(chosen: argparse.Namespace) -> Iterator[str]:
    """Tell what would change; do it when asked to."""
    rows, file = read_labels(chosen.file)
    with Store.open(home=chosen.home) as store:
        project = _project(store, chosen.project)
        plan = plan_import(store, project.id, rows, file)
        yield from told(plan, chosen.choose, store.topic_names(project.id))
        if not chosen.do:
            yield "Nothing was changed. Add --do to bring the labels in."
        elif plan.chosen(chosen.choose):
            author = chosen.author or getpass.getuser()
            import_labels(store, project.id, plan, chosen.choose, author=author)
            yield "Done. One undo takes it all back."


def told(plan: ImportPlan, choice: Choice, names: dict[int, str]) -> Iterator[str]:
    """The dry run, line by line."""
    yield f"{len(plan.chosen(choice)):,} of {plan.n_rows:,} rows would come in."
    yield from (f"New topic: {name}" for name in plan.new_topics(choice))
    for each in plan.conflicts[:LISTED]:
        mine, row = each.mine, each.incoming.row
        here, theirs = note_words(mine, names), ", ".join(row.permitted) or "nothing fits"
        yield f"{row.id} differs: {here} by {mine.author}; {theirs} in the file"
    if len(plan.conflicts) > LISTED:
        yield f"and {len(plan.conflicts) - LISTED:,} more differ."
    reasons = ((plan.unknown, "no text has the id"), (plan.ambiguous, "several texts have"))
    for listed, reason in reasons:
        yield from (f"Row {row:,}: {reason} {id}." for row, id in listed[:LISTED])


def _project(store: Store, asked: str) -> Project:
    """By number, or by a name that only one project has."""
    named = [each for each in store.projects() if each.name.casefold() == asked.casefold()]
    if len(named) == 1:
        return named[0]
    if asked.isdecimal():
        return store.project(int(asked))
    if named:
        raise NotFound(f"Several projects are called “{asked}”; name it by its number.")
    there = ", ".join(f"{each.id} ({each.name})" for each in store.projects()[:LISTED])
    raise NotFound(f"There is no project called “{asked}”. There are: {there or 'none'}.")
