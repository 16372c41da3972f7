"""A fitted model as one file: a ZIP of JSON and NumPy arrays, nothing pickled, version 1.

==============  ================================================================================
member          holds
==============  ================================================================================
model.json      format, version, model and options, topics, labels, text settings, terms,
                numbers, the vectors' source, and the card
arrays/*.npy    document_frequency (documents that held each term), and the arrays that
                ``core.fitted.state`` lists for the model, named as there
CARD.md         the card, to read
==============  ================================================================================

There is no text in it, no id of a text, and no weight of a text. A file may come from anybody: its
members, their sizes, every array's type and shape, and every number are checked before it is used.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from core.errors import ModelError, StudioError
from core.fitted.card import ModelCard
from core.fitted.checks import DAMAGED_MODEL, check_state, known_model
from core.fitted.model import FittedModel, MeaningSource
from core.fitted.state import PredictionState
from core.spec import ModelSpec
from core.text import TextSettings, Vocabulary
from core.text.encoders import WORDLLAMA
from core.values import whole_file

MODEL_FORMAT = "tsnmf-studio model"
MODEL_VERSION = 1  # raised when an older reader would misread the file
MODEL_SUFFIX = ".tsnmf"
ABOUT_MEMBER, CARD_MEMBER, ARRAY_FOLDER = "model.json", "CARD.md", "arrays/"
FREQUENCY_ARRAY = "document_frequency"
MAX_MODEL_BYTES = 2 * 1024**3  # of all members, unpacked
MAX_ABOUT_BYTES = 256 * 1024**2
MAX_MEMBERS = 64
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the same model makes the same bytes
NO_MODEL_FILE = "This is no model of TS-NMF Studio."


def write_model(model: FittedModel, path: Path | str, *, compressed: bool = True) -> None:
    """Write the file, whole or not at all."""
    how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    arrays = {FREQUENCY_ARRAY: model.vocabulary.document_frequency, **model.state.arrays}
    about = json.dumps(_about(model), ensure_ascii=False).encode("utf-8", "surrogatepass")
    with whole_file(path) as file, zipfile.ZipFile(file, "w", how, compresslevel=1) as packed:
        packed.writestr(_member(ABOUT_MEMBER, how), about)
        packed.writestr(
            _member(CARD_MEMBER, how), model.card.to_markdown().encode("utf-8", "replace")
        )
        for name, array in arrays.items():
            with packed.open(
                _member(f"{ARRAY_FOLDER}{name}.npy", how), "w", force_zip64=True
            ) as member:
                npy.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def _member(name: str, how: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, FIXED_TIME)
    member.compress_type = how
    return member


def _about(model: FittedModel) -> dict[str, Any]:
    state, vocabulary = model.state, model.vocabulary
    return {
        "format": MODEL_FORMAT,
        "version": MODEL_VERSION,
        "made_by": _own_version(),
        "spec": model.spec.to_dict(),
        "n_topics": state.n_topics,
        "columns": state.columns,
        "topics": model.topic_names,
        "labels": state.labels,
        "label_keys": state.label_keys,
        "several_labels": state.several,
        "numbers": dict(state.numbers),
        "text": vocabulary.settings.to_dict(),
        "n_docs": vocabulary.n_docs,
        "terms": vocabulary.terms,
        "meaning": None
        if model.meaning is None
        else {"name": model.meaning.name, "encoder": model.meaning.encoder},
        "card": model.card.to_dict(),
    }


def _own_version() -> str:
    try:
        return version("tsnmf-studio")
    except PackageNotFoundError:
        return ""


def read_model(source: Path | str | bytes | BinaryIO) -> FittedModel:
    """Read and check a model's file."""
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        with zipfile.ZipFile(file) as packed:
            members = _members(packed)
            about = json.loads(packed.read(members[ABOUT_MEMBER]).decode("utf-8", "surrogatepass"))
            _check_version(about)
            arrays = {
                name.removeprefix(ARRAY_FOLDER).removesuffix(".npy"): _array(packed, member)
                for name, member in members.items()
                if name.startswith(ARRAY_FOLDER)
            }
        return _model(about, arrays)
    except FileNotFoundError:
        raise ModelError("There is no such file.") from None
    except OSError as error:
        raise ModelError(f"The model cannot be opened: {error.strerror or error}.") from None
    except StudioError:
        raise
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(NO_MODEL_FILE) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(DAMAGED_MODEL.format("its content cannot be read")) from error


