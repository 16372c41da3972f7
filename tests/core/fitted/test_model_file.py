"""A model's file may come from anybody: whatever is wrong with it ends in one sentence."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from core import FittedModel, ModelSpec, Supervision, TextSettings, build_matrix, fit
from core.errors import ModelError, StudioError
from core.fitted import CardScore, ModelCard, model_file
from core.loading import model_parts
from tests.core.workspace import small


@pytest.fixture(scope="module")
def content(tmp_path_factory) -> dict[str, bytes]:
    """The members of a sound file."""
    corpus = small.corpus()
    matrix = build_matrix(corpus, TextSettings(max_share=1.0))
    rows = [list(row) if at < 9 else [] for at, row in enumerate(corpus.labels)]
    model = fit(matrix, Supervision.of(rows, small.TRUTH), ModelSpec(n_topics=4))
    path = tmp_path_factory.mktemp("model") / "a.tsnmf"
    model.fitted_model(matrix).save(path)
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def array_bytes(array: np.ndarray, **more) -> bytes:
    out = io.BytesIO()
    np.save(out, array, **more)
    return out.getvalue()


def with_about(content, **changed) -> dict[str, bytes]:
    about = json.loads(content["model.json"]) | changed
    return content | {"model.json": json.dumps(about).encode()}


def with_array(content, name, change) -> dict[str, bytes]:
    member = f"arrays/{name}.npy"
    return content | {member: array_bytes(change(np.load(io.BytesIO(content[member]))))}


def test_a_sound_file_is_read(content):
    assert FittedModel.load(packed(content)).predict(["water pipe"]).tolist() == ["Water"]
    assert content["CARD.md"].startswith(b"# Model")


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("components_", lambda a: a[:, :-1], "terms where there are"),
        ("components_", lambda a: a[:-1], "topics where there are"),
        ("components_", lambda a: -a, "below 0"),
        ("components_", lambda a: a * np.nan, "no number"),
        ("components_", lambda a: a.astype(np.int64), "holds no weights"),
        ("components_", lambda a: a[0], "1 axes"),
        ("part_components_", lambda a: a[:, :3], "terms where there are"),
        ("guide_.coefficients", lambda a: a[:, :2], "labels where there are"),
        ("guide_.views.latent.directions", lambda a: a[:, :2], "do not fit together"),
        ("uncovered_.novelty.chances", lambda a: a[:0], "do not fit together"),
        ("document_frequency", lambda a: a[:-1], "frequencies differ"),
        ("document_frequency", lambda a: -a, "in more texts than there are"),
        ("components_", lambda a: a + np.float32(1e30), "a huge one"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(content, name, change, reason):
    with pytest.raises(ModelError, match=reason):
        FittedModel.load(packed(with_array(content, name, change)))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"version": 2}, "newer version"),
        ({"format": "other"}, "no model"),
        ({"columns": [0, 1, 2, 9]}, "does not have"),
        ({"columns": [0, -1, 2, 3]}, "impossible"),
        ({"n_topics": 3}, "topics where there are|does not have"),
        ({"terms": ["a"]}, "frequencies differ"),
        ({"topics": ["only one"]}, "names are missing"),
        ({"labels": "abc"}, "something else"),
        ({"spec": {"model": "os"}}, "no model “os”"),
        ({"spec": {"model": "nmf"}}, "other arrays"),
        ({"text": {"preset": "evil"}}, "preset"),
        ({"text": {"language": ["en"]}}, "language"),
        ({"numbers": {}}, "other numbers"),
        ({"card": 3}, "card"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(content, changed, reason):
    with pytest.raises(StudioError, match=reason):
        FittedModel.load(packed(with_about(content, **changed)))


def test_other_files_are_refused(content, tmp_path, monkeypatch):
    whole = packed(content)
    for data in (b"", b"PK", b"text,label\n", whole[: len(whole) // 2], packed({"a": b"b"})):
        with pytest.raises(ModelError, match="no model"):
            FittedModel.load(data)
    with pytest.raises(ModelError, match="no such file"):
        FittedModel.load(tmp_path / "none.tsnmf")
    monkeypatch.setattr(model_parts, "MAX_MODEL_BYTES", 100)
    with pytest.raises(ModelError, match="larger than"):
        list(model_parts.read_model_parts(io.BytesIO(whole)))


def test_a_file_is_taken_apart_by_a_child(content, monkeypatch):
    """So that one of zeros without end fills no memory of the caller."""
    many = array_bytes(np.zeros((4, 4_000_000), np.float32))
    data = packed(content | {"arrays/components_.npy": many})
    monkeypatch.setattr(model_file, "MIN_ANSWER_BYTES", 0)
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_, **__: 1 // 0)
    with pytest.raises(ModelError, match="unpacks to far more"):
        FittedModel.load(data)


@pytest.mark.parametrize("about", [b"[" * 100_000, b'{"format": ' + b"9" * 5_000 + b"}", b"\xff"])
def test_a_description_that_is_no_plain_json_is_refused(content, about):
    with pytest.raises(ModelError, match="damaged or was made by hand"):
        FittedModel.load(packed(content | {"model.json": about}))


def test_nothing_is_unpickled_and_no_header_is_believed(content):
    evil = array_bytes(np.array([{"a": 1}], dtype=object), allow_pickle=True)
    name = "arrays/components_.npy"
    with pytest.raises(ModelError, match="no numbers"):
        FittedModel.load(packed(content | {name: evil}))
    header = io.BytesIO()
    about = {"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**9)}
    np.lib.format.write_array_header_1_0(header, about)
    with pytest.raises(ModelError, match="longer or shorter"):
        FittedModel.load(packed(content | {name: header.getvalue()}))


def test_the_card_tells_scores_with_intervals_and_names_are_no_markup():
    card = ModelCard(
        title="Desk <script>",
        facts=(("texts", "30"),),
        labels=(("A|B\n# x", 3),),
        scores=(CardScore("accuracy", 0.75, 0.5, 0.9), CardScore("nmi", 0.5, note="too few")),
        scored_on="12 labelled texts held out",
    )
    page = card.to_markdown()
    assert "# Desk \\<script\\>" in page
    assert "| A\\|B \\# x | 3 |" in page
    assert "| accuracy | 0\\.750 | 0\\.500 to 0\\.900 |" in page
    assert "| nmi | 0\\.500 | too few |" in page
    assert ModelCard.from_dict(json.loads(json.dumps(card.to_dict()))) == card
