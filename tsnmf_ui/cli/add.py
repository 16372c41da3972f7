"""``tsnmf-studio add``: more texts for a project, told before it is done."""

from __future__ import annotations

import argparse
from typing import Any

from core.workspace import Workspace
from core.workspace.added_texts import AdditionPlan, add_texts, plan_addition
from core.workspace.intake import AskedColumns
from tsnmf_ui.cli.fit import FileSource, fit_project
from tsnmf_ui.cli.output import Output

NOT_DONE = "Nothing was changed. Add --do to add the texts."


def add(chosen: argparse.Namespace) -> int:
    """Tell what would change; with ``--do`` add the texts and fit the project."""
    output, source = Output(chosen), FileSource(chosen.file)
    asked = AskedColumns(text=chosen.text, id=chosen.id)
    with Workspace.open(home=chosen.home, author=chosen.author or None) as workspace:
        project = workspace.project(chosen.project)
        plan = plan_addition(
            workspace.store,
            project,
            source.content,
            filename=source.name,
            columns=asked,
            strip_html=chosen.strip_html,
        )
        about = plan.changes(chosen.existing, chosen.vocabulary).about
        sentences = [*plan.sentences(chosen.existing, chosen.vocabulary)]
        if chosen.do:
            sentences += _do(workspace, plan, chosen, output)
        counts = about.payload()
        texts = workspace.project(project.id).n_docs
    about_project: dict[str, Any] = {"id": project.id, "name": project.name, "texts": texts}
    done = {"done": bool(chosen.do), "project": about_project, "sentences": sentences}
    output.result([*sentences, *([] if chosen.do else [NOT_DONE])], {**done, **counts})
    return 0


def _do(
    workspace: Workspace, plan: AdditionPlan, chosen: argparse.Namespace, output: Output
) -> list[str]:
    given = {"existing": chosen.existing, "vocabulary": chosen.vocabulary}
    add_texts(workspace.store, plan, author=workspace.author, **given)
    project = workspace.project(plan.project.id)
    if not chosen.no_fit:
        fit_project(workspace, project, output, scores=False)
    return [f"Done: {project.name} has {project.n_docs:,} texts."]
