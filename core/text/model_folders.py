"""Which package reads a model folder, and that nothing in the folder is run as code.

sentence-transformers imports the classes that ``modules.json`` names, from Python files in the same
folder if there are any, whatever ``trust_remote_code`` says. So only its own plain modules pass.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import TextError

NO_MODEL = (
    "There is no model2vec or sentence-transformers model with safetensors weights in this folder."
)
RUNS_CODE = (
    "The model in this folder is not loaded, because it could run code of its own: {}. Only models "
    "made of sentence-transformers' own modules with safetensors weights are."
)
MODULE_PACKAGE, ACTIVATION_PACKAGE = "sentence_transformers.", "torch.nn."
PICKLED_WEIGHTS, PLAIN_WEIGHTS = "pytorch_model*.bin", "*.safetensors"
PLAIN_MODULES = frozenset(
    {"Transformer", "Pooling", "Normalize", "StaticEmbedding", "Dense", "LayerNorm"}
)


def packages_for(path: Path) -> list[str]:
    """The packages that read a folder; TextError if none does, or if it could run code."""
    about, modules = _read_json(path / "config.json"), _read_json(path / "modules.json")
    packages = []
    if _is_file(path / "model.safetensors") and _is_static(about, modules):
        packages.append("model2vec")
    if isinstance(modules, list) and any(path.rglob("*.safetensors")):
        _refuse_code(path, modules)
        packages.append("sentence_transformers")
    if not packages:
        raise TextError(NO_MODEL)
    return packages


def _is_static(about: Any, modules: Any) -> bool:
    """Whether a model is a table of token vectors, as model2vec writes it."""
    if isinstance(about, dict) and about.get("model_type") == "model2vec":
        return True
    return "StaticEmbedding" in json.dumps(modules)


def _refuse_code(path: Path, modules: list[Any]) -> None:
    for module in modules:
        if not isinstance(module, Mapping):
            raise TextError(NO_MODEL)
        kind = str(module.get("type"))
        name = kind.rpartition(".")[2]
        if not kind.startswith(MODULE_PACKAGE) or name not in PLAIN_MODULES:
            raise TextError(RUNS_CODE.format(f"it names the module “{kind}”"))
        _refuse_code_of_module(path / str(module.get("path", "")))


def _refuse_code_of_module(folder: Path) -> None:
    """A module's activation is called by its name, and weights are unpickled where no others are.

    Of a Transformer, too: earlier versions of the package forget to tell it to read safetensors.
    """
    about = _read_json(folder / "config.json")
    activation = about.get("activation_function") if isinstance(about, dict) else None
    if activation is not None and not str(activation).startswith(ACTIVATION_PACKAGE):
        raise TextError(RUNS_CODE.format(f"it calls “{activation}”"))
    if any(folder.glob(PICKLED_WEIGHTS)) and not any(folder.glob(PLAIN_WEIGHTS)):
        raise TextError(RUNS_CODE.format("weights are pickled"))


def _is_file(path: Path) -> bool:
    """False also where nobody may look, and for what no path can be."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf8"))
    except (OSError, ValueError, RecursionError):
        return None
