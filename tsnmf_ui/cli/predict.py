"""``tsnmf-studio predict``: what a fitted model says about new texts."""

from __future__ import annotations

import argparse
import sys

from core.fitted import FittedModel
from core.loading import read_corpus
from core.workspace import Workspace
from core.workspace.fitted_models import wordless_sentence, write_predictions


def predict(chosen: argparse.Namespace) -> int:
    """Read the texts, ask the model, write a table."""
    model = model_of(chosen)
    corpus = read_corpus(chosen.file, text=chosen.text, id=chosen.id)
    for note in (model.meaning_note,):
        if note:
            print(note, file=sys.stderr)
    wordless = write_predictions(model, corpus, chosen.out, texts=chosen.texts)
    if wordless:
        print(wordless_sentence(wordless), file=sys.stderr)
    print(chosen.out)
    return 0


def model_of(chosen: argparse.Namespace) -> FittedModel:
    """The model in a file, or that of a project's last full fit."""
    if chosen.model is not None:
        return FittedModel.load(chosen.model)
    with Workspace.open(home=chosen.home) as workspace:
        return workspace.model(chosen.project)
