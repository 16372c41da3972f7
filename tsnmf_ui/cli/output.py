"""What a command says: results on the standard output, notes and progress on the other one."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

BAR_WIDTH = 30
CLEAR_LINE = "\r\x1b[K"
# What a terminal obeys and does not show: control characters, and those that turn the direction of
# writing. Halves of characters cannot be written at all.
NOT_FOR_TERMINALS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def terminal_text(text: str) -> str:
    """A text as it may be printed: names and files of strangers are only shown."""
    return NOT_FOR_TERMINALS.sub("\ufffd", text)


def terminal_json(values: Any) -> str:
    """JSON as it may be printed: the same values, what a terminal would obey written as escapes."""
    written = json.dumps(values, ensure_ascii=False, indent=2, default=str)
    return NOT_FOR_TERMINALS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def say(line: str) -> None:
    """A line on the standard output, at once."""
    print(terminal_text(line), flush=True)


class Output:
    """Where a command speaks, and how much."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self._json: bool = getattr(chosen, "json", False)
        self._quiet: bool = getattr(chosen, "quiet", False)
        self._bar = not self._quiet and sys.stderr.isatty()
        self._drawn = ""

    def note(self, *sentences: str) -> None:
        """Guesses and the like, for people."""
        if not self._quiet:
            self._clear()
            for sentence in filter(None, sentences):
                print(terminal_text(sentence), file=sys.stderr)

    def result(self, lines: Iterable[str], values: Mapping[str, Any]) -> None:
        """The outcome: lines for people, or JSON for programs."""
        self._clear()
        if self._json:
            print(terminal_json(values))
            return
        for line in lines:
            print(terminal_text(line))

    def progress(self, doing: str) -> Callable[[float], bool]:
        """A bar while something takes its time, where a person is watching; it never stops it."""

        def tell(share: float) -> bool:
            if self._bar:
                self._draw(doing, min(max(share, 0.0), 1.0))
            return False

        tell(0.0)
        return tell

    def _draw(self, doing: str, share: float) -> None:
        from core.values import percent  # the engine is loaded by now, and not before

        filled = round(share * BAR_WIDTH)
        bar = "█" * filled + "░" * (BAR_WIDTH - filled)
        line = f"{bar} {percent(share):>5} {terminal_text(doing)}"[
            : shutil.get_terminal_size().columns - 1
        ]
        if line != self._drawn:
            self._drawn = line
            sys.stderr.write(CLEAR_LINE + line)
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._drawn:
            self._drawn = ""
            sys.stderr.write(CLEAR_LINE)
            sys.stderr.flush()
