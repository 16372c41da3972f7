"""``tsnmf-studio``: parse, do what was asked, and turn what goes wrong into one sentence.

Nothing heavy is imported before the arguments are understood, so help and mistakes answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from core.errors import StudioError
from tsnmf_ui.cli import early_checks
from tsnmf_ui.cli.arguments import parser
from tsnmf_ui.cli.config import with_config
from tsnmf_ui.cli.output import terminal_text

EXIT_DONE, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 130  # argparse leaves with 2
CLOSED_PIPE = "The output was closed before everything was written."


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        chosen = parser().parse_args(_without_nul(with_config(given)))
        early_checks.check(chosen)
        code = int(_handler(chosen.handler)(chosen) or EXIT_DONE)
        sys.stdout.flush()
        return code
    except SystemExit as leave:  # help, the version, or a mistake that argparse has told
        return leave.code if isinstance(leave.code, int) else EXIT_FAILED
    except StudioError as error:
        return _fail(str(error))
    except BrokenPipeError:
        _leave_stdout()
        return _fail(CLOSED_PIPE)
    except KeyboardInterrupt:
        _fail("Interrupted.")
        return EXIT_INTERRUPTED
    except MemoryError:
        return _fail("There is not enough memory for this.")


def _without_nul(arguments: list[str]) -> list[str]:
    """A configuration may come from a stranger, and no path holds such a sign."""
    if any("\0" in each for each in arguments):
        raise StudioError("An argument holds a NUL, which no name can.")
    return arguments


def _handler(place: str):  # type: ignore[no-untyped-def]
    """“fit.refit” is the function refit of the module fit beside this one."""
    module, _, function = place.partition(".")
    return getattr(import_module(f"tsnmf_ui.cli.{module}"), function)


def _fail(sentence: str) -> int:
    with suppress(OSError):
        print(terminal_text(f"tsnmf-studio: {sentence}"), file=sys.stderr, flush=True)
    return EXIT_FAILED


def _leave_stdout() -> None:
    """Whoever read our output has gone; nothing more is written there, not even at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
