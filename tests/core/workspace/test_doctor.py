"""The installation is checked package by package, and what is wrong is named."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Any

import pytest

from core.store import Store
from core.store.maintenance.findings import Finding
from core.workspace import installation
from core.workspace.doctor import examine
from core.workspace.installation import check_installation, requirements, satisfies


def found() -> dict[str, Finding]:
    return {each.check: each for each in check_installation()}


def test_this_installation_works() -> None:
    checks = found()
    assert {each.level for each in checks.values()} == {"ok"}
    assert list(checks) == ["Python", "Packages", "Compiled code", "Meaning", "Browser"]
    assert f"numpy {importlib.metadata.version('numpy')}" in checks["Packages"].sentence


def test_everything_is_examined(tmp_path: Path) -> None:
    Store.open(home=tmp_path).close()
    checks = [each.check for each in examine(tmp_path)]
    assert checks[:5] == list(found())
    assert checks[5:] == [
        *("Store", "Space", "Permissions", "Database", "Version", "References", "Log", "Files"),
    ]


def test_requirements_are_those_without_extras() -> None:
    needed = requirements()
    assert "numpy" in needed
    assert needed["streamlit"].count(",") == 1
    assert not {"pytest", "wordllama", "pdoc"} & set(needed)


@pytest.mark.parametrize(
    ("version", "bounds", "answer"),
    [
        ("2.0.30", ">=2.0.30", True),
        ("2.0.9", ">=2.0.30", False),
        ("2.1", ">=2.0.30", True),
        ("1.67.0", ">=1.67,<1.68", True),
        ("1.68.0", "<1.68,>=1.67", False),
        ("4.0.0rc1", ">=4", True),
        ("3", "", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, bounds: str, answer: bool) -> None:
    assert satisfies(version, bounds) is answer


@pytest.mark.parametrize(
    ("needed", "sentence"),
    [
        ({"nowhere-to-be-found": ""}, "nowhere-to-be-found is missing."),
        ({"numpy": ">=99"}, "but the Studio needs >=99."),
    ],
)
def test_a_package_that_is_missing_or_old_is_named(
    monkeypatch: pytest.MonkeyPatch, needed: dict[str, str], sentence: str
) -> None:
    monkeypatch.setattr(installation, "requirements", lambda: needed)
    packages = found()["Packages"]
    assert packages.level == "problem"
    assert packages.sentence.endswith(sentence)
    assert "pip install" in packages.advice


def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, *_: Any) -> Any:
        raise OSError(f"{name}: wrong ELF class")

    monkeypatch.setattr(installation.importlib, "import_module", broken)
    checks = found()
    assert "cannot be imported (" in checks["Packages"].sentence
    assert checks["Compiled code"].level == "problem"
    assert "wrong ELF class" in checks["Compiled code"].sentence


def test_an_older_python_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.platform, "python_version", lambda: "3.9.1")
    python = found()["Python"]
    assert (python.level, python.sentence) == ("problem", "Python 3.9.1.")
    assert python.advice == "The Studio needs Python >=3.11."


def test_what_is_optional_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "wordllama_installed", lambda: False)
    monkeypatch.setattr(installation.shutil, "which", lambda name: None)
    checks = found()
    assert checks["Meaning"].level == checks["Browser"].level == "ok"
    assert "optional" in checks["Meaning"].sentence
    assert "any recent browser" in checks["Browser"].sentence
