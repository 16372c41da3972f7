"""``tsnmf-studio report``, ``export``, ``import`` and ``repeat``: results as files, and back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from core import report as reports
from core.errors import NotFound, StudioError
from core.report import FORMATS, PRIVACY_PRESETS, format_of
from core.store import Project
from core.values import whole_file
from core.workspace import Workspace, intake
from core.workspace.reports import repeat_report, report_material, write_project_report
from core.workspace.results import Results, results_of
from tsnmf_ui.cli.known_names import CARD_SUFFIX, MODEL_SUFFIX, PROJECT_SUFFIX
from tsnmf_ui.cli.output import Output
from tsnmf_ui.theme import style


def report(chosen: argparse.Namespace) -> int:
    """Write the report of a project's last full fit."""
    output = Output(chosen)
    if chosen.formats:
        listed = {name: each.sentence for name, each in FORMATS.items()}
        lines = (f"{name} ({FORMATS[name].suffix}): {each}" for name, each in listed.items())
        output.result(lines, listed)
        return 0
    if chosen.project is None or chosen.out is None:
        raise StudioError("Name a project, and with --out a file to write.")
    format = format_of(chosen.out, chosen.format).name
    with Workspace.open(home=chosen.home) as workspace:
        found = _results(workspace, workspace.project(chosen.project))
        _write(workspace, found, chosen.out, format, output, chosen.readers)
    output.result([str(chosen.out)], {"files": [str(chosen.out)]})
    return 0


def write_results(
    workspace: Workspace,
    project: Project,
    stem: Path,
    formats: Sequence[str],
    output: Output,
    readers: str | None,
) -> list[Path]:
    """The report of a project in several formats; the paths of the files."""
    found = _results(workspace, project)
    paths = [stem.with_name(stem.name + FORMATS[format].suffix) for format in formats]
    for path, format in zip(paths, formats, strict=True):
        _write(workspace, found, path, format, output, readers)
    return paths


def _write(
    workspace: Workspace,
    found: Results,
    path: Path,
    format: str,
    output: Output,
    readers: str | None,
) -> None:
    """``readers``: for whom; None: as the project says."""
    colours = tuple(map(style.topic_colour, found.colour_numbers))
    privacy = None if readers is None else PRIVACY_PRESETS[readers]
    material = report_material(workspace.store, found, colours, privacy=privacy)
    tell = output.progress(f"writing {path.name}")
    write_project_report(workspace.store, found, material, path, format=format, tell=tell)


def _results(workspace: Workspace, project: Project) -> Results:
    project = workspace.project(project.id)
    found = results_of(workspace.store, project, resting=True)
    if found is None:
        raise NotFound(f"“{project.name}” has no fit yet; refit it first.")
    return found


def export(chosen: argparse.Namespace) -> int:
    """A whole project, its model, the model's card, or its texts with topics, by the ending."""
    writers: dict[str, Callable[[Workspace, Project, Path], None]] = {
        PROJECT_SUFFIX: _export_project,
        MODEL_SUFFIX: _export_model,
        CARD_SUFFIX: _export_card,
    }
    name = chosen.out.name.lower()
    write = next((each for suffix, each in writers.items() if name.endswith(suffix)), None)
    format = None if write else format_of(chosen.out).name
    output = Output(chosen)
    with Workspace.open(home=chosen.home) as workspace:
        project = workspace.project(chosen.project)
        if write is not None:
            write(workspace, project, chosen.out)
        else:
            assert format is not None
            found = _results(workspace, project)
            _write(workspace, found, chosen.out, format, output, chosen.readers)
    output.result([str(chosen.out)], {"files": [str(chosen.out)]})
    return 0


def _export_project(workspace: Workspace, project: Project, path: Path) -> None:
    workspace.store.export_project(project.id, path)


def _export_model(workspace: Workspace, project: Project, path: Path) -> None:
    workspace.model(project.id).save(path)


def _export_card(workspace: Workspace, project: Project, path: Path) -> None:
    with whole_file(path) as file:
        file.write(workspace.model(project.id).card.to_markdown().encode("utf-8", "replace"))


def bring_in(chosen: argparse.Namespace) -> int:
    """A project from a file, checked line by line."""
    output = Output(chosen)
    with Workspace.open(home=chosen.home) as workspace:
        project = workspace.store.import_project(Path(chosen.file))
    line = f"{project.name} (number {project.id}), {project.n_docs:,} texts"
    output.result([line], {"id": project.id, "name": project.name, "texts": project.n_docs})
    return 0


def repeat(chosen: argparse.Namespace) -> int:
    """Make the run of a report again; 1 if its topics differ."""
    output = Output(chosen)
    described = reports.read_report(Path(chosen.report))
    corpus = None
    if chosen.file is not None:
        html = described.recipe.get("html_removed")  # earlier versions did not say
        strip = html if isinstance(html, bool) else None
        read = intake.read_file(Path(chosen.file), _columns_of(described), strip_html=strip)
        output.note(*read.sentences())
        corpus = read.corpus
    fitting = output.progress("fitting")
    with Workspace.open(home=chosen.home) as workspace:
        found = repeat_report(
            described,
            workspace.store,
            corpus=corpus,
            callback=lambda step: fitting(step.iteration / step.max_iter),
        )
    output.note(*found.remarks)
    values = {"repeated": found.repeated, "identical": found.identical, "sentence": found.sentence}
    output.result([found.sentence], values)
    return 0 if found.repeated else 1


def _columns_of(described: reports.Report) -> intake.AskedColumns:
    """The columns that the texts of a report were read from, so that nothing is guessed again."""
    columns = described.recipe.get("columns")
    if not isinstance(columns, dict):
        return intake.AskedColumns()
    kept = columns.get("side")
    side = tuple(map(str, kept)) if isinstance(kept, list) else ()
    names = {role: columns.get(role) or "" for role in ("id", "date", "labels")}
    separator = columns.get("label_separator")
    more = columns.get("more_text")
    return intake.AskedColumns(
        text=columns.get("text"),
        more_text=tuple(map(str, more)) if isinstance(more, list) else (),
        side=side,
        label_separator=separator,
        **names,
    )
