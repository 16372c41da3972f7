"""The command line: the straight path, and sentences instead of tracebacks."""

from __future__ import annotations

import csv
import io

import pytest

from tests.ui import small
from tsnmf_ui import cli, server


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
    assert html.count('class="plot"') == 2  # shares, and labels against topics
    assert len(list(csv.reader(io.StringIO(documents.read_text("utf-8-sig"))))) == 31


def test_fit_takes_any_model(table, tmp_path):
    out = tmp_path / "results"
    arguments = ["fit", str(table), "--text", "body", "--label", "topic", "--out", str(out)]
    assert cli.main([*arguments, "--model", "lda", "--topics", "3"]) == 0
    page = (out / "texts-topics.html").read_text(encoding="utf-8")
    assert "labels are not binding" in page


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
    monkeypatch.setattr(server, "run", lambda app, settings: chosen.update(settings))
    monkeypatch.delenv("TSNMF_STUDIO_HOME", raising=False)
    assert cli.main(["run", "--port", "8765", "--no-browser", "--home", str(tmp_path)]) == 0
    assert chosen == {"server.port": 8765, "server.address": "127.0.0.1"}
    assert "http://localhost:8765" in capsys.readouterr().out


def test_shipped_settings_keep_the_app_private():
    settings = server.shipped_settings()
    assert settings["server.address"] == "127.0.0.1"
    assert settings["browser.gatherUsageStats"] is False
    assert settings["client.showErrorDetails"] == "none"
