"""``doctor``, ``backup`` and ``restore`` on the command line: lines, exit codes, one sentence."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from core.store.maintenance.backup_format import MANIFEST
from tests.core.store.maintenance.small_store import change, fill
from tsnmf_ui import cli


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill(tmp_path / "home")
    return tmp_path / "home"


def test_doctor_prints_a_line_for_each_check(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["doctor", "--home", str(home)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == {"ok"}
    assert lines[0].startswith("ok       Python: Python 3.")
    assert len(lines) == 13


def test_a_problem_is_told_with_what_to_do_and_the_exit_code(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(home, "UPDATE projects SET n_labelled = 5 WHERE id = 1")
    (home / "factors/1/9.npz").touch()
    assert cli.main(["doctor", "--json", "--home", str(home)]) == 1
    found = {each["check"]: each for each in json.loads(capsys.readouterr().out)}
    assert found["Log"]["level"] == "problem"
    assert found["Log"]["advice"].startswith("Export the project")
    assert found["Files"]["level"] == "warning"


def test_a_warning_alone_is_no_failure(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "factors/1/9.npz").touch()
    assert cli.main(["doctor", "--home", str(home)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("warning  Files: 1 file belongs to no run or project: factors/1/9.npz.")


def test_a_backup_goes_out_and_comes_back(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, new = str(tmp_path / "monday.zip"), str(tmp_path / "new")
    assert cli.main(["backup", file, "--home", str(home)]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: 11 files, ")
    assert cli.main(["restore", file, "--home", new]) == 0
    assert capsys.readouterr().out.startswith("Restored 2 projects, as of 20")
    assert cli.main(["restore", file, "--home", new, "--force"]) == 0
    before = capsys.readouterr().out.splitlines()[1]
    assert before.startswith(f"What was there before is now in {new}-before-restore-")
    assert cli.main(["doctor", "--home", new]) == 0


def test_a_damaged_file_that_was_left_out_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "factors/1/2.npz").write_bytes(b"PK")
    assert cli.main(["backup", str(tmp_path / "monday.zip"), "--home", str(home)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Left out, because it is damaged: factors/1/2.npz."


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["backup", "{home}/factors/1/2.npz"], "is there already. Add --force to replace it."),
        (["backup", "{home}/studio.db", "--force"], "holds the projects; name another file."),
        (["report", "1", "--format", "json", "--out", "{home}/studio.db"], "holds the projects"),
        (["backup", "{home}/new.zip", "--home", "{home}/nowhere"], "There is no folder"),
        (["restore", "{home}/studio.db"], "This file is not a backup of the Studio"),
        (["restore", "{home}/nowhere.zip"], "There is no file"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], command: list[str], sentence: str
) -> None:
    words = [word.format(home=home) for word in command]
    assert cli.main(words if "--home" in words else [*words, "--home", str(home)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert len(printed.err.splitlines()) == 1


def test_what_a_terminal_would_obey_is_only_shown(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "strange.zip"
    assert cli.main(["backup", str(file), "--home", str(home)]) == 0
    _change_manifest(file, made="\x1b]0;owned\x07\x9b2J\u202eyadseut")
    capsys.readouterr()
    assert cli.main(["restore", str(file), "--home", str(tmp_path / "new")]) == 0
    assert capsys.readouterr().out == (
        "Restored 2 projects, as of \ufffd]0;owned\ufffd\ufffd2J\ufffdyadseut.\n"
    )


def _change_manifest(file: Path, **values: str) -> None:
    with zipfile.ZipFile(file) as bundle:
        members = {each: bundle.read(each) for each in bundle.namelist()}
    members[MANIFEST] = json.dumps({**json.loads(members[MANIFEST]), **values}).encode()
    with zipfile.ZipFile(file, "w") as bundle:
        for name, content in members.items():
            bundle.writestr(name, content)
