"""Every code block of the README and the other documents runs, and every link leads somewhere."""

from __future__ import annotations

import csv
import doctest
import importlib
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.loading import read_demo
from core.store import Store
from core.store.projects.demo import create_demo
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits.inputs import supervision_of
from tsnmf_ui import cli
from tsnmf_ui.cli.main import parser

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "core/**/*.md", "tsnmf_ui/**/*.md", "tests/**/*.md", "assets/**/*.md")
    for path in ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
PATH = re.compile(r"`((?:core|tsnmf_ui|tests|assets)/[\w/.-]+)`")


def blocks(document: Path, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def documents_with(language: str) -> list[Path]:
    return [document for document in DOCUMENTS if blocks(document, language)]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a file of tickets, as a reader of the README would have one."""
    with (tmp_path / "tickets.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["body", "topic"])
        rows.writerows((each.text, each.labels[0]) for each in read_demo() if each.labels)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TSNMF_STUDIO_HOME", str(tmp_path / "home"))
    return tmp_path


def data_for_models() -> dict[str, Any]:
    """The names that the models' pages leave to the reader: counts and labels of three groups."""
    rng = np.random.default_rng(0)
    groups = ["hockey", "baseball", "space"] * 12
    rates = np.repeat(np.eye(3) * 6 + 0.2, 5, axis=1)
    counts = rng.poisson([rates[k % 3] for k in range(len(groups))]).astype(float)
    labels = [[name] if k < 24 else [] for k, name in enumerate(groups)]
    return {
        "X": counts,
        "X_new": counts[:5],
        "counts": counts,
        "new_counts": counts[:5],
        "labels": labels,
    }


@pytest.mark.parametrize("document", documents_with("python"), ids=str)
def test_every_python_block_runs(document, folder):
    names = data_for_models()
    for block in blocks(document, "python"):
        exec(compile(block, str(document), "exec"), names)


@pytest.mark.parametrize("document", documents_with("toml"), ids=str)
def test_every_toml_block_can_be_read(document):
    for block in blocks(document, "toml"):
        assert tomllib.loads(block)


def shell_lines() -> Iterator[tuple[Path, str]]:
    for document in documents_with("bash"):
        for block in blocks(document, "bash"):
            yield from ((document, line) for line in block.splitlines() if line.strip())


@pytest.mark.parametrize(("document", "line"), list(shell_lines()))
def test_every_command_exists(document, line):
    words = [word for word in shlex.split(line, comments=True) if "=" not in word or "[" in word]
    if words[:1] == ["tsnmf-studio"]:
        parser().parse_args(words[1:])
    elif words[:2] == ["python", "-m"] and words[2].startswith("tests."):
        assert (ROOT / words[2].replace(".", "/")).with_suffix(".py").is_file()
    else:
        assert words[0] in {"pip", "pdoc", "python", "python3", "npm", "node", "sqlite3", "py-spy"}


def test_the_command_line_of_the_readme_writes_a_report(folder):
    command = re.search(r"`tsnmf-studio (fit [^`]*)`", (ROOT / "README.md").read_text("utf-8"))
    assert command
    assert cli.main(shlex.split(command.group(1))) == 0
    assert len(os.listdir(folder / "results")) == 2


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(document):
    here = (ROOT / document).parent
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in LINK.findall(CODE.sub("", text)):
        assert "://" in target or (here / target).exists(), target
    if document.name != "CHANGELOG.md":  # which tells of places as they were
        for path in PATH.findall(text):
            assert (ROOT / path).exists(), path


FILE = re.compile(r"`([\w/.-]+\.(?:py|js|css))`")
NAME_IN_FILE = re.compile(r"`([\w/.-]+\.py)`, `([\w.]+)`")
PACKAGE_PAGES = [Path("core/README.md"), Path("tsnmf_ui/README.md")]


def files_called(name: str) -> list[Path]:
    """The files that a page means by a path, or by the end of one."""
    found = (ROOT / package for package in ("core", "tsnmf_ui", "tests"))
    everything = [path for package in found for path in package.rglob(Path(name).name)]
    return [path for path in everything if f"/{path.relative_to(ROOT)}".endswith(f"/{name}")]


@pytest.mark.parametrize("document", PACKAGE_PAGES, ids=str)
def test_every_file_and_function_that_is_named_is_there(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for name in FILE.findall(text):
        assert files_called(name), name
    named = NAME_IN_FILE.findall(text)
    for file, function in named:
        code = "".join(path.read_text(encoding="utf-8") for path in files_called(file))
        assert re.search(rf"(def|class) {function.rpartition('.')[2]}\b", code), (file, function)
    assert len(named) >= 6 or document.parts[0] != "core"  # the questions, each with its answer


def test_the_readme_is_read_in_five_minutes():
    prose = BLOCK.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(re.findall(r"[\w’'-]{2,}", LINK.sub("]", prose))) < 1_000


def modules_with_examples() -> list[str]:
    found = [
        path.relative_to(ROOT).with_suffix("")
        for package in ("core", "tsnmf_ui")
        for path in sorted((ROOT / package).rglob("*.py"))
        if ">>>" in path.read_text(encoding="utf-8")
    ]
    return [".".join(path.parts).removesuffix(".__init__") for path in found]


@pytest.mark.parametrize("name", modules_with_examples())
def test_every_example_in_a_docstring_runs(name, folder):
    with Store.open(home=folder / "home") as store:
        project = create_demo(store)
        matrix = matrix_of(store, project)
        topics, annotations = store.topics(project.id), store.annotations(project.id)
        names = {
            "store": store,
            "project": project.id,
            "matrix": matrix,
            "supervision": supervision_of(project.n_docs, topics, annotations),
            "truth": None,
            "ModelSpec": core.ModelSpec,
            "read_corpus": core.read_corpus,
        }
        module = importlib.import_module(name)
        result = doctest.testmod(module, extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


@pytest.mark.filterwarnings("ignore:Error parsing type annotation")
def test_the_reference_has_a_page_for_every_public_module(tmp_path):
    pdoc = pytest.importorskip("pdoc")
    [command] = [line for _, line in shell_lines() if line.startswith("pdoc ")]
    modules = shlex.split(command)[3:]
    pdoc.pdoc(*modules, output_directory=tmp_path)
    for name in modules:
        assert (tmp_path / f"{name.replace('.', '/')}.html").is_file()
    page = (tmp_path / "core.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in page for name in core.__all__ if name[0].isupper())
