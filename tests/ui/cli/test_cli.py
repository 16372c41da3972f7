"""The command line: the path of the app without a screen, and sentences instead of tracebacks."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core import MODELS, FittedModel
from core.papers import PAPERS
from core.report import FORMATS, PRIVACY_PRESETS
from core.store import Store
from core.store.database import home_path
from core.store.private_files import DATABASE
from core.text import LANGUAGES
from core.workspace import Workspace
from tests.core.workspace import small
from tests.ui.pages.results_app import corpus_page
from tsnmf_ui import cli
from tsnmf_ui.cli import early_checks, known_names
from tsnmf_ui.cli.output import Output, terminal_json
from tsnmf_ui.server import lifecycle, state


@pytest.fixture
def table(tmp_path):
    path, corpus = tmp_path / "texts.csv", small.corpus()
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "body", "topic", "mood"])
        rows.writerows((d.id, d.text, d.labels[0], "") for d in corpus)
    return path


@pytest.fixture
def home(tmp_path):
    with Store.open(home=tmp_path / "home") as store:
        small.project(store)
    return tmp_path / "home"


@pytest.fixture
def store(tmp_path, monkeypatch, recorded_jobs):
    """The store that the app's pages open."""
    with Store.open(home=tmp_path / "app") as opened:
        monkeypatch.setattr(state, "store", lambda: opened)
        yield opened


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def test_fit_writes_a_page_and_a_table(table, tmp_path, capsys):
    out, model = tmp_path / "results", tmp_path / "texts.tsnmf"
    arguments = ["fit", str(table), "--text", "body", "--label", "topic", "--out", str(out)]
    assert cli.main([*arguments, "--save-model", str(model)]) == 0
    page, documents = (out / f"texts-topics.{kind}" for kind in ("html", "csv"))
    said = capsys.readouterr()
    assert said.out.split() == [str(page), str(documents), str(model)]
    assert early_checks.MODEL_START.match(model.read_bytes())  # so it may be replaced
    assert "30 texts read from texts.csv" in said.err
    assert "labels “topic”" in said.err
    assert "Not used: mood." in said.err
    assert "Language: English (guessed)." in said.err
    text = page.read_text(encoding="utf-8")
    assert "Water" in text
    assert "30 texts are labelled from a file" in text  # which is nobody's work here
    assert "Nobody has labelled" not in text
    assert "labelled by people" not in text
    assert len(rows_of(documents)) == 30
    assert set(FittedModel.load(model).label_names) == set(small.TRUTH)


def test_tables_hold_the_texts_if_the_team_reads_them(table, tmp_path, capsys):
    def written(*more: str) -> str:
        assert cli.main(["fit", str(table), "--format", "csv", "--out", str(tmp_path), *more]) == 0
        return next(tmp_path.glob("*-topics.csv")).read_text("utf-8-sig")

    assert "text" not in written("--no-scores").splitlines()[0]
    assert "text" in written("--no-scores", "--readers", "team").splitlines()[0]


def test_a_model_replaces_nothing_else(table, tmp_path, capsys):
    """Settings of a stranger may name any file for it."""
    notes, config = tmp_path / "notes.txt", tmp_path / "run.toml"
    notes.write_text("my own")
    config.write_text(f'file = "{table}"\nsave_model = "{notes}"\nout = "{tmp_path / "out"}"\n')
    assert cli.main(["--config", str(config), "fit"]) == 1
    assert f"{notes} is there and is no model" in capsys.readouterr().err
    assert notes.read_text() == "my own"


def test_fit_joins_columns_and_removes_html_as_the_app_does(table, tmp_path, capsys):
    with table.open("a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            (f"h{n}", "<p>water <b>pipe</b></p>", "Water", "calm") for n in range(3)
        )
    home = tmp_path / "home"
    arguments = ["fit", str(table), "--text", "body", "--more-text", "mood", "--out", str(tmp_path)]
    assert cli.main([*arguments, "--project", "Joined", "--home", str(home)]) == 0
    said = capsys.readouterr().err
    assert "text “body” with “mood”" in said
    assert "HTML was removed from the texts of 3 rows." in said
    with Store.open(home=home) as store:
        assert store.document(1, 30).text == "water pipe\n\ncalm"


