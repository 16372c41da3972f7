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

There is no text in it, no id of a text, and no weight of a text. A file may come from anybody: it
is taken apart in a child process with limits (``core.loading.model_parts``), and every array's type
and shape and every number are checked before it is used.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from core.errors import CorpusError, ModelError, StudioError
from core.fitted.card import ModelCard
from core.fitted.checks import check_state, known_model
from core.fitted.model import FittedModel, MeaningSource
from core.fitted.state import PredictionState
from core.loading.array_lines import array_of_lines
from core.loading.isolated import open_source
from core.loading.isolation import Budget, ask
from core.loading.model_parts import (
    ABOUT_MEMBER,
    ARRAY_FOLDER,
    CARD_MEMBER,
    DAMAGED_MODEL,
    MAX_MODEL_BYTES,
    MAX_SEED,
    MODEL_FORMAT,
    MODEL_VERSION,
)
from core.spec import ModelSpec
from core.text import TextSettings, Vocabulary
from core.text.encoders import WORDLLAMA
from core.values import whole_file

MODEL_SUFFIX = ".tsnmf"
FREQUENCY_ARRAY = "document_frequency"
MIN_ANSWER_BYTES = 500_000_000  # arrays of zeros pack better than texts
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the same model makes the same bytes


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
    """Read and check a model's file.

    It is taken apart in a process of its own, which can neither fill the memory nor take for ever.
    """
    try:
        with open_source(source, "The model", MAX_MODEL_BYTES) as file:
            return _model(*_parts(file))
    except CorpusError as error:
        raise ModelError(f"The model cannot be opened: {error.sentence}") from None
    except StudioError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration) as error:
        raise ModelError(DAMAGED_MODEL.format("its content cannot be read")) from error


def _parts(file: IO[bytes]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What the file says about itself, and its arrays by name."""
    usual = Budget.of(os.fstat(file.fileno()).st_size)
    budget = replace(usual, answer_bytes=max(usual.answer_bytes, MIN_ANSWER_BYTES))
    arrays: dict[str, np.ndarray] = {}
    with closing(ask("model", {}, file, _refusal, budget=budget)) as answer:
        about = dict(next(answer)["about"])
        for value in answer:
            array = array_of_lines(value["array"], answer)
            flags = value["array"]["holds"] == "flags"
            arrays[str(value["array"]["name"])] = array != 0 if flags else array
    return about, arrays


def _refusal(sentence: str, **_: object) -> ModelError:
    own = sentence[:1].isupper()
    return ModelError(sentence if own else f"The model cannot be read: {sentence}")


def _model(about: Mapping[str, Any], arrays: dict[str, np.ndarray]) -> FittedModel:
    frequency = arrays.pop(FREQUENCY_ARRAY)
    terms = _names(about["terms"])
    n_docs = _whole(about["n_docs"])
    if frequency.shape != (len(terms),) or frequency.dtype.kind not in "iu" or not terms:
        raise ModelError(DAMAGED_MODEL.format("terms and their frequencies differ"))
    if not 0 <= frequency.min() <= frequency.max() <= n_docs < MAX_SEED:
        raise ModelError(DAMAGED_MODEL.format("a term is in more texts than there are"))
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
            n_docs=n_docs,
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
