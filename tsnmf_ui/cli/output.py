"""What a command says: results on the standard output, notes and progress on the other one."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

BAR_WIDTH = 30
CLEAR_LINE = "\r\x1b[K"


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
                print(sentence, file=sys.stderr)

    def result(self, lines: Iterable[str], values: Mapping[str, Any]) -> None:
        """The outcome: lines for people, or JSON for programs."""
        self._clear()
        if self._json:
            print(json.dumps(values, ensure_ascii=False, indent=2, default=str))
            return
        for line in lines:
            print(line)

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
        line = f"{bar} {percent(share):>5} {doing}"[: shutil.get_terminal_size().columns - 1]
        if line != self._drawn:
            self._drawn = line
            sys.stderr.write(CLEAR_LINE + line)
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._drawn:
            self._drawn = ""
            sys.stderr.write(CLEAR_LINE)
            sys.stderr.flush()