def test_fit_takes_any_model_its_options_and_a_file_of_them(table, tmp_path, capsys):
    config = tmp_path / "run.toml"
    config.write_text(
        f'file = "{table}"\nmodel = "nmf"\ntopics = 3\nformat = ["csv"]\nno_scores = true\n'
        f'out = "{tmp_path / "results"}"\n[set]\nmax_iter = 7\n"text.max_terms" = 9\n'
    )
    assert cli.main(["fit", "--config", str(config), "--seed", "2", "--json", "--quiet"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found["model"]["options"] == {"max_iter": 7}
    assert found["model"]["random_state"] == 2
    assert len(found["topics"]) == 3
    assert found["files"] == [str(tmp_path / "results" / "texts-topics.csv")]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ('cluster = "tcp://evil.example:8786"', "names a cluster"),
        ('clus = "tcp://evil.example:8786"', "names a cluster"),
        ('"cluster=tcp://evil.example:8786" = true', "names a cluster"),
        (f"topics = {'[' * 5000}", "is no TOML"),
        ('out = "a\\u0000b"', "holds a NUL"),
    ],
)
def test_a_file_of_options_may_come_from_a_stranger(table, tmp_path, capsys, written, sentence):
    config = tmp_path / "run.toml"
    config.write_text(written)
    assert cli.main(["fit", str(table), "--config", str(config)]) == 1
    assert sentence in capsys.readouterr().err


