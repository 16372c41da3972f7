"""``tsnmf-studio predict``: what a fitted model says about new texts."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from core.corpus import Corpus
from core.errors import ModelError
from core.fitted import FittedModel
from core.workspace import Workspace, intake
from core.workspace.fitted_models import wordless_sentence, write_predictions
from tsnmf_ui.cli.fit import FileSource
from tsnmf_ui.cli.output import Output

STANDARD_OUTPUT = Path("-")


def predict(chosen: argparse.Namespace) -> int:
    """Read the texts, ask the model, write a table."""
    output = Output(chosen)
    model = _model(chosen, output)
    source = FileSource(chosen.file)
    asked = intake.AskedColumns(
        text=chosen.text,
        more_text=tuple(chosen.more_text or ()),
        id=chosen.id,
        date="",
        labels="",
        side=(),
    )
    read = intake.read_file(source.content, asked, filename=source.name)
    output.note(*read.sentences(), model.meaning_note)
    if chosen.out == STANDARD_OUTPUT:
        _to_standard_output(model, read.corpus, chosen, output)
        return 0
    _write(model, read.corpus, chosen.out, chosen, output)
    values: dict[str, Any] = {"texts": len(read.corpus), "files": [str(chosen.out)]}
    output.result([str(chosen.out)], values)
    return 0


def _write(
    model: FittedModel, corpus: Corpus, path: Path, chosen: argparse.Namespace, output: Output
) -> None:
    tell = output.progress("predicting")
    wordless = write_predictions(
        model, corpus, path, texts=chosen.texts, progress=lambda done, of: tell(done / max(of, 1))
    )
    output.note(wordless_sentence(wordless))


def _to_standard_output(
    model: FittedModel, corpus: Corpus, chosen: argparse.Namespace, output: Output
) -> None:
    """The table itself: CSV, or JSON lines with ``--json``."""
    with tempfile.TemporaryDirectory(prefix="tsnmf-studio-") as folder:
        path = Path(folder) / ("table.jsonl" if chosen.json else "table.csv")
        _write(model, corpus, path, chosen, output)
        with path.open(encoding="utf-8-sig", newline="") as table:
            shutil.copyfileobj(table, sys.stdout)


def _model(chosen: argparse.Namespace, output: Output) -> FittedModel:
    """The model in a file, or that of a project's last full fit; made again if it is gone."""
    if chosen.model is not None:
        return FittedModel.load(chosen.model)
    with Workspace.open(home=chosen.home) as workspace:
        try:
            return workspace.model(chosen.project)
        except ModelError as error:
            output.note(str(error), "It is fitted again now.")
        fitting = output.progress("fitting")
        callback = lambda step: fitting(step.iteration / step.max_iter)  # noqa: E731
        workspace.refit(chosen.project, callback=callback)
        return workspace.model(chosen.project)
