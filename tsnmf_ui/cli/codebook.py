"""``tsnmf-studio codebook``: what the topics mean, out to a file and in from one."""

from __future__ import annotations

import argparse
from typing import cast

from core.store.files.codebook_files import (
    CodebookFormat,
    import_codebook,
    plan_codebook,
    read_codebook,
)
from core.values import whole_file
from core.workspace import Workspace
from tsnmf_ui.cli.argument_types import require_file
from tsnmf_ui.cli.fit import FileSource
from tsnmf_ui.cli.output import Output

NOT_DONE = "Nothing was changed. Add --do to import the codebook."
IMPORT_DONE = "Done. One undo reverts the whole import."


def export(chosen: argparse.Namespace) -> int:
    """Write the file and say where."""
    require_file(chosen.out)
    format = cast(CodebookFormat, chosen.out.suffix.lower().lstrip("."))
    with Workspace.open(home=chosen.home) as workspace:
        data = workspace.export_codebook(chosen.project, format=format)
    with whole_file(chosen.out) as file:
        file.write(data)
    Output(chosen).result([str(chosen.out)], {"files": [str(chosen.out)]})
    return 0


def bring_in(chosen: argparse.Namespace) -> int:
    """Tell what would change; do it when asked to."""
    source = FileSource(chosen.file)
    rows, file = read_codebook(source.content, filename=source.name)
    with Workspace.open(home=chosen.home, author=chosen.author or None) as workspace:
        project = workspace.project(chosen.project)
        plan = plan_codebook(workspace.store, project.id, rows, file)
        if chosen.do:
            given = {"create": chosen.create, "author": workspace.author}
            import_codebook(workspace.store, project.id, plan, **given)
    sentences = list(plan.sentences(chosen.create))
    values = {
        "done": bool(chosen.do),
        "changed": [each.name for each in plan.changed],
        "new": [each.name for each in plan.new],
        "same": plan.same,
        "sentences": sentences,
    }
    Output(chosen).result([*sentences, IMPORT_DONE if chosen.do else NOT_DONE], values)
    return 0