def test_standard_input_is_read_and_labels_come_from_a_file(table, tmp_path, monkeypatch, capsys):
    labels = tmp_path / "labels.csv"
    labels.write_text("id,labels\nd0,Water\nd1,Noise\nd2,Parks\nd3,Water\nnobody,Water\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    arguments = ["fit", "-", "--label", "", "--labels", str(labels), "--out", str(tmp_path / "r")]
    assert cli.main([*arguments, "--format", "csv", "--json"]) == 0
    said = capsys.readouterr()
    assert "4 of 5 labels read from labels.csv." in said.err
    assert "1 ids in labels.csv are of no text: nobody." in said.err
    topics = {topic["name"]: topic for topic in json.loads(said.out)["topics"]}
    assert topics["Water"]["labelled"] == 2


MESSY = (
    "id;Eingang;Meldung;labels;Bezirk;leer\n"
    "1;03.12.2025;Der Müll und die Tonne wurden wieder nicht abgeholt;Müll;Nord;\n"
    "2;04.12.2025;Die Laterne in der Straße ist dunkel;Licht;Süd;\n"
    "3;24.12.2025;Die Tonne mit dem Müll ist voll und wird nicht geleert;müll;Nord;\n"
    "4;28.12.2025;;Müll;Süd;\n"
    "5;29.12.2025;Auf der Straße ist die Laterne kaputt und dunkel;LICHT;Nord;\n"
    "5;30.12.2025;Noch einmal die gleiche Nummer mit der Laterne;Licht;Nord;\n"
    "7;30.12.2025;Wir haben im Park eine Bank und die Blumen;;Süd;\n"
    "8;31.12.2025;Die Bank im Park ist morsch und die Blumen auch;;Süd;\n"
).encode("cp1252")


def test_the_command_line_and_the_app_make_the_same_project_of_a_messy_file(
    store, tmp_path, capsys
):
    app = AppTest.from_function(corpus_page, default_timeout=60).run()
    app.file_uploader(key="corpus.file").upload("desk.csv", MESSY).run()
    next(box for box in app.selectbox if "labels in the file" in box.label).select("labels").run()
    app.button(key="corpus.create").click().run()
    assert not app.exception
    (tmp_path / "desk.csv").write_bytes(MESSY)
    home = tmp_path / "cli"
    arguments = ["fit", str(tmp_path / "desk.csv"), "--project", "desk", "--home", str(home)]
    assert cli.main([*arguments, "--out", str(tmp_path / "out"), "--no-scores"]) == 0
    said = capsys.readouterr().err
    assert "Language: German (guessed)." in said
    assert "1 row left out: the text is empty (1); row 5." in said
    assert "Not used: id, leer." in said  # an id stands twice, so it is none
    with Workspace.open(home=home) as mine:
        theirs = Workspace(store)
        theirs.refit("desk")
        assert mine.project("desk").settings == theirs.project("desk").settings
        assert mine.corpus("desk") == theirs.corpus("desk")
        assert mine.corpus("desk").dates == theirs.corpus("desk").dates
        names = [[topic.name for topic in each.store.topics(1)] for each in (mine, theirs)]
        assert names == [["Licht", "Müll"]] * 2  # “müll” and “LICHT” are the same
        given = [each.permitted for each in mine.store.annotations(1).values()]
        assert given == [each.permitted for each in theirs.store.annotations(1).values()]
        assert len(given) == 5
        one, other = mine.topics("desk"), theirs.topics("desk")
        assert replace(one, trace=other.trace) == other  # which holds times


def test_a_project_of_the_command_line_goes_on_everywhere(table, tmp_path, capsys):
    home, out = ["--home", str(tmp_path / "home")], ["--out", str(tmp_path)]
    base = ["fit", str(table), "--project", "Texts", *home, *out, "--no-scores", "--format", "csv"]
    assert cli.main(base) == 0
    assert cli.main(base) == 1
    assert "There is a project called “Texts” already" in capsys.readouterr().err
    assert cli.main(["refit", "texts", *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["project"]["name"] == "Texts"
    assert cli.main(["score", "texts", *home]) == 0
    assert "Main topic correct" in capsys.readouterr().out
    assert cli.main(["compare", "texts", "tsnmf", "nmf", *home]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["tsnmf", "nmf"]
    for name in ("texts.zip", "texts.tsnmf", "texts.card.md", "all.csv"):
        assert cli.main(["export", "texts", *home, "--out", str(tmp_path / name)]) == 0
    assert "## Scores" in (tmp_path / "texts.card.md").read_text("utf-8")
    assert len(rows_of(tmp_path / "all.csv")) == 30
    capsys.readouterr()
    into = ["--home", str(tmp_path / "other")]
    assert cli.main(["import", str(tmp_path / "texts.zip"), *into, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"] == 30
    page, data = tmp_path / "texts.html", tmp_path / "texts.json"
    assert cli.main(["report", "texts", *into, "--out", str(page)]) == 0
    assert cli.main(["report", "texts", *home, "--out", str(data)]) == 0
    assert "Water" in page.read_text("utf-8")
    capsys.readouterr()
    assert cli.main(["repeat", str(data), *home]) == 0
    assert "every number of the factors is the same" in capsys.readouterr().out
    empty = ["--home", str(tmp_path / "empty")]
    assert cli.main(["repeat", str(data), *empty]) == 1
    assert "No project here holds the texts" in capsys.readouterr().err
    assert cli.main(["repeat", str(data), *empty, "--file", str(table)]) == 0
    assert "every number of the factors is the same" in capsys.readouterr().out
    assert cli.main(["report", "--formats"]) == 0
    assert "html" in capsys.readouterr().out


def test_a_comparison_tells_how_far_it_is(home, capsys, monkeypatch):
    told: list[float] = []
    monkeypatch.setattr(
        Output, "progress", lambda self, doing: lambda share: bool(told.append(share))
    )
    assert cli.main(["compare", "desk", "tsnmf", "nmf", "--home", str(home)]) == 0
    assert told == sorted(told)
    assert told[-1] == 1.0


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
    assert [row["labels"] for row in rows_of(one)[:3]] == list(small.TRUTH)
    capsys.readouterr()
    for kept in (home / "cache" / "models").iterdir():
        kept.unlink()
    assert cli.main(["predict", str(table), *where, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["labels"] == "Water"
    assert "It is fitted again now." in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["fit", "nothing.csv"], 2, "nothing.csv: there is no such file"),
        (["fit", "{table}", "--seed", "-1"], 2, "from 0 to 4294967295, not -1"),
        (["fit", "{table}", "--topics", "0"], 2, "at least 1, not 0"),
        (["fit", "{table}", "--topics", "2"], 1, "2 topics cannot hold the 3 labels"),
        (["fit", "{table}", "--out", "x.xlsx"], 2, "name a folder; x.xlsx looks like a file"),
        (["fit", "{table}", "--out", "{table}/x"], 1, "Nothing can be written in"),
        (["fit", "{table}", "--set", "guidence=1"], 1, "no option “guidence”"),
        (["fit", "{table}", "--set", "guidance"], 2, "option=value, not guidance"),
        (["fit", "{table}", "--model", "magic"], 2, "there is no model “magic”; choose from nmf"),
        (["fit", "{table}", "--text", "bodi"], 1, "there is no column “bodi”"),
        (["fit", "{table}", "--language", "xx"], 2, "there is no language “xx”; choose from ar"),
        (["fit", "{table}", "--format", "doc"], 2, "there is no format “doc”; choose from html"),
        (["fit", "--config", "none.toml"], 1, "none.toml cannot be read"),
        (["fit"], 1, "Name a file to read"),
        (["predict", "{table}", "--model", "{table}"], 1, "no model of TS-NMF Studio"),
        (["predict", "{table}", "--model", "{table}", "--out", "x.xlsx"], 2, ".csv or .jsonl"),
        (["refit", "x", "--home", "/nowhere/home"], 2, "there is no folder"),
        (["refit", "x", "--home", "{folder}"], 2, "there is no studio.db in"),
        (["labels", "export", "--project", "x", "--home", "{home}", "--out", "a"], 2, ".csv or"),
        (["score", "x", "--home", "{home}"], 1, "There is no project called “x”."),
        (["report", "Desk", "--home", "{home}", "--out", "{folder}/a.html"], 1, "no fit yet"),
        (["score", "7", "--home", "{home}"], 1, "There is no such project."),
        (["fit", "{table}", "--project", "desk", "--home", "{home}"], 1, "“desk” already; refit"),
        (["predict", "{table}", "--project", "x", "--home", "{home}"], 1, "no project called “x”"),
        (["export", "Desk", "--home", "{home}", "--out", "{folder}/a.exe"], 1, "a.exe"),
        (["export", "Desk", "--home", "{home}", "--out", "{folder}/no/a.zip"], 1, "no folder"),
        (["frobnicate"], 2, "invalid choice"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    arguments, code, sentence, table, home, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    places = {"table": str(table), "home": str(home), "folder": str(tmp_path)}
    before = sorted(path.name for path in tmp_path.iterdir())
    assert cli.main([word.format(**places) for word in [*arguments]]) == code
    said = capsys.readouterr().err.splitlines()
    assert sentence in said[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["fit", "--help"],
        ["fit", "-", "--seed", "-1"],
        ["fit", "-", "--model", "magic"],
        ["fit", "-", "--out", "{home}/studio.db/x"],
        ["fit", "-", "--project", "desk", "--home", "{home}"],
        ["refit", "nobody", "--home", "{home}"],
        ["report", "desk", "--home", "{home}", "--out", "{home}/a.html"],
        ["export", "desk", "--home", "{home}", "--out", "{home}/a.exe"],
        ["labels", "export", "--project", "7", "--home", "{home}", "--out", "-"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)
def test_help_and_mistakes_load_nothing_heavy(arguments, home):
    arguments = [word.format(home=home) for word in arguments]
    program = (
        "import sys; from tsnmf_ui import cli; code = cli.main(sys.argv[1:]); "
        "heavy = {'numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'streamlit', 'plotly', "
        "'sqlalchemy', 'pyarrow', 'nltk'}; "
        "print('loaded:', sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[-1] == "loaded: []"


def test_names_known_before_the_engine_are_those_of_the_engine(tmp_path, monkeypatch):
    assert tuple(MODELS) == known_names.MODEL_NAMES
    assert set(known_names.LANGUAGE_CODES) == set(LANGUAGES)
    assert known_names.PAPER_NAMES == PAPERS
    formats = {name: each.suffix for name, each in FORMATS.items()}
    assert formats == known_names.REPORT_SUFFIXES
    assert tuple(PRIVACY_PRESETS) == known_names.AUDIENCES
    monkeypatch.delenv("TSNMF_STUDIO_HOME", raising=False)
    for home in (None, tmp_path):
        assert early_checks.database_path(home) == home_path(home) / DATABASE
    monkeypatch.setenv("TSNMF_STUDIO_HOME", str(tmp_path / "mine"))
    assert early_checks.database_path(None) == home_path() / DATABASE


def test_what_is_told_before_the_engine_is_what_the_engine_would_tell(home, capsys, monkeypatch):
    arguments = ["refit", "nobody", "--home", str(home)]
    assert cli.main(arguments) == 1
    monkeypatch.setattr(early_checks, "CHECKS", {})
    assert cli.main(arguments) == 1
    early, late = capsys.readouterr().err.splitlines()
    assert early == late


def test_names_in_a_file_cannot_steer_the_terminal(home, tmp_path, capsys):
    table = tmp_path / "strange.csv"
    table.write_text("id,text,\x1b[2Jq\n1,a pipe leaks,x\n2,music at night,y\n", "utf-8")
    added = ["add", str(table), "--project", "1", "--home", str(home)]
    cli.main(added)
    assert cli.main(["add", str(tmp_path / "\x1b[31m.csv"), *added[2:]]) == 2
    said = "".join(capsys.readouterr())
    assert "\ufffd[2Jq" in said
    assert "\ufffd[31m.csv" in said
    assert "\x1b" not in said


def test_json_holds_what_a_terminal_would_obey_as_escapes():
    name = "\x1b[2J \x9b \u202e \udc80 ä"
    assert terminal_json([name]) == '[\n  "\\u001b[2J \\u009b \\u202e \\udc80 ä"\n]'
    assert json.loads(terminal_json([name])) == [name]


def test_a_closed_pipe_ends_in_a_sentence():
    """The reader leaves before anything is written."""
    program = [sys.executable, "-c", "import sys; sys.stdin.read(1); from tsnmf_ui import cli; "]
    program[-1] += "sys.exit(cli.main(['completion', 'bash']))"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, **pipes) as process:
        process.stdout.close()
        process.stdin.write(b"x")
        process.stdin.close()
        said = process.stderr.read().decode()
    assert process.returncode == 1
    assert said == "tsnmf-studio: The output was closed before everything was written.\n"


def test_every_command_can_be_completed(capsys):
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
    assert done.returncode == 0
    check = f"{script}\nCOMP_WORDS=(tsnmf-studio fit --se); COMP_CWORD=2; _tsnmf_studio\n"
    check += 'echo "${COMPREPLY[@]}"'
    found = subprocess.run(["bash"], input=check, capture_output=True, text=True).stdout
    assert set(found.split()) == {"--seed", "--separator", "--set"}
    for shell in ("fish", "zsh"):
        assert cli.main(["completion", shell]) == 0
        assert "predict" in capsys.readouterr().out


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert cli.main(["version"]) == 0
    one, two = capsys.readouterr().out.split()
    assert one == two
    assert one.count(".") >= 2


def test_demo_makes_the_demo_project_once(tmp_path, capsys):
    for _ in range(2):
        assert cli.main(["demo", "--no-run", "--home", str(tmp_path)]) == 0
    with Store.open(home=tmp_path) as store:
        assert len(store.projects()) == 1


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


def test_texts_are_added_after_they_were_told(home, tmp_path, capsys):
    more = tmp_path / "june.csv"
    more.write_text("id,body,district\nd0,the pipe leaks again,North\nn1,a loud party,South\n")
    given = ["add", str(more), "--project", "Desk", "--home", str(home), "--quiet"]
    assert cli.main(given) == 0
    told = capsys.readouterr().out
    assert "New texts: 1." in told
    assert told.endswith("Nothing was changed. Add --do to add the texts.\n")
    assert cli.main([*given, "--existing", "update", "--do", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["done"], said["added"], said["updated"], said["project"]["texts"]) == (
        *(True, 1, 1),
        31,
    )
    with Workspace.open(home=home) as workspace:
        assert workspace.topics("Desk").doc_ids[-1] == "n1"
        assert len(workspace.store.runs(1)) == 1
    more.write_text("number,words\n1,one\n")
    assert cli.main([*given, "--text", "body"]) == 1
    assert "june.csv: there is no column “body”" in capsys.readouterr().err


def test_the_codebook_goes_out_and_in_after_a_dry_run(home, tmp_path, capsys):
    book, where = tmp_path / "book.json", ["--project", "Desk", "--home", str(home)]
    assert cli.main(["codebook", "export", "--out", str(book), *where]) == 0
    assert json.loads(book.read_text())[0]["topic"] == "Water"
    book.write_text('[{"topic": "Water", "definition": "Pipes"}, {"topic": "Roads"}]')
    assert cli.main(["codebook", "import", str(book), *where]) == 0
    assert "“Water”: definition." in capsys.readouterr().out
    given = ["codebook", "import", str(book), "--create", "--do", "--json", *where]
    assert cli.main(given) == 0
    assert json.loads(capsys.readouterr().out)["new"] == ["Roads"]
    with Store.open(home=home) as store:
        assert store.codebook(1)[1].definition == "Pipes"
        assert store.topics(1)[-1].name == "Roads"


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