def _members(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members by name; refuses a file that is too large, or that is something else."""
    members = packed.infolist()
    named = {member.filename: member for member in members}
    if ABOUT_MEMBER not in named:
        raise ModelError(NO_MODEL_FILE)
    if len(named) != len(members) or len(members) > MAX_MEMBERS:
        raise ModelError(DAMAGED_MODEL.format("it has members twice, or too many"))
    if (
        sum(member.file_size for member in members) > MAX_MODEL_BYTES
        or named[ABOUT_MEMBER].file_size > MAX_ABOUT_BYTES
    ):
        raise ModelError(f"The model is larger than {MAX_MODEL_BYTES / 1024**3:.0f} GB.")
    return named


def _check_version(about: Any) -> None:
    if not isinstance(about, dict) or about.get("format") != MODEL_FORMAT:
        raise ModelError(NO_MODEL_FILE)
    if not isinstance(about.get("version"), int) or about["version"] > MODEL_VERSION:
        raise ModelError("This model was saved by a newer version of the Studio.")


def _array(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """An array whose header promises exactly what the member holds."""
    with packed.open(member) as opened:
        data = io.BytesIO(opened.read(member.file_size))
    major = npy.read_magic(data)
    read = npy.read_array_header_1_0 if major == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read(data)
    if dtype.hasobject or dtype.kind not in "fiub":
        raise ModelError(DAMAGED_MODEL.format("an array holds no numbers"))
    n_items = int(np.prod(shape, dtype=object)) if shape else 1
    if n_items * dtype.itemsize != member.file_size - data.tell():
        raise ModelError(DAMAGED_MODEL.format("an array is longer or shorter than it says"))
    data.seek(0)
    return np.asarray(npy.read_array(data, allow_pickle=False))


def _model(about: Mapping[str, Any], arrays: dict[str, np.ndarray]) -> FittedModel:
    frequency = arrays.pop(FREQUENCY_ARRAY)
    terms = _names(about["terms"])
    if frequency.shape != (len(terms),) or frequency.dtype.kind not in "iu" or not terms:
        raise ModelError(DAMAGED_MODEL.format("terms and their frequencies differ"))
    spec = ModelSpec.from_dict(about["spec"])
    labels, keys = _names(about["labels"]), about["label_keys"]
    state = PredictionState(
        model=known_model(spec.model),
        n_topics=_whole(about["n_topics"]),
        labels=labels,
        label_keys=tuple(key if isinstance(key, int) else str(key) for key in keys),
        several=bool(about["several_labels"]),
        columns=tuple(_whole(each) for each in about["columns"]),
        arrays=arrays,
        numbers={name: _number(value) for name, value in about["numbers"].items()},
    )
    check_state(state, len(terms))
    topics = _names(about["topics"])
    if len(topics) != len(state.columns) or len(keys) != len(labels):
        raise ModelError(DAMAGED_MODEL.format("names are missing"))
    return FittedModel(
        state=state,
        vocabulary=Vocabulary(
            terms=terms,
            document_frequency=frequency,
            n_docs=_whole(about["n_docs"]),
            settings=TextSettings.from_dict(about["text"]),
        ),
        spec=spec,
        topic_names=topics,
        meaning=_meaning(about["meaning"]),
        card=ModelCard.from_dict(about["card"]),
    )


def _meaning(values: Any) -> MeaningSource | None:
    """Only the encoder inside its package is found by name: no file may name a folder to load."""
    if values is None:
        return None
    encoder = WORDLLAMA if values["encoder"] == WORDLLAMA else ""
    return MeaningSource(str(values["name"]), encoder)


def _names(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise ModelError(DAMAGED_MODEL.format("a list of names is something else"))
    return tuple(values)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ModelError(DAMAGED_MODEL.format("a number is impossible"))
    return value


def _number(value: Any) -> Any:
    return tuple(_whole(each) for each in value) if isinstance(value, list) else value
