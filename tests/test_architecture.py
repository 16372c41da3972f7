"""Which way imports point, what a package lets others import, and the shape of the tree."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).resolve().parent.parent

# From the bottom up: a module imports only its own layer and those above it in this list.
LAYERS = (
    "core.errors",
    "core.values",
    "core.corpus",
    "core.loading",
    "core.text",
    "core.matrix",
    "core.supervision",
    "core.evaluation.metrics",  # numbers from arrays; everybody may count with them
    "core.engine",
    "core.guide",
    "core.models",
    "core.spec",
    "core.fitted",
    "core.topics",
    "core.fitting",
    "core.cluster",
    "core.insight",
    "core.evaluation",
    "core.store",
    "core.queue",
    "core.search",
    "core.steering",
    "core.report",
    "core.papers",
    "core.workspace",
    "tsnmf_ui.theme",
    "tsnmf_ui.javascript",
    "tsnmf_ui.figures",
    "tsnmf_ui.jobs",
    "tsnmf_ui.label",
    "tsnmf_ui.server",
    "tsnmf_ui.pages",
    "tsnmf_ui.cli",
)
RANK = {layer: rank for rank, layer in enumerate(LAYERS)}

BANNED = {
    "core": {"streamlit", "plotly", "starlette", "tsnmf_ui", "app", "gensim"},
    "core/engine/kernels": {"sklearn"},
    "tsnmf_ui/figures": {"streamlit", "scipy", "sklearn"},
    "tsnmf_ui/pages": {"numpy", "scipy", "sklearn", "core.models", "core.engine.kernels"},
    "tsnmf_ui/jobs": {"streamlit", "plotly", "starlette"},
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

NOUNS = {"errors", "corpus", "matrix", "supervision", "spec", "topics", "fitting"}


def sources(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix else sorted(path.rglob("*.py"))


EVERY_SOURCE = [*sources("core"), *sources("tsnmf_ui")]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in EVERY_SOURCE}
PACKAGES = {name for name, path in MODULES.items() if path.name == "__init__.py"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """Every dotted prefix a file imports: core.models.tsnmf gives three names."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {".".join(n.split(".")[: i + 1]) for n in names for i in range(n.count(".") + 1)}


def imported_modules(path: Path) -> set[str]:
    """The project's own modules that a file imports, each once, without their parents."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in MODULES else str(node.module))
    return found


def layer_of(module: str) -> str:
    """The longest entry of LAYERS that a module lies in; the package itself if there is none."""
    fitting = [layer for layer in LAYERS if f"{module}.".startswith(f"{layer}.")]
    return max(fitting, key=len, default=module)


@cache
def public_names(package: str) -> frozenset[str]:
    """What a package lists in ``__all__``."""
    for node in tree_of(MODULES[package]).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return frozenset(ast.literal_eval(node.value))
    raise AssertionError(f"{package} has no __all__.")


def offenders(
    rule: Callable[[Path], Collection[str]], paths: Iterable[Path] = EVERY_SOURCE
) -> dict[str, list[str]]:
    """What a rule finds wrong, module by module. One test for a rule over all modules: a test
    for each of them would take minutes to collect."""
    found = {module_of(path): sorted(rule(path)) for path in paths}
    return {module: names for module, names in found.items() if names}


@pytest.mark.parametrize("place", BANNED)
def test_some_packages_never_import_some_others(place):
    assert offenders(lambda path: imported(path) & BANNED[place], sources(place)) == {}


def imported_from_above(path: Path) -> set[str]:
    rank = RANK.get(layer_of(module_of(path)), len(RANK))  # the packages themselves see all
    return {module for module in imported_modules(path) if RANK.get(layer_of(module), -1) > rank}


def test_imports_point_one_way():
    assert offenders(imported_from_above) == {}
    outside = {module for module in MODULES if layer_of(module) not in RANK}
    assert outside == {"core", "tsnmf_ui"}


def reaching_past_packages(path: Path) -> set[str]:
    here = ".".join(module_of(path).split(".")[:2])
    others = [m.split(".") for m in imported_modules(path) if ".".join(m.split(".")[:2]) != here]
    return {
        ".".join(parts)
        for parts in others
        for i in range(2, len(parts))
        if parts[i] not in public_names(".".join(parts[:i]))
    }


def test_packages_are_used_through_their_public_names():
    """From another package, every step of a dotted import is listed in its parent's __all__."""
    assert offenders(reaching_past_packages) == {}


def open_to_neighbours(package: str) -> frozenset[str]:
    """What a sub-package lets the package around it import besides ``__all__``: its docstring
    names these modules as code."""
    text = ast.get_docstring(tree_of(MODULES[package])) or ""
    return frozenset(re.findall(r"``(\w+)``", text))


def reaching_past_sub_packages(path: Path) -> set[str]:
    here = module_of(path)
    around = ".".join(here.split(".")[:2])
    found: set[str] = set()
    for module in imported_modules(path):
        parts = module.split(".")
        if ".".join(parts[:2]) != around:
            continue  # held by the test above
        for i in range(3, len(parts)):
            package = ".".join(parts[:i])
            if not f"{here}.".startswith(f"{package}."):
                named = public_names(package) | open_to_neighbours(package)
                found |= {module} if parts[i] not in named else set()
    return found


def test_sub_packages_are_used_through_the_modules_they_name():
    """Within a package, too, nobody reaches past what a sub-package lists or names."""
    assert offenders(reaching_past_sub_packages) == {}


def private_imports(path: Path) -> set[str]:
    return {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for alias in node.names
        if alias.name.startswith("_")
    }


