"""``doctor``, ``backup`` and ``restore`` on the command line: lines, exit codes, one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
