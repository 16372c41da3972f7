"""Model folders and the packages that read them, in place of the large real ones.

The model knows three things that texts can be about, and for each some words.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

CONCEPTS = (
    "water pipe burst pressure leak tap plumbing flood",
    "noise night music loud party neighbour racket",
    "park tree bench grass garden playground lawn",
)


class ConceptModel:
    """How many words of each concept a text holds, as model2vec's StaticModel would give them."""

    asked: list[Any] = []  # noqa: RUF012  # what was loaded, and how

    @classmethod
    def from_pretrained(cls, path: str) -> ConceptModel:
        cls.asked.append((path, os.environ.get("HF_HUB_OFFLINE")))
        return cls()

    def encode(self, texts: list[str], show_progress_bar: bool) -> np.ndarray:
        return np.array([[_count(text, words) for words in CONCEPTS] for text in texts], float)


class ConceptTransformer(ConceptModel):
    """The same, as a SentenceTransformer."""

    def __init__(self, path: str = "", **options: Any) -> None:
        ConceptModel.asked.append((path, options))


def _count(text: str, words: str) -> int:
    return sum(word in words.split() for word in text.lower().split())


def install_packages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Both packages of models; what is asked of them."""
    ConceptModel.asked = []
    static = SimpleNamespace(StaticModel=ConceptModel, __spec__=SimpleNamespace())
    deep = SimpleNamespace(SentenceTransformer=ConceptTransformer, __spec__=SimpleNamespace())
    monkeypatch.setitem(sys.modules, "model2vec", static)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "sentence_transformers", deep)  # type: ignore[arg-type]
    return ConceptModel.asked


def model_folder(place: Path, *, static: bool = True) -> Path:
    """A folder that looks as both packages write it."""
    folder = place / "tiny-model"
    folder.mkdir()
    kind = "StaticEmbedding" if static else "Transformer"
    modules = [{"path": "", "type": f"sentence_transformers.models.{kind}"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"")
    return folder
