"""Every command and its options, with an example of each."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tsnmf_ui.cli import argument_types as types
from tsnmf_ui.cli.known_names import AUDIENCES, MODEL_NAMES, PAPER_NAMES

DEFAULT_PORT = 8501
DEFAULT_HOST = "127.0.0.1"
SHELL_NAMES = ("bash", "fish", "zsh")
ANY_FILE = "CSV, TSV, XLSX, JSONL, Parquet, ZIP or folder; - is the standard input"
EXIT_CODES = "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted"

Commands = Any  # what add_subparsers returns


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        from importlib.metadata import version

        print(version("tsnmf-studio"))
        parser.exit(0)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = types.Parser(
        prog="tsnmf-studio",
        description="Teach a topic model by labelling a few texts.",
        epilog=f"{EXIT_CODES}; tsnmf-studio COMMAND --help tells more and gives examples",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = top.add_subparsers(required=True, metavar="command", parser_class=types.Parser)
    for add in (
        _add_server_commands,
        _add_fits,
        _add_texts,
        _add_predict,
        _add_reports,
        _add_scores,
        _add_labels,
        _add_codebook,
        _add_maintenance,
        _add_papers,
    ):
        add(commands)
    return top


def _command(
    commands: Commands, name: str, handler: str, help: str, *examples: str
) -> argparse.ArgumentParser:
    shown = "\n".join(f"  tsnmf-studio {name} {example}".rstrip() for example in examples)
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=f"{help[0].upper()}{help[1:]}.",
        epilog=f"examples:\n{shown}\n\n{EXIT_CODES}" if shown else EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(handler=handler)
    return made


def _add_server_commands(commands: Commands) -> None:
    run = _command(commands, "run", "server.run", "start the app in the browser", "", "--port 9000")
    demo = _command(
        commands, "demo", "server.demo", "open the demo project in the app", "", "--no-run"
    )
    demo.add_argument("--no-run", action="store_true", help="only make the project")
    for command in (run, demo):
        command.add_argument(
            "--port", type=types.port, default=DEFAULT_PORT, help=f"to listen on ({DEFAULT_PORT})"
        )
        command.add_argument(
            "--address", default=DEFAULT_HOST, help=f"to listen on ({DEFAULT_HOST})"
        )
        command.add_argument("--home", type=types.home, help="folder that holds the projects")
        command.add_argument("--no-browser", action="store_true", help="open no browser window")
    _command(commands, "version", "server.version", "print the version")
    completion = _command(
        commands, "completion", "completion.completion", "print a script for a shell's completion",
        "bash > ~/.local/share/bash-completion/completions/tsnmf-studio",
    )  # fmt: skip
    completion.add_argument("shell", choices=SHELL_NAMES)


def _add_fits(commands: Commands) -> None:
    fit = _command(
        commands, "fit", "fit.fit", "read a file, fit topics, write a report and a table",
        "tickets.csv --text body --label topic --out results/",
        "tickets.csv --truth --project Tickets",
        "- --labels labels.csv --set guidance=0.5 < tickets.csv",
        "--config run.toml --json",
        "'s3://bucket/news/*.parquet' --text body --topics 60 --cluster tcp://10.0.0.5:8786",
    )  # fmt: skip
    fit.add_argument("file", type=types.address, nargs="?", help=ANY_FILE)
    fit.add_argument("--file", type=types.address, dest="file_option", help=argparse.SUPPRESS)
    _add_columns(fit)
    fit.add_argument("--date", metavar="COLUMN", help="column of the dates (guessed)")
    fit.add_argument("--label", metavar="COLUMN", help="column of the labels (guessed)")
    fit.add_argument("--separator", help="between several labels in one cell (guessed)")
    fit.add_argument(
        "--side", metavar="COLUMN", action="append", help="keep this column; may be repeated"
    )
    fit.add_argument("--labels", type=types.source, help="a table with the columns id and labels")
    fit.add_argument(
        "--truth",
        action="store_true",
        help="the labels in the file are the truth: for scores, not for the model",
    )
    fit.add_argument(
        "--language", type=types.language, help="of the texts, such as en or de (guessed)"
    )
    fit.add_argument("--topics", type=types.at_least_one, help="in all (labels and a few free)")
    fit.add_argument(
        "--model", type=types.model, default="tsnmf", help=f"{', '.join(MODEL_NAMES)} (tsnmf)"
    )
    fit.add_argument("--seed", type=types.seed, default=0, help="random state (0)")
    fit.add_argument(
        "--set", type=types.option, action="append", metavar="OPTION=VALUE",
        help="an option of the model; of the words: text.max_terms=5000",
    )  # fmt: skip
    fit.add_argument("--project", metavar="NAME", help="keep it as a project of this name")
    fit.add_argument("--home", type=types.home, help="folder that holds the projects")
    fit.add_argument(
        "--out", type=types.results_folder, default=Path(), help="folder for the results (this one)"
    )
    _add_readers(fit)
    fit.add_argument(
        "--format",
        type=types.report_format,
        action="append",
        help="of the results; may be repeated (html and csv)",
    )
    fit.add_argument("--save-model", type=Path, metavar="FILE", help="write the model, too")
    fit.add_argument(
        "--cluster", metavar="ADDRESS",
        help="read and fit on Dask: tcp://host:port or local:4; the file may be a folder, a quoted "
        "pattern or an address such as s3://…",
    )  # fmt: skip
    fit.add_argument("--no-scores", action="store_true", help="do not test on labels held out")
    fit.add_argument("--config", metavar="TOML", help="options from a file; what is typed wins")
    _add_output(fit)

    refit = _command(
        commands, "refit", "fit.refit", "fit a project afresh as it is labelled now",
        "Tickets", "3 --json",
    )  # fmt: skip
    _add_project(refit)
    refit.add_argument("--no-scores", action="store_true", help="do not test on labels held out")
    _add_output(refit)


def _add_texts(commands: Commands) -> None:
    add = _command(
        commands, "add", "add.add", "add a file of texts to a project",
        "june.csv --project Tickets",
        "june.csv --project Tickets --existing update --vocabulary new --do",
    )  # fmt: skip
    add.add_argument("file", type=types.source, help=ANY_FILE)
    add.add_argument("--project", required=True, help="the project's number or name")
    add.add_argument("--home", type=types.store_home, help="folder that holds the projects")
    add.add_argument("--text", metavar="COLUMN", help="column of the texts (the project's)")
    add.add_argument("--id", metavar="COLUMN", help="column of the ids (the project's)")
    add.add_argument(
        "--existing", choices=("skip", "update"), default="skip",
        help="texts whose ids are there already: leave them, or update them in their place (skip)",
    )  # fmt: skip
    add.add_argument(
        "--vocabulary", choices=("same", "new"), default="same",
        help="words that count: those that did, or chosen anew from all texts (same)",
    )  # fmt: skip
    add.add_argument("--strip-html", action="store_true", help="take tags out of the texts")
    add.add_argument("--do", action="store_true", help="add; without this, only tell")
    add.add_argument("--no-fit", action="store_true", help="do not fit the project afterwards")
    add.add_argument("--author", default="", help="under whose name (this machine's user)")
    _add_output(add)


def _add_predict(commands: Commands) -> None:
    predict = _command(
        commands, "predict", "predict.predict", "topics and labels of new texts, by a fitted model",
        "june.csv --project Tickets --out june-topics.csv",
        "june.csv --model tickets.tsnmf --out june-topics.jsonl",
        "- --model tickets.tsnmf < june.csv",
    )  # fmt: skip
    predict.add_argument("file", type=types.source, help=ANY_FILE)
    model = predict.add_mutually_exclusive_group(required=True)
    model.add_argument("--project", help="the project's number or name")
    model.add_argument("--model", type=types.source, help="a model's file")
    predict.add_argument("--home", type=types.store_home, help="folder that holds the projects")
    _add_columns(predict)
    predict.add_argument("--texts", action="store_true", help="write the texts, too")
    predict.add_argument(
        "--out", type=types.table_file, default=Path("-"), help="a .csv or .jsonl file (- )"
    )
    _add_output(predict)


def _add_reports(commands: Commands) -> None:
    report = _command(
        commands, "report", "reports.report", "write the report of a project",
        "Tickets --out tickets.html", "--formats",
    )  # fmt: skip
    report.add_argument("project", nargs="?", help="the project's number or name")
    report.add_argument("--formats", action="store_true", help="list the formats and leave")
    report.add_argument(
        "--format", type=types.report_format, help="by name, where the file's ending does not tell"
    )
    export = _command(
        commands, "export", "reports.export", "write a project, its texts or its model to a file",
        "Tickets --out tickets.zip", "Tickets --out tickets.csv", "Tickets --out tickets.tsnmf",
        "Tickets --out tickets.card.md",
    )  # fmt: skip
    export.add_argument("project", help="the project's number or name")
    for command, what in ((report, ""), (export, ", .zip (everything), .tsnmf (the model)")):
        _add_readers(command)
        command.add_argument("--out", type=Path, help=f"a file; its ending tells the format{what}")
        command.add_argument("--home", type=types.store_home, help="folder of the projects")
        _add_output(command)
    into = _command(
        commands, "import", "reports.bring_in", "bring in a project that export wrote as .zip",
        "tickets.zip", "tickets.zip --home studio",
    )  # fmt: skip
    into.add_argument("file", type=types.source, help="the project's file")
    into.add_argument("--home", type=types.home, help="folder that holds the projects")
    _add_output(into)
    repeat = _command(
        commands, "repeat", "reports.repeat", "make the run of a report again and compare",
        "tickets.json", "tickets.json --file tickets.csv",
    )  # fmt: skip
    repeat.add_argument("report", type=types.source, help="a report that was written as JSON")
    repeat.add_argument("--file", type=types.source, help="the texts, if no project holds them")
    repeat.add_argument("--home", type=types.home, help="folder that holds the projects")
    _add_output(repeat)


def _add_readers(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--readers",
        choices=AUDIENCES,
        help="who will read it: tables for the team hold the texts, a report for the public has no "
        "quotes (as the project says, or others)",
    )


def _add_scores(commands: Commands) -> None:
    score = _command(
        commands, "score", "scores.score", "score a project's last full fit", "Tickets --json"
    )
    _add_project(score)
    _add_output(score)
    compare = _command(
        commands, "compare", "scores.compare", "fit several models to a project and score each",
        "Tickets tsnmf nmf lda", "Tickets tsnmf ssnmf --seed 0 --seed 1 --json",
    )  # fmt: skip
    _add_project(compare)
    compare.add_argument(
        "models", type=types.model, nargs="+", metavar="model", help=f"of {', '.join(MODEL_NAMES)}"
    )
    compare.add_argument("--topics", type=types.at_least_one, help="in all (as the project has)")
    compare.add_argument(
        "--seed", type=types.seed, action="append", help="random state; may be repeated (0)"
    )
    _add_output(compare)


def _add_ways(command: argparse.ArgumentParser, what: str) -> tuple[types.Parser, types.Parser]:
    """``export`` and ``import``; the module of that name in this package does both."""
    ways = command.add_subparsers(required=True, metavar="way", parser_class=types.Parser)
    out = ways.add_parser("export", help=f"write the {what} of a project to a file")
    into = ways.add_parser("import", help="show what a file would change, and import it")
    for way, function in ((out, "export"), (into, "bring_in")):
        way.add_argument("--project", required=True, help="the project's number or name")
        way.add_argument("--home", type=types.store_home, help="folder that holds the projects")
        way.set_defaults(handler=f"{what}.{function}")
    into.add_argument(
        "--do", action="store_true", help="import; without this, only show what would change"
    )
    into.add_argument("--author", default="", help="under whose name (this machine's user)")
    return out, into


def _add_labels(commands: Commands) -> None:
    labels = _command(
        commands, "labels", "labels.labels", "export or import labels",
        "export --project Tickets --out labels.csv",
        "import labels.csv --project Tickets --do",
    )  # fmt: skip
    out, into = _add_ways(labels, "labels")
    into.add_argument("file", type=types.source, help="a table with the columns id and labels")
    out.add_argument("--out", type=types.table_file, required=True, help="a .csv or .jsonl file")
    out.add_argument("--texts", action="store_true", help="write the texts too")
    into.add_argument(
        "--choose",
        choices=("keep", "take", "new"),
        default="keep",
        help="where labels differ: keep the project's, take the file's, "
        "or import labels of unlabelled texts only (keep)",
    )


def _add_codebook(commands: Commands) -> None:
    codebook = _command(
        commands, "codebook", "codebook.codebook", "export or import what the topics mean",
        "export --project Tickets --out codebook.xlsx",
        "import codebook.csv --project Tickets --create --do",
    )  # fmt: skip
    out, into = _add_ways(codebook, "codebook")
    into.add_argument("file", type=types.source, help="CSV, XLSX or JSON; - is the standard input")
    for way in (out, into):
        _add_output(way)
    out.add_argument("--out", type=types.codebook_file, required=True, help="its ending tells how")
    into.add_argument("--create", action="store_true", help="create topics that are not there")


def _add_maintenance(commands: Commands) -> None:
    doctor = _command(
        commands, "doctor", "maintenance.doctor", "check the installation and the store", "--json"
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    backup = _command(
        commands, "backup", "maintenance.backup", "copy the store into one file", "studio.zip"
    )
    restore = _command(
        commands, "restore", "maintenance.restore", "bring a backup back",
        "studio.zip --home new-folder",
    )  # fmt: skip
    forced = {backup: "to replace the file if it is there", restore: "to replace projects"}
    for command, what in forced.items():
        command.add_argument("file", type=Path, help="the backup, one ZIP file")
        command.add_argument("--force", action="store_true", help=what)
    move = _command(
        commands, "move", "maintenance.move", "copy all projects into another database",
        "--to postgresql+psycopg://studio@db.example.org/studio",
        "--from postgresql+psycopg://studio@db.example.org/studio --to sqlite:///studio.db",
    )  # fmt: skip
    move.add_argument("--to", required=True, metavar="URL", help="an empty database")
    move.add_argument("--from", dest="source", metavar="URL", help="(the one the app uses)")
    for command in (doctor, *forced, move):
        command.add_argument("--home", type=Path, help="folder that holds the projects")


def _add_papers(commands: Commands) -> None:
    papers = _command(
        commands, "papers", "papers.papers", "make a paper's experiments again, beside its print",
        "tsnmf --quick", "ssnmf --results core/papers/results",
    )  # fmt: skip
    papers.add_argument("name", choices=PAPER_NAMES, help="the model that the paper is about")
    papers.add_argument("--quick", action="store_true", help="a part of it, in two minutes")
    papers.add_argument(
        "--minutes", type=float, default=float("inf"), metavar="N",
        help="begin no further trial after so long; the tables say what was run",
    )  # fmt: skip
    papers.add_argument("--figures", action="store_true", help="draw the curves, too, as HTML")
    papers.add_argument(
        "--results", type=types.results_folder, default=Path("paper-results"),
        help="folder of trials and tables; a run goes on where it stopped (paper-results)",
    )  # fmt: skip
    _add_output(papers)


def _add_columns(command: argparse.ArgumentParser) -> None:
    command.add_argument("--text", metavar="COLUMN", help="column of the texts (guessed)")
    command.add_argument(
        "--more-text", metavar="COLUMN", action="append",
        help="join this column with the text, such as a title; may be repeated",
    )  # fmt: skip
    command.add_argument("--id", metavar="COLUMN", help="column of the ids (guessed)")


def _add_project(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", help="the project's number or name")
    command.add_argument("--home", type=types.store_home, help="folder that holds the projects")


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print the outcome as JSON")
    command.add_argument("--quiet", action="store_true", help="no notes and no progress")
