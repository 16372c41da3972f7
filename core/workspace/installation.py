"""Whether everything the Studio needs is installed and works on this machine."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import platform
import re
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from core.engine import kernels
from core.store.maintenance.findings import Finding, ok, problem, warning
from core.text.encoders import INSTALL_COMMAND, wordllama_installed

STUDIO_PACKAGE = "tsnmf-studio"
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("firefox", "msedge", "microsoft-edge", "safari"),
)
REINSTALL = 'Install the Studio again: pip install --force-reinstall "tsnmf-studio".'
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)")
_BOUND = re.compile(r"(>=|<=|==|<|>)\s*([\d.]+)")


def check_installation() -> Iterator[Finding]:
    """Python, packages, compiled code; what is optional is told as information."""
    yield _python()
    yield _packages()
    yield _compiled_code()
    yield _meaning()
    yield _browser()


def _python() -> Finding:
    sentence = f"Python {platform.python_version()}."
    wanted = _requires_python()
    if satisfies(platform.python_version(), wanted):
        return ok("Python", sentence)
    return problem("Python", sentence, f"The Studio needs Python {wanted}.")


def _requires_python() -> str:
    try:
        return importlib.metadata.metadata(STUDIO_PACKAGE)["Requires-Python"] or ""
    except (importlib.metadata.PackageNotFoundError, KeyError):
        return ""


def _packages() -> Finding:
    try:
        needed = requirements()
    except importlib.metadata.PackageNotFoundError:
        sentence = "The Studio is not installed, so its packages are not known."
        return warning("Packages", sentence, "Install it: pip install .")
    faults = [fault for name, bound in needed.items() if (fault := _fault(name, bound))]
    if faults:
        return problem("Packages", f"{'; '.join(faults)}.", REINSTALL)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in needed)
    return ok("Packages", f"{versions}.")


def requirements() -> dict[str, str]:
    """The packages the Studio needs and the versions it takes; extras are left out."""
    given = importlib.metadata.requires(STUDIO_PACKAGE) or []
    found = (_REQUIREMENT.match(each) for each in given if "extra ==" not in each)
    return {each[1]: each[2].strip() for each in found if each}


def _fault(name: str, bound: str) -> str:
    """Why a package cannot be used, or nothing."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return f"{name} is missing"
    if not satisfies(version, bound):
        return f"{name} is {version}, but the Studio needs {bound}"
    for module in _modules().get(name.lower(), ()):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # another package's affair
                importlib.import_module(module)
        except Exception as error:  # noqa: BLE001 - whatever it is, the package does not work
            return f"{name} cannot be imported ({error})"
    return ""


@cache
def _modules() -> Mapping[str, list[str]]:
    """The public modules of each installed package."""
    found: dict[str, list[str]] = {}
    for module, names in importlib.metadata.packages_distributions().items():
        for name in set(names) if not module.startswith("_") else ():
            found.setdefault(name.lower(), []).append(module)
    return found


def satisfies(version: str, bounds: str) -> bool:
    """Whether a version lies in bounds such as ``>=1.67,<1.68``; by its numbers alone."""
    has = _numbers(version)
    for sign, bound in _BOUND.findall(bounds):
        wanted = _numbers(bound)
        order = {">=": has >= wanted, ">": has > wanted, "<": has < wanted, "<=": has <= wanted}
        if not order.get(sign, has == wanted):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    numbers = re.match(r"\d+(\.\d+)*", version)
    parts = [int(part) for part in numbers[0].split(".")] if numbers else [0]
    return tuple(parts + [0] * (6 - len(parts)))


def _compiled_code() -> Finding:
    """Load every kernel, and compile and run one."""
    try:
        for module in pkgutil.iter_modules(kernels.__path__, f"{kernels.__name__}."):
            importlib.import_module(module.name)
        compute = sys.modules[f"{kernels.__name__}.sums"].row_squares
        result = np.zeros(2)
        compute(np.array([0, 2, 3]), np.array([3.0, 4.0, 2.0]), result)
    except Exception as error:  # noqa: BLE001 - the compiler may fail in any way
        return problem("Compiled code", f"It cannot be compiled: {error}.", REINSTALL)
    if result.tolist() != [25.0, 4.0]:
        return problem("Compiled code", "It computes wrong numbers.", REINSTALL)
    return ok("Compiled code", "It compiles and runs.")


def _meaning() -> Finding:
    if wordllama_installed():
        version = importlib.metadata.version("wordllama")
        return ok("Meaning", f"wordllama {version} is installed.")
    return ok(
        "Meaning", f"wordllama is not installed; it is optional. To add it: {INSTALL_COMMAND}."
    )


def _browser() -> Finding:
    found = [name for name in BROWSERS if shutil.which(name)]
    if found:
        return ok("Browser", f"{found[0]} is installed.")
    return ok("Browser", "None was found by name; any recent browser will do.")
