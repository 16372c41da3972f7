"""``fit --cluster``: files to topics on workers."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from core import FittedModel
from core.cluster import Cluster
from tests.core.workspace import small
from tsnmf_ui import cli


@pytest.fixture
def folder(tmp_path):
    rows = [{"id": d.id, "body": d.text, "topic": d.labels[0]} for d in small.corpus()]
    for number, part in enumerate((rows[:15], rows[15:])):
        pd.DataFrame(part).to_csv(tmp_path / f"part{number}.csv", index=False)
    return tmp_path


def test_fit_on_a_cluster_writes_topics_shares_and_the_model(folder, tmp_path, capsys):
    out, model = tmp_path / "out", tmp_path / "texts.tsnmf"
    command = ["fit", f"{folder}/part*.csv", "--cluster", "local:1", "--text", "body"]
    labels = ["--label", "topic", "--out", str(out), "--save-model", str(model)]
    assert cli.main([*command, *labels]) == 0
    said = capsys.readouterr()
    assert said.out.split() == [str(out / "topics.json"), str(out / "shares"), str(model)]
    assert "30 texts of 2 files fitted." in said.err
    values = json.loads((out / "topics.json").read_text("utf-8"))
    names = [topic["name"] for topic in values["topics"]]
    assert sum(topic["texts"] for topic in values["topics"]) == values["texts"] == 30
    assert list(values["shares_by_label"]) == names == sorted(names)
    shares = pd.concat([pd.read_parquet(file) for file in sorted((out / "shares").iterdir())])
    assert list(shares.columns) == ["id", *names]
    assert list(shares["id"]) == [document.id for document in small.corpus()]
    assert FittedModel.load(model).topic_names == tuple(names)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--cluster", "somewhere"], "A cluster's address is “tcp://host:port”"),
        (["--cluster", "local:1", "--project", "Texts"], "--project needs one machine"),
        ([], "needs --cluster: one machine reads one file or one folder."),
    ],
)
def test_what_cannot_be_is_said_before_any_work(folder, capsys, monkeypatch, arguments, sentence):
    monkeypatch.setattr(Cluster, "fit_files", None)
    assert cli.main(["fit", f"{folder}/part*.csv", *arguments]) == 1
    assert sentence in capsys.readouterr().err
