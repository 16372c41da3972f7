"""What an argument may be, and whether results can be written, found out before any work."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

from core.errors import StudioError
from tsnmf_ui.cli.known_names import LANGUAGE_CODES, MODEL_NAMES, REPORT_SUFFIXES
from tsnmf_ui.cli.output import terminal_text

MAX_SEED = 2**32 - 1
STORE_FILE, URL_VARIABLE = "studio.db", "TSNMF_STUDIO_DATABASE_URL"
TABLE_SUFFIXES = (".csv", ".jsonl")
CODEBOOK_SUFFIXES = (".csv", ".xlsx", ".json", ".md")


class Parser(argparse.ArgumentParser):
    """Mistakes are one sentence; how to call it is one ``--help`` away."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, terminal_text(f"{self.prog}: {message}; see {self.prog} --help.\n"))


def at_least_one(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1, not {text}")
    return number


def seed(text: str) -> int:
    number = _whole(text)
    if not 0 <= number <= MAX_SEED:
        raise argparse.ArgumentTypeError(f"a whole number from 0 to {MAX_SEED}, not {text}")
    return number


def port(text: str) -> int:
    number = _whole(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"a port from 0 to 65535, not {text}")
    return number


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number, not {text}") from None


def option(text: str) -> tuple[str, Any]:
    """“guidance=0.5” as a name and a value; what is no JSON is taken as text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"option=value, not {text}")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def model(text: str) -> str:
    return _known(text, MODEL_NAMES, "model")


def language(text: str) -> str:
    return _known(text, LANGUAGE_CODES, "language")


def report_format(text: str) -> str:
    return _known(text, REPORT_SUFFIXES, "format")


def _known(text: str, names: Collection[str], what: str) -> str:
    if text not in names:
        raise argparse.ArgumentTypeError(
            f"there is no {what} “{text}”; choose from {', '.join(names)}"
        )
    return text


def home(text: str) -> Path:
    """A folder for the store, which may be new; its parent must be there."""
    folder = Path(text).expanduser().absolute()
    if folder.exists() and not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is not a folder")
    if not folder.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {folder.parent}")
    return folder


def store_home(text: str) -> Path:
    """A folder that holds a store."""
    folder = home(text)
    if not folder.exists():
        raise argparse.ArgumentTypeError(f"there is no folder {folder}")
    if not (folder / STORE_FILE).exists() and URL_VARIABLE not in os.environ:
        raise argparse.ArgumentTypeError(f"there is no {STORE_FILE} in {folder}")
    return folder


def source(text: str) -> str:
    """A file or folder that is there; “-” is the standard input."""
    if text != "-" and not Path(text).expanduser().exists():
        raise argparse.ArgumentTypeError(f"{text}: there is no such file")
    return text


def address(text: str) -> str:
    """The same, or what only a cluster can read: a pattern, or an address elsewhere."""
    return text if is_elsewhere(text) else source(text)


def is_elsewhere(text: str) -> bool:
    return "://" in text or (bool(set("*?[") & set(text)) and not Path(text).exists())


def table_file(text: str) -> Path:
    """A table to write: CSV or JSON lines; “-” is the standard output."""
    path = Path(text)
    if text != "-" and path.suffix.lower() not in TABLE_SUFFIXES:
        raise argparse.ArgumentTypeError(
            f"a table ends in {' or '.join(TABLE_SUFFIXES)}, and {text} does not"
        )
    return path


def codebook_file(text: str) -> Path:
    """A codebook to write."""
    path = Path(text)
    if path.suffix.lower() not in CODEBOOK_SUFFIXES:
        raise argparse.ArgumentTypeError(
            f"a codebook ends in {', '.join(CODEBOOK_SUFFIXES)}, and {text} does not"
        )
    return path


def results_folder(text: str) -> Path:
    """A folder for several files."""
    path = Path(text)
    if path.suffix and not path.is_dir():
        raise argparse.ArgumentTypeError(
            f"the results are several files, so name a folder; {text} looks like a file"
        )
    return path


def require_folder(folder: Path) -> None:
    """Make the folder and see that files can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StudioError(f"Nothing can be written in {folder}: {error.strerror}.") from None


def require_file(path: Path) -> None:
    """See that the file can be written; nothing that is there is touched."""
    if path.is_dir():
        raise StudioError(f"{path} is a folder; name a file.")
    if not path.parent.is_dir():
        raise StudioError(f"There is no folder {path.parent}.")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise StudioError(f"Nothing can be written in {path.parent}: {error.strerror}.") from None
