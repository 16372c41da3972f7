"""``tsnmf-studio``: run the app, or walk the same path without a screen."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from core.errors import StudioError

DEFAULT_PORT = 8501
DEFAULT_HOST = "127.0.0.1"


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, do it, and turn what goes wrong into one sentence."""
    chosen = parser().parse_args(arguments)
    try:
        return int(chosen.handler(chosen))
    except StudioError as error:
        print(f"tsnmf-studio: {error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    """Every command and its options."""
    top = argparse.ArgumentParser(
        prog="tsnmf-studio", description="Teach a topic model by labelling a few texts."
    )
    commands = top.add_subparsers(required=True, metavar="command")
    _add_run(commands.add_parser("run", help="start the app in the browser"))
    _add_fit(commands.add_parser("fit", help="read a file, fit topics, write a report and a CSV"))
    _add_predict(commands.add_parser("predict", help="topics and labels of new texts"))
    _add_labels(commands.add_parser("labels", help="export or import labels"))
    _add_doctor(commands.add_parser("doctor", help="check the installation and the store"))
    _add_backup(commands.add_parser("backup", help="copy the store into one file"), "backup")
    _add_backup(commands.add_parser("restore", help="bring a backup back"), "restore")
    commands.add_parser("version", help="print the version").set_defaults(handler=_version)
    return top


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help=f"port to listen on ({DEFAULT_PORT})"
    )
    run.add_argument(
        "--address", default=DEFAULT_HOST, help=f"address to listen on ({DEFAULT_HOST})"
    )
    run.add_argument("--home", type=Path, help="folder that holds projects and factors")
    run.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    run.set_defaults(handler=_run)


def _add_fit(fit: argparse.ArgumentParser) -> None:
    fit.add_argument("file", type=Path, help="CSV, TSV, XLSX, JSONL, Parquet, ZIP or folder")
    fit.add_argument("--text", help="column of the texts (guessed if left out)")
    fit.add_argument("--label", help="column of the labels (guessed if left out)")
    fit.add_argument("--separator", help="between several labels in one cell")
    fit.add_argument(
        "--topics", type=int, help="topics in all (labels, and one to three free ones)"
    )
    fit.add_argument("--model", default="tsnmf", help="one of the ten models (tsnmf)")
    fit.add_argument("--seed", type=int, default=0, help="random state (0)")
    fit.add_argument("--out", type=Path, default=Path(), help="folder for the results (this one)")
    fit.set_defaults(handler=_fit)


def _add_predict(predict: argparse.ArgumentParser) -> None:
    predict.add_argument("file", type=Path, help="CSV, TSV, XLSX, JSONL, Parquet, ZIP or folder")
    model = predict.add_mutually_exclusive_group(required=True)
    model.add_argument("--project", help="the project's number or name")
    model.add_argument("--model", type=Path, help="a model's file")
    predict.add_argument("--home", type=Path, help="folder that holds the projects")
    predict.add_argument("--text", help="column of the texts (guessed if left out)")
    predict.add_argument("--id", help="column of the ids (guessed if left out)")
    predict.add_argument("--texts", action="store_true", help="write the texts too")
    predict.add_argument("--out", type=Path, required=True, help="a .csv or .jsonl file")
    predict.set_defaults(handler=_predict)


def _add_labels(labels: argparse.ArgumentParser) -> None:
    ways = labels.add_subparsers(required=True, metavar="way")
    out = ways.add_parser("export", help="write the labels of a project to a file")
    into = ways.add_parser("import", help="show what a file of labels would change, and import it")
    into.add_argument("file", type=Path, help="a table with the columns id and labels")
    for way, command in ((out, "export"), (into, "bring_in")):
        way.add_argument("--project", required=True, help="the project's number or name")
        way.add_argument("--home", type=Path, help="folder that holds the projects")
        way.set_defaults(handler=_labels, command=command)
    out.add_argument("--out", type=Path, required=True, help="a .csv or .jsonl file")
    out.add_argument("--texts", action="store_true", help="write the texts too")
    into.add_argument(
        "--choose",
        choices=("keep", "take", "new"),
        default="keep",
        help="where labels differ: keep the project's, take the file's, "
        "or import labels of unlabelled texts only (keep)",
    )
    into.add_argument(
        "--do", action="store_true", help="import; without this, only show what would change"
    )
    into.add_argument("--author", default="", help="under whose name (this machine's user)")


def _add_doctor(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument("--home", type=Path, help="folder that holds the projects")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.set_defaults(handler=_maintenance, command="doctor")


def _add_backup(command: argparse.ArgumentParser, name: str) -> None:
    what = "to replace the file if it is there" if name == "backup" else "to replace projects"
    command.add_argument("file", type=Path, help="the backup, one ZIP file")
    command.add_argument("--home", type=Path, help="folder that holds the projects")
    command.add_argument("--force", action="store_true", help=what)
    command.set_defaults(handler=_maintenance, command=name)


def _maintenance(chosen: argparse.Namespace) -> int:
    from tsnmf_ui.cli import maintenance

    return int(getattr(maintenance, chosen.command)(chosen))


def _labels(chosen: argparse.Namespace) -> int:
    from tsnmf_ui.cli import labels as label_command

    for line in getattr(label_command, chosen.command)(chosen):
        print(line)
    return 0


def _run(chosen: argparse.Namespace) -> int:
    if chosen.home:
        os.environ["TSNMF_STUDIO_HOME"] = str(chosen.home.expanduser().resolve())
    from tsnmf_ui.server import lifecycle

    address = (
        f"http://{'localhost' if chosen.address == DEFAULT_HOST else chosen.address}:{chosen.port}"
    )
    print(f"TS-NMF Studio: {address}   (Ctrl+C stops it)", flush=True)
    if not chosen.no_browser:
        threading.Timer(2.0, webbrowser.open, (address,)).start()
    with suppress(KeyboardInterrupt):  # Ctrl+C is the way out, not an error
        lifecycle.run(
            lifecycle.build(), {"server.port": chosen.port, "server.address": chosen.address}
        )
    return 0


def _fit(chosen: argparse.Namespace) -> int:
    from tsnmf_ui.cli.fit import Request, walk

    for path in walk(Request.of(chosen)):
        print(path)
    return 0


def _predict(chosen: argparse.Namespace) -> int:
    from tsnmf_ui.cli.predict import predict

    return predict(chosen)


def _version(_chosen: argparse.Namespace) -> int:
    print(version("tsnmf-studio"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
