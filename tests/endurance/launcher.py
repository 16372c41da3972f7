"""A process with every import behind it, which forks servers and colleagues as it is told.

Each is a process group of its own, so that a server is killed together with its fit processes. A
cold start takes seconds, and hundreds of them an hour; what is forked is the whole app all the
same. When the standard input ends, because whoever drives this is done or was killed, all of them
go.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing.sharedctypes  # noqa: F401 (all of these are imported by a server, too)
import os
import signal
import sys
from contextlib import suppress

import streamlit.components.v2.manifest_scanner
import streamlit.web.server.starlette.starlette_agent_routes
import uvicorn.lifespan.on
import uvicorn.protocols.http.auto
import uvicorn.protocols.websockets.auto  # noqa: F401

from tests.endurance.colleague import Errand, run_errand
from tsnmf_ui import cli
from tsnmf_ui.server import lifecycle  # noqa: F401

ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER: fit processes of a killed server are waited for here


def main(tell: int) -> None:
    """Fork for every line: ``serve PORT`` or ``do ERRAND``; its process number goes to ``tell``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead need not be waited for
    ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1)
    # It reads the files of every installed package, and finds the same each time.
    streamlit.components.v2.manifest_scanner.scan_component_manifests = lambda *_, **__: []
    groups: set[int] = set()
    for line in sys.stdin:
        number = os.fork()
        if not number:
            os.close(tell)
            _be_a_process_of_its_own()
            os._exit(_run(*line.split(maxsplit=1)))
        groups.add(number)
        os.write(tell, f"{number}\n".encode())
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def _be_a_process_of_its_own() -> None:
    os.setsid()
    for number in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


def _run(what: str, argument: str) -> int:
    if what == "serve":
        return cli.main(["run", "--no-browser", "--port", argument.strip()])
    run_errand(Errand(**json.loads(argument)))
    return 0


if __name__ == "__main__":
    main(int(sys.argv[1]))