def test_nobody_imports_private_names_of_another_module():
    assert offenders(private_imports) == {}


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_every_package_says_what_is_inside_and_what_may_be_imported(package):
    assert ast.get_docstring(tree_of(MODULES[package]))
    if package != "tsnmf_ui":
        module = importlib.import_module(package)
        for name in public_names(package):
            assert hasattr(module, name) or f"{package}.{name}" in MODULES, name


def test_every_layer_exists_and_every_package_has_a_layer():
    assert set(LAYERS) <= set(MODULES)
    inside = {".".join(name.split(".")[:2]) for name in MODULES if "." in name}
    assert {name for name in inside if name not in RANK} == set()


def test_only_nouns_lie_loose_at_the_top_of_core():
    loose = {path.stem for path in (ROOT / "core").glob("*.py")} - {"__init__"}
    assert loose == NOUNS
    assert {path.stem for path in (ROOT / "tsnmf_ui").glob("*.py")} == {"__init__"}


def other_models(path: Path) -> set[str]:
    return {name for name in imported(path) if name.startswith("core.models.")}


def test_models_never_import_one_another():
    models = [path for path in sources("core/models") if path.name != "__init__.py"]
    assert offenders(other_models, models) == {}


def session_state_uses(path: Path) -> set[str]:
    names = {node.attr for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    return names & {"session_state"}


def test_only_state_touches_the_session_state():
    others = [path for path in sources("tsnmf_ui") if path.name != "state.py"]
    assert offenders(session_state_uses, others) == {}


UNPICKLERS = {"pickle", "joblib", "dill", "cloudpickle", "shelve", "marshal"}
BANNED_TEXTS = {"time.sleep", "unsafe_allow_html=True"}


def unsafe_uses(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    return imported(path) & UNPICKLERS | {banned for banned in BANNED_TEXTS if banned in text}


def test_nothing_is_unpickled_and_nothing_sleeps():
    assert offenders(unsafe_uses) == {}


def test_there_is_no_drawer_for_odds_and_ends():
    names = {path.stem for path in EVERY_SOURCE}
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


# Words that say nothing about the value: a constant is read far from the line that defines it.
VAGUE_CONSTANTS = {
    "AHEAD", "ALIKE", "ALSO", "BAND", "BEHIND", "DEAR", "ENOUGH", "EVEN", "FAINT", "FEW", "FIRST",
    "FREE", "KEPT", "LARGEST", "LATE", "LATER", "LEAST", "LITTLE", "LONGEST", "MANY", "MILD",
    "MORE", "MOST", "NEAR", "PATIENCE", "PLAIN", "SAMPLE", "SETTLED", "SEVERAL", "SHARED", "SOME",
    "SPARE", "STEP", "STRIDE", "SURE", "TALL", "TINY", "WORDS",
}  # fmt: skip


# Names that need a riddle solved: the value has a plain name, which is the one to use.
RIDDLES = {
    "collecting", "debt", "debts", "fared", "foreseen", "foresight", "heard", "lent", "luck",
    "matter", "namesake", "namesakes", "owe", "owes", "patiently", "pouring", "prospect",
    "prospects", "purse", "restanding", "said", "silencing", "telling", "told", "tolds", "torn",
}  # fmt: skip
WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def identifiers(path: Path) -> set[str]:
    """Every name a file binds or uses: variables, arguments, attributes, functions, classes."""
    found = {path.stem}
    for node in ast.walk(tree_of(path)):
        for field in ("id", "arg", "attr", "name", "asname"):
            value = getattr(node, field, None)
            found |= {value} if isinstance(value, str) else set()
    return found


def riddles_of(path: Path) -> set[str]:
    words = {name: set(WORD_OF_NAME.findall(name)) for name in identifiers(path)}
    riddles = {name for name, parts in words.items() if {part.lower() for part in parts} & RIDDLES}
    return riddles | {name for name in words if re.fullmatch(r"_?Kept([A-Z]\w*)?", name)}


def test_names_are_no_riddles():
    assert offenders(riddles_of) == {}


def module_constants(path: Path) -> set[str]:
    found: set[str] = set()
    for node in tree_of(path).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        names = [each for target in targets for each in ast.walk(target)]
        found |= {each.id for each in names if isinstance(each, ast.Name) and each.id.isupper()}
    return found


def test_constants_say_what_they_mean():
    assert offenders(lambda path: module_constants(path) & VAGUE_CONSTANTS) == {}


# The same wherever they stand: a module's style sheet, its logger, its paper, a type variable.
SHARED_CONSTANTS = {"CSS", "LOGGER", "PAPER", "T"}


def test_a_constant_of_one_word_has_one_meaning():
    """A name of a single word that two modules define is two things to whoever searches for it."""
    places: dict[str, list[str]] = {}
    for path in EVERY_SOURCE:
        for name in module_constants(path) - SHARED_CONSTANTS:
            if "_" not in name:
                places.setdefault(name, []).append(module_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_public_class_name_is_used_twice():
    places: dict[str, list[str]] = {}
    for path in EVERY_SOURCE:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


# Packages whose name on the index differs from the name that is imported.
INDEX_NAMES = {
    "PIL": "pillow",
    "docx": "python-docx",
    "pptx": "python-pptx",
    "python_calamine": "python-calamine",
    "sklearn": "scikit-learn",
}


def test_run_time_dependencies_are_those_that_are_imported():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    tops = {name.partition(".")[0] for path in EVERY_SOURCE for name in imported(path)}
    own = {"app", "core", "tsnmf_ui", *sys.stdlib_module_names}
    needed = {INDEX_NAMES.get(name, name).lower() for name in tops - own}
    assert {re.split(r"[<>=]", each)[0].lower() for each in declared} == needed
