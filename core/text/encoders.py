"""Encoders that work offline: wordllama, and model folders on this machine.

``wordllama`` (``pip install "tsnmf-studio[meaning]"``) ships its weights inside its package. A
folder may hold a ``model2vec`` or ``sentence-transformers`` model where that package is installed.
Nothing here ever downloads.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.model_folders import NO_MODEL, packages_for
from core.text.vectors import DocumentVectors, Encoder, unit_rows

WORDLLAMA = "wordllama"  # the key of the encoder that ships inside its package
WORDLLAMA_DIMENSIONS = 256
INSTALL_COMMAND = 'pip install "tsnmf-studio[meaning]"'
MAX_ENCODED_CHARACTERS = 20_000  # of a text; the mean of more tokens changes little
OFFLINE_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def wordllama_installed() -> bool:
    """Whether the extra ``meaning`` is there; nothing is loaded."""
    return find_spec(WORDLLAMA) is not None


def wordllama_encoder() -> Encoder:
    """The static embedding of the extra ``meaning``, from the files in its own package."""
    if not wordllama_installed():
        raise TextError(f"Meaning needs an extra package: {INSTALL_COMMAND}")
    return _load_wordllama()


@lru_cache(maxsize=1)
def _load_wordllama() -> Encoder:
    try:
        with _logging_as_it_is():
            package: Any = importlib.import_module(WORDLLAMA)
        model = package.WordLlama.load(
            cache_dir=Path(package.__file__).parent,  # its tokenizer is found only like this
            dim=WORDLLAMA_DIMENSIONS,
            disable_download=True,
        )
    except (ImportError, OSError, ValueError, AttributeError) as error:
        raise TextError(
            f"The installed wordllama cannot be loaded; install it again: {INSTALL_COMMAND}"
        ) from error
    model.tokenizer.no_padding()
    model.tokenizer.no_truncation()
    return _MeanOfTokens(tokenizer=model.tokenizer, embedding=model.embedding)


@dataclass(frozen=True, eq=False)
class _MeanOfTokens:
    """The mean of a text's token vectors, as wordllama's own ``embed`` gives it.

    Its ``embed`` pads every text of a batch to the longest; counts × vectors needs no padding.
    """

    tokenizer: Any
    embedding: np.ndarray  # (n_tokens, n_dimensions)

    @property
    def name(self) -> str:
        return f"wordllama {self.embedding.shape[1]}"

    @property
    def key(self) -> str:
        return WORDLLAMA

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        read = [text[:MAX_ENCODED_CHARACTERS].strip() for text in texts]
        found = self.tokenizer.encode_batch(read, add_special_tokens=False)
        ids = [np.asarray(each.ids, dtype=np.int32) for each in found]
        starts = np.cumsum([0, *map(len, ids)])
        columns = np.concatenate([*ids, np.empty(0, np.int32)])
        shape = (len(ids), len(self.embedding))
        counts = sp.csr_array((np.ones(len(columns), np.float32), columns, starts), shape=shape)
        return unit_rows(counts @ self.embedding)


def folder_encoder(folder: str | Path) -> Encoder:
    """The model2vec or sentence-transformers model in a folder on this machine."""
    try:
        path = Path(folder).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # nobody's home, or no path at all
        raise TextError(NO_MODEL) from None
    packages = packages_for(path)
    installed = [package for package in packages if find_spec(package) is not None]
    if not installed:
        names = " or ".join(f"“{package.replace('_', '-')}”" for package in packages)
        raise TextError(f"The model in this folder needs the package {names}; install it.")
    return _load_folder(path, installed[0])


@lru_cache(maxsize=2)
def _load_folder(path: Path, package: str) -> Encoder:
    try:
        with _offline(), _logging_as_it_is():
            module = importlib.import_module(package)
            model = _load_model(module, path)
    except (ImportError, OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise TextError(f"The model in this folder cannot be loaded: {error}") from error
    return _FolderModel(path=path, package=package, model=model)


def _load_model(module: Any, path: Path) -> Any:
    if hasattr(module, "StaticModel"):
        return module.StaticModel.from_pretrained(str(path))
    return module.SentenceTransformer(
        str(path),
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"use_safetensors": True},
    )


@dataclass(frozen=True, eq=False)
class _FolderModel:
    path: Path
    package: str
    model: Any

    @property
    def name(self) -> str:
        return f"{self.path.name} ({self.package.replace('_', '-')})"

    @property
    def key(self) -> str:
        return str(self.path)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        read = [text[:MAX_ENCODED_CHARACTERS] for text in texts] or [""]  # "": how many columns?
        values = unit_rows(np.asarray(self.model.encode(read, show_progress_bar=False)))
        values[[not text.strip() for text in read]] = 0
        return values[: len(texts)]


def encoder_from(key: str) -> Encoder:
    """The encoder that calls itself by this key: ``wordllama`` or a model folder."""
    return wordllama_encoder() if key == WORDLLAMA else folder_encoder(key)


def encoder_of(vectors: DocumentVectors) -> Encoder | None:
    """What encodes new texts as these documents were; None for the analyst's own vectors.

    None too where the encoder is gone from this machine: the vectors still serve among themselves.
    """
    if not vectors.encoder:
        return None
    try:
        return encoder_from(vectors.encoder)
    except TextError:
        return None


@contextmanager
def _offline() -> Iterator[None]:
    """Packages of models ask the network unless told not to, even for a folder on this machine."""
    before = {name: os.environ.get(name) for name in OFFLINE_ENVIRONMENT}
    os.environ.update(OFFLINE_ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """wordllama sets up the root logger when it is imported; that is not its business."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
