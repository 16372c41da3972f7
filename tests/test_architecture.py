"""Rules that are not tests decay: which way imports point, and which names are public."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).resolve().parent.parent

BANNED = {
    "core": {"streamlit", "plotly", "starlette", "tsnmf_ui", "app", "gensim"},
    "core/models": {f"core.{name}" for name in ("store", "report", "summaries", "fitting")},
    "core/kernels": {"core.store", "core.report", "core.fitting", "sklearn"},
    "core/metrics": {"core.store", "core.report", "core.models", "core.kernels"},
    "core/store": {"core.models", "core.kernels", "core.report"},
    "tsnmf_ui/figures": {"streamlit", "scipy", "sklearn", "core.models", "core.store"},
    "tsnmf_ui/pages": {"numpy", "scipy", "sklearn", "core.models", "core.kernels"},
    "tsnmf_ui/widgets": {"numpy", "scipy", "sklearn", "core.models", "core.kernels"},
    "tsnmf_ui/worker.py": {"streamlit", "plotly", "starlette"},
}

TOP = {
    "pyproject.toml",
    "app.py",
    "tsnmf_ui",
    "core",
    "tests",
    "assets",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
}

PUBLIC = {
    "MODELS",
    "Corpus",
    "DocumentTermMatrix",
    "ModelSpec",
    "Supervision",
    "TextSettings",
    "Topics",
    "build_matrix",
    "errors",
    "fit",
    "metrics",
    "operations",
    "queue",
    "read_corpus",
    "report",
    "store",
    "summaries",
}


def sources(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix else sorted(path.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every dotted prefix a file imports: core.models.tsnmf gives three names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {".".join(n.split(".")[: i + 1]) for n in names for i in range(n.count(".") + 1)}


CASES = [(place, path) for place in BANNED for path in sources(place)]


@pytest.mark.parametrize(("place", "path"), CASES, ids=[f"{p}:{path.name}" for p, path in CASES])
def test_imports_point_one_way(place, path):
    assert not imported(path) & BANNED[place]


@pytest.mark.parametrize("path", sources("core/models"), ids=lambda path: path.name)
def test_models_never_import_one_another(path):
    if path.name == "__init__.py":
        return
    others = {name for name in imported(path) if name.startswith("core.models.")}
    assert not others


@pytest.mark.parametrize("path", sources("tsnmf_ui"), ids=lambda path: path.name)
def test_only_state_touches_the_session_state(path):
    if path.name == "state.py":
        return
    names = [
        node.attr
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    ]
    assert "session_state" not in names


@pytest.mark.parametrize(
    "path", [*sources("core"), *sources("tsnmf_ui")], ids=lambda path: path.name
)
def test_nothing_is_unpickled_and_nothing_sleeps(path):
    names = imported(path)
    assert not names & {"pickle", "joblib", "dill", "cloudpickle", "shelve", "marshal"}
    assert "time.sleep" not in path.read_text("utf-8")
    assert "unsafe_allow_html=True" not in path.read_text("utf-8")


def test_there_is_no_drawer_for_odds_and_ends():
    names = {path.stem for path in [*sources("core"), *sources("tsnmf_ui")]}
    assert not names & {"utils", "helpers", "common", "manager", "misc"}


def test_public_names_are_there_and_sorted():
    assert set(core.__all__) >= PUBLIC
    assert list(core.__all__) == sorted(core.__all__)
    for name in core.__all__:
        assert hasattr(core, name)


@pytest.mark.parametrize(
    "name", ["errors", "metrics", "operations", "queue", "report", "store", "summaries"]
)
def test_public_modules_can_be_imported(name):
    assert importlib.import_module(f"core.{name}").__doc__


def test_the_top_level_is_fixed():
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith((".", "__"))}
    leavings = {name for name in visible if name.endswith(".egg-info")} | {"build", "dist"}
    assert visible - leavings == TOP
