"""The model of a project: kept by a full fit, under today's names, with its card."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from core import FittedModel, ModelSpec
from core.corpus import Corpus
from core.errors import ModelError, NotFound
from core.store import ProjectSettings, RenameTopic
from core.workspace import Workspace
from core.workspace.caches import models
from core.workspace.caches.paths import model_path
from core.workspace.fitted_models import model_of, write_predictions
from core.workspace.refits.refit import refit
from tests.core.workspace import small

NEW = Corpus(
    ids=("n1", "=n2", "n3"), texts=("pipe leak tap water", "party music loud", "xylophone")
)


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(home=tmp_path / "home", author="ann") as opened:
        small.project(opened.store)
        yield opened


def test_a_full_fit_keeps_its_model(workspace):
    with pytest.raises(NotFound, match="no fit yet"):
        workspace.model(1)
    run = workspace.refit(1)
    path = model_path(workspace.store, 1, run.id)
    assert FittedModel.load(path).label_names == small.TRUTH
    for _ in range(models.MODELS_ON_DISK):
        run = workspace.refit(1)
    kept = sorted(path.parent.iterdir())
    assert len(kept) == models.MODELS_ON_DISK
    assert path not in kept
    model_path(workspace.store, 1, run.id).unlink()
    with pytest.raises(ModelError, match="fit the project afresh"):
        workspace.model(1)


def test_a_model_speaks_of_topics_as_they_are_called_now(workspace):
    workspace.refit(1)
    workspace.record(1, RenameTopic(1, "Taps"))
    model = workspace.model("Desk")
    assert model.label_names == ("Taps", "Noise", "Parks")
    assert model.topic_names[:3] == model.label_names
    assert model.predict(NEW).tolist()[:2] == ["Taps", "Noise"]
    topics = workspace.topics(1)
    assert model.topic_names == topics.names


def test_the_card_says_on_what_the_model_stands(workspace):
    workspace.refit(1)
    workspace.evaluate(1)
    card = workspace.model(1).card
    facts = dict(card.facts)
    assert facts["texts"] == "30"
    assert facts["language"] == "English"
    assert dict(card.labels) == {"Water": 2, "Noise": 2, "Parks": 2}
    assert any(score.low is not None for score in card.scores)
    assert "nobody has labelled" in card.scored_on


def test_predictions_are_written_as_a_safe_table_or_as_lines(workspace, tmp_path):
    workspace.refit(1)
    model = workspace.model(1)
    assert write_predictions(model, NEW, tmp_path / "a.csv", texts=True) == 1
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text("utf-8-sig"))))
    assert [row["id"] for row in rows] == ["n1", "'=n2", "n3"]
    assert [row["labels"] for row in rows] == ["Water", "Noise", ""]
    assert rows[0]["text"] == NEW.texts[0]
    write_predictions(model, NEW, tmp_path / "a.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == list(NEW.ids)
    assert lines[0]["main topic"] == "Water"


def test_two_topics_of_one_name_are_no_lines_but_a_sentence(workspace, tmp_path):
    workspace.refit(1)
    model = workspace.model(1)
    alike = replace(model, topic_names=("Same",) * len(model.topic_names))
    with pytest.raises(ModelError, match="Two columns would be called “share of Same”"):
        write_predictions(alike, NEW, tmp_path / "a.jsonl")
    assert not (tmp_path / "a.jsonl").exists()


def test_groups_of_groups_are_told_of_new_texts(store):
    side = {"district": ("North", "South", "East") * 10, "area": ("Hill", "Dale", "Hill") * 10}
    spec = ModelSpec("pfa_ssi", n_topics=3, options={"max_iter": 20})
    settings = ProjectSettings(n_free=1, meaning="off", spec=spec, levels=("district", "area"))
    project = store.create_project(
        "Areas", replace(small.corpus(), side=side), settings, author="ann"
    )
    refit(store, project.id)
    table = model_of(store, project).table([small.WATER, "zebra"])
    assert table["group"].tolist()[0] in ("area: Hill", "area: Dale")
    assert table["group"].tolist()[1] == ""
