"""The command line: the straight path, and sentences instead of tracebacks."""

from __future__ import annotations

import csv
import io

import pytest

from core.store import Store
from core.workspace import Workspace
from tests.core.workspace import small
from tsnmf_ui import cli
from tsnmf_ui.server import lifecycle


@pytest.fixture
def table(tmp_path):
    path, corpus = tmp_path / "texts.csv", small.corpus()
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "body", "topic"])
        rows.writerows((d.id, d.text, d.labels[0]) for d in corpus)
    return path


def test_fit_writes_a_page_and_a_table(table, tmp_path, capsys):
    out = tmp_path / "results"
    arguments = ["fit", str(table), "--text", "body", "--label", "topic", "--out", str(out)]
    assert cli.main(arguments) == 0
    page, documents = (out / f"texts-topics.{kind}" for kind in ("html", "csv"))
    assert capsys.readouterr().out.split() == [str(page), str(documents)]
    html = page.read_text(encoding="utf-8")
    assert "Water" in html
    assert html.count('<ul class="bars">') == html.count('<table class="heat">') == 1
    assert "30 texts are labelled in the file; the model learnt from them." in html
    assert "<dd>30</dd><dt>labelled in the file</dt>" in html
    assert "Nobody has labelled" not in html
    assert "by people" not in html
    assert "the fit used all labels of the file, so none was held out" in html
    assert "Coherence" in html
    assert len(list(csv.reader(io.StringIO(documents.read_text("utf-8-sig"))))) == 31


def test_fit_takes_any_model(table, tmp_path):
    out = tmp_path / "results"
    arguments = ["fit", str(table), "--text", "body", "--label", "topic", "--out", str(out)]
    assert cli.main([*arguments, "--model", "lda", "--topics", "3"]) == 0
    page = (out / "texts-topics.html").read_text(encoding="utf-8")
    assert "does not treat labels as rules" in page


def test_what_goes_wrong_is_one_sentence(tmp_path, capsys):
    assert cli.main(["fit", str(tmp_path / "nothing.csv")]) == 1
    said = capsys.readouterr().err
    assert said.endswith("There is no such file.\n")
    assert "Traceback" not in said


def test_version(capsys):
    assert cli.main(["version"]) == 0
    assert capsys.readouterr().out.count(".") >= 2


def test_run_listens_on_this_machine_only(monkeypatch, tmp_path, capsys):
    chosen = {}
    monkeypatch.setattr(lifecycle, "run", lambda app, settings: chosen.update(settings))
    monkeypatch.delenv("TSNMF_STUDIO_HOME", raising=False)
    assert cli.main(["run", "--port", "8765", "--no-browser", "--home", str(tmp_path)]) == 0
    assert chosen == {"server.port": 8765, "server.address": "127.0.0.1"}
    assert "http://localhost:8765" in capsys.readouterr().out


def test_shipped_settings_keep_the_app_private():
    settings = lifecycle.shipped_settings()
    assert settings["server.address"] == "127.0.0.1"
    assert settings["browser.gatherUsageStats"] is False
    assert settings["client.showErrorDetails"] == "none"


@pytest.fixture
def home(tmp_path):
    with Store.open(home=tmp_path / "home") as store:
        small.project(store)
    return tmp_path / "home"


def test_labels_go_out_and_in_after_a_dry_run(home, tmp_path, capsys):
    file, where = tmp_path / "labels.csv", ["--project", "desk", "--home", str(home)]
    assert cli.main(["labels", "export", *where, "--out", str(file)]) == 0
    table = file.read_text("utf-8-sig").replace('"d1","Noise"', '"d1","Trees"')
    table = table.replace('"d5",', '"zz",')
    file.write_text(table, "utf-8")
    arguments = ["labels", "import", str(file), *where, "--choose", "take"]
    assert cli.main(arguments) == 0
    told = capsys.readouterr().out
    assert "d1 differs: Noise by ann; Trees in the file" in told
    assert "New topic: Trees" in told
    assert "no text has the id zz" in told
    assert "Nothing was changed" in told
    assert cli.main([*arguments, "--do", "--author", "ben"]) == 0
    with Store.open(home=home) as store:
        assert store.annotations(1)[1].author == "ben"
        assert store.topics(1)[-1].name == "Trees"


def test_a_project_that_is_not_there_is_one_sentence(home, capsys):
    assert cli.main(["labels", "export", "--project", "x", "--home", str(home), "--out", "a"]) == 1
    assert "There is no project called “x”." in capsys.readouterr().err


def test_predict_asks_a_project_or_a_model_file(home, table, tmp_path, capsys):
    with Workspace.open(home=home) as workspace:
        workspace.refit("Desk")
        workspace.model("Desk").save(tmp_path / "desk.tsnmf")
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    where = ["--project", "desk", "--home", str(home)]
    assert cli.main(["predict", str(table), *where, "--out", str(one)]) == 0
    file = ["--model", str(tmp_path / "desk.tsnmf")]
    assert cli.main(["predict", str(table), *file, "--out", str(other)]) == 0
    assert one.read_bytes() == other.read_bytes()
    rows = list(csv.DictReader(io.StringIO(one.read_text("utf-8-sig"))))
    assert [row["labels"] for row in rows[:3]] == list(small.TRUTH)
