"""Encoders: from their own package or folder, never from the network."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.errors import TextError
from core.text.encoders import (
    MAX_ENCODED_CHARACTERS,
    encoder_of,
    folder_encoder,
    wordllama_encoder,
    wordllama_installed,
)
from core.text.vectors import DocumentVectors, encode_documents
from tests.model_folders import ConceptModel, install_packages, model_folder
from tests.wordllama import require_wordllama


@pytest.fixture
def no_network(monkeypatch) -> None:
    def refuse(*_args: Any) -> None:
        raise AssertionError("An encoder asked for the network.")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def without_wordllama(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)


def test_wordllama_knows_that_two_sentences_mean_the_same(no_network):
    require_wordllama()
    encoder = wordllama_encoder()
    sentences = ["I have lost my credit card", "My Visa is gone", "Rain is expected in Spain"]
    rows = encoder.encode(sentences)
    likeness = rows @ rows.T
    assert likeness[0, 1] > likeness[0, 2] + 0.2
    assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert (encoder.name, rows.shape, rows.dtype) == ("wordllama 256", (3, 256), np.float32)


def test_wordllama_encodes_as_its_own_embed_does():
    require_wordllama()
    import wordllama

    package = Path(wordllama.__file__).parent
    theirs = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
    texts = ["The exchange rates are?", "Ω 日本語", "a few words " * 200 + "more", "one"]
    assert_allclose(wordllama_encoder().encode(texts), theirs.embed(texts, norm=True), atol=1e-5)


def test_a_text_that_says_nothing_has_no_direction():
    require_wordllama()
    assert not wordllama_encoder().encode(["", " \n "]).any()
    assert wordllama_encoder().encode([]).shape == (0, 256)


def test_a_huge_text_is_read_from_its_beginning():
    require_wordllama()
    start = "lost card " * (MAX_ENCODED_CHARACTERS // 10)
    rows = wordllama_encoder().encode([start, start + "rain " * 200_000])
    assert_allclose(rows[0], rows[1], atol=1e-6)


def test_wordllama_leaves_the_log_alone():
    require_wordllama()
    before = (logging.getLogger().level, list(logging.getLogger().handlers))
    for name in [name for name in sys.modules if name.split(".")[0] == "wordllama"]:
        del sys.modules[name]
    wordllama_encoder.__globals__["_load_wordllama"].cache_clear()
    wordllama_encoder()
    assert (logging.getLogger().level, list(logging.getLogger().handlers)) == before


def test_without_the_extra_one_sentence_tells_how_to_get_it(without_wordllama):
    assert not wordllama_installed()
    with pytest.raises(TextError, match=r'pip install "tsnmf-studio\[meaning\]"'):
        wordllama_encoder()


def test_vectors_lead_back_to_their_encoder():
    require_wordllama()
    made = encode_documents(wordllama_encoder(), ["lost card", "rain"])
    again = encoder_of(made)
    assert again is not None
    assert_allclose(again.encode(["rain"])[0], made.values[1])


def test_own_vectors_have_no_encoder():
    assert encoder_of(DocumentVectors.of(np.eye(2), "vectors of your own")) is None


def test_an_encoder_that_is_gone_is_no_error(without_wordllama):
    made = DocumentVectors(values=np.eye(2), source="wordllama 256", encoder="wordllama")
    assert encoder_of(made) is None


@pytest.fixture
def packages(monkeypatch) -> list[Any]:
    """Both packages of models are there; what is asked of them."""
    return install_packages(monkeypatch)


def test_a_folder_of_model2vec_encodes_offline(tmp_path, packages, monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    folder = model_folder(tmp_path, static=True)
    encoder = folder_encoder(folder)
    assert packages == [(str(folder), "1")]
    assert "HF_HUB_OFFLINE" not in os.environ
    assert (encoder.name, encoder.key) == ("tiny-model (model2vec)", str(folder))
    rows = encoder.encode(["a leak in the park", " "])
    assert_allclose(rows, [[0.5**0.5, 0, 0.5**0.5], [0, 0, 0]], rtol=1e-6)
    assert encoder.encode([]).shape == (0, 3)
    made = encode_documents(encoder, ["leak"])
    assert encoder_of(made) is encoder


def test_a_folder_of_sentence_transformers_may_run_no_code(tmp_path, packages):
    encoder = folder_encoder(model_folder(tmp_path, static=False))
    assert encoder.name == "tiny-model (sentence-transformers)"
    [(_, options)] = packages
    assert options["local_files_only"]
    assert not options["trust_remote_code"]
    assert options["model_kwargs"] == {"use_safetensors": True}


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(TextError, match="needs the package “sentence-transformers”"):
        folder_encoder(model_folder(tmp_path, static=False))


@pytest.mark.parametrize("left_out", ["model.safetensors", "modules.json"])
def test_a_folder_without_a_model_says_so(tmp_path, packages, left_out):
    folder = model_folder(tmp_path, static=False)
    (folder / left_out).unlink()
    with pytest.raises(TextError, match="There is no model2vec or sentence-transformers model"):
        folder_encoder(folder)
    with pytest.raises(TextError, match="There is no model2vec or sentence-transformers model"):
        folder_encoder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ({"type": "own_code.Reader", "path": ""}, "it names the module “own_code.Reader”"),
        ({"type": "sentence_transformers.models.Router", "path": ""}, "it names the module"),
        ({"type": "sentence_transformers.models.Dense", "path": "2_Dense"}, "it calls “os.abort”"),
        ({"type": "sentence_transformers.models.Dense", "path": "3_Dense"}, "weights are pickled"),
        (
            {"type": "sentence_transformers.models.Transformer", "path": "3_Dense"},
            "weights are pickled",
        ),
    ],
)
def test_a_folder_that_would_run_code_is_not_loaded(tmp_path, packages, module, said):
    folder = model_folder(tmp_path, static=False)
    known = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(json.dumps([*known, module]))
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "config.json").write_text('{"activation_function": "os.abort"}')
    (folder / "3_Dense").mkdir()
    (folder / "3_Dense" / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(TextError, match=f"could run code of its own: {said}"):
        folder_encoder(folder)
    assert packages == []


@pytest.mark.parametrize("folder", ["~nobody-of-this-name/model", "a\0b", "x" * 5000])
def test_what_is_no_folder_is_one_sentence(packages, folder):
    with pytest.raises(TextError, match="There is no model2vec or sentence-transformers model"):
        folder_encoder(folder)


def test_a_model_that_cannot_be_loaded_is_one_sentence(tmp_path, packages, monkeypatch):
    def broken(_path: str) -> None:
        raise ValueError("half a file")

    monkeypatch.setattr(ConceptModel, "from_pretrained", broken)
    with pytest.raises(TextError, match="cannot be loaded: half a file"):
        folder_encoder(model_folder(tmp_path, static=True))
