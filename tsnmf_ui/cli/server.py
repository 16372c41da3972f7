"""``tsnmf-studio run``, ``demo`` and ``version``."""

from __future__ import annotations

import argparse
import os
import threading
import webbrowser
from contextlib import suppress
from importlib.metadata import version as installed_version

from tsnmf_ui.cli.arguments import DEFAULT_HOST
from tsnmf_ui.cli.output import say


def run(chosen: argparse.Namespace) -> int:
    """Serve the app until it is stopped."""
    if chosen.home:
        os.environ["TSNMF_STUDIO_HOME"] = str(chosen.home.resolve())
    from tsnmf_ui.server import lifecycle

    host = "localhost" if chosen.address == DEFAULT_HOST else chosen.address
    address = f"http://{host}:{chosen.port}"
    print(f"TS-NMF Studio: {address}   (Ctrl+C stops it)", flush=True)
    if not chosen.no_browser:
        threading.Timer(2.0, webbrowser.open, (address,)).start()
    with suppress(KeyboardInterrupt):  # Ctrl+C is the way out, not an error
        lifecycle.run(
            lifecycle.build(), {"server.port": chosen.port, "server.address": chosen.address}
        )
    return 0


def demo(chosen: argparse.Namespace) -> int:
    """Make the demo project unless there is one, then serve the app."""
    from core.store import Store
    from core.store.projects.demo import create_demo

    with Store.open(home=chosen.home) as store:
        known = [each for each in store.projects() if each.settings.demo]
        project = known[0] if known else create_demo(store)
    say(f"Demo project: {project.name} (number {project.id})")
    return 0 if chosen.no_run else run(chosen)


def version(_chosen: argparse.Namespace) -> int:
    """Print the version."""
    print(installed_version("tsnmf-studio"))
    return 0
