"""Link ES modules into one, when a component is registered: there is no build step.

Streamlit hands a component's script to the browser as text without an address, and a module
without an address cannot import its neighbours. So ``link`` follows the declared imports from an
entry module and writes all modules into one text, each in a function of its own, those that are
imported before those that import them. What one module does not export, no other one sees.

The files stay plain ES modules, which node and the type checker read as they are. Only a part of
the syntax is supported, and whatever else is found is refused by name: see ``LinkError``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_NAME = r"[A-Za-z_$][\w$]*"
_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.{1,2}/[\w./-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(
    rf"^export (?=(?:async function|function|class|const) ({_NAME})\b)", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default (?=function\b|class\b)", re.MULTILINE)
_STATEMENT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_DYNAMIC = re.compile(r"^(?!\s*(?:\*|//)).*\bimport\s*[.(].*$", re.MULTILINE)


class LinkError(Exception):
    """A module that cannot be linked: which one, and why."""


@dataclass(frozen=True, slots=True)
class Module:
    """One file: what it imports from where, what it exports, and the rest of its text."""

    path: Path
    imports: dict[Path, tuple[str, ...]]
    exports: tuple[str, ...]
    has_default: bool
    body: str


def link(entry: Path) -> str:
    """The text of one module that does what ``entry`` and all it imports do."""
    modules = _in_order(entry.resolve())
    names = {path: f"$module{i}" for i, path in enumerate(modules)}
    *imported, last = modules.values()
    for module in modules.values():
        _check_names(module, modules)
    parts = [_as_function(module, names) for module in imported]
    return "\n".join([*parts, _imports(last, names) + last.body])


def _in_order(entry: Path) -> dict[Path, Module]:
    """Every module that is needed, after those that it imports itself."""
    done: dict[Path, Module] = {}

    def visit(path: Path, importers: tuple[Path, ...]) -> None:
        if path in importers:
            circle = [*importers[importers.index(path) :], path]
            raise LinkError("Circular import: " + " -> ".join(each.name for each in circle))
        if path in done:
            return
        module = _read(path, importers[-1] if importers else None)
        for imported in module.imports:
            visit(imported, (*importers, path))
        done[path] = module

    visit(entry, ())
    if not done[entry].has_default:
        raise LinkError(f"{entry.name} is the entry and has no default export")
    return done


def _read(path: Path, importer: Path | None) -> Module:
    if not path.is_file() and importer:
        raise LinkError(f"{importer.name} imports {path}, which is not there")
    if not path.is_file():
        raise LinkError(f"There is no entry {path}")
    text = path.read_text(encoding="utf-8")
    imports: dict[Path, tuple[str, ...]] = {}
    for names, target in _IMPORT.findall(text):
        source = (path.parent / target).resolve()
        if source in imports:
            raise LinkError(f"{path.name} imports {target} twice")
        imports[source] = _names(path, names)
    has_default = _DEFAULT.search(text) is not None
    if has_default and importer:
        raise LinkError(f"{path.name} has a default export, which only an entry may have")
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    _refuse_other_syntax(path, _DEFAULT.sub("", body))
    return Module(path, imports, tuple(_EXPORT.findall(text)), has_default, body)


def _names(path: Path, listed: str) -> tuple[str, ...]:
    names = tuple(name for each in listed.split(",") if (name := each.strip()))
    for name in names:
        if not re.fullmatch(_NAME, name):
            raise LinkError(f"{path.name} imports “{name}”: only plain names are supported")
    return names


def _refuse_other_syntax(path: Path, rest: str) -> None:
    """What looks like an import or export and was not understood must not reach the browser."""
    for pattern in (_STATEMENT, _DYNAMIC):
        if found := pattern.search(rest):
            raise LinkError(f"{path.name}: not supported: {found.group().strip()}")


def _check_names(module: Module, modules: dict[Path, Module]) -> None:
    declared = list(module.exports)
    for source, names in module.imports.items():
        declared += names
        for name in names:
            if name not in modules[source].exports:
                raise LinkError(f"{module.path.name} imports {name}, which {source.name} has not")
    if twice := {name for name in declared if declared.count(name) > 1}:
        raise LinkError(f"{module.path.name} has two of {', '.join(sorted(twice))}")


def _as_function(module: Module, names: dict[Path, str]) -> str:
    exports = ", ".join(module.exports)
    return (
        f"const {names[module.path]} = (() => {{ // {module.path.name}\n"
        f"{_imports(module, names)}{module.body}\nreturn {{ {exports} }};\n}})();"
    )


def _imports(module: Module, names: dict[Path, str]) -> str:
    return "".join(
        f"const {{ {', '.join(imported)} }} = {names[source]};\n"
        for source, imported in module.imports.items()
    )
