"""What the app says: one word for one thing, and the words that people use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
APP = ROOT / "tsnmf_ui"
MODULES = sorted(APP.rglob("*.py"))
SCRIPTS = sorted(APP.rglob("*.js"))
# What people read in the app although core wrote it: errors, verdicts, reports. The words of the
# array interface (engine, models, metrics) are for programmers, who know a document by that name.
READ_BY_PEOPLE = ("loading", "queue", "report", "search", "steering", "store", "text", "workspace")
CORE = sorted(
    [
        *(path for package in READ_BY_PEOPLE for path in (ROOT / "core" / package).rglob("*.py")),
        ROOT / "core" / "matrix.py",
        ROOT / "core" / "fitting.py",
    ]
)
OTHER_WORD = re.compile(r"(?<![\w.=/<?-])documents?(?![\w=(-]|\.\w)", re.IGNORECASE)

# Said once, and quaint, riddling or not literal; what is said instead stands beside it.
QUAINT = {
    r"behind your back": "in the background",
    r"likeness": "similarity",
    r"company": "related topics",
    r"nineteen times in twenty": "95 % interval",
    r"eight in ten": "80 % band",
    r"may be off": "95 % interval",
    r"technically curious": "technical details",
    r"out of the house": "export",
    r"tak(e|en|es) (it|them|it all) (back|out)": "undo, export, remove",
    r"taken back": "undone",
    r"brought back": "restored",
    r"by (itself|themselves)": "automatically, when it is done",
    r"fitted anew": "refitted",
    r"hears? (no )?labels": "uses or ignores labels",
    r"torn between": "borderline",
    r"sp(eak|eaks|oken|oke) of": "about",
    r"drawn blind": "random",
    r"kept aside": "held out",
    r"bears? the name": "belongs to",
    r"bring (it|them|(the )?labels) in": "import",
    r"in that light": "accordingly",
    r"obeys?": "follows",
    r"(be )?told": "asked, given",
    r"not said": "not chosen",
    r"to the letter": "always",
    r"what came of it": "results",
    r"luck": "chance",
    r"yardstick": "baseline",
    r"foreseen?": "forecast",
    r"acts?": "event, change",
    r"(?<!texts )alike": "similar, same",
    r"sub-topics?": "part",
    r"heaviest": "top",
    r"judged": "scored",
    r"labels hold": "nothing: true by construction",
    r"right first": "main topic correct",
    r"thin topics?": "few labels",
    r"doubtful": "possible mistakes",
    r"(and|by) class(es)?": "groups",
    r"fit(ted)? afresh": "refit from scratch",
    r"(not )?permitted": "allowed, forbidden",
    r"ruled out": "forbidden",
    r"from people": "your labels",
    r"from the corpus": "in the file",
    r"way of reading": "text preset",
    r"turn(ed|s)? around": "exclude",
}


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of several words: neither docstrings nor what a value shows of itself in code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shown_in_code = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in ("__repr__", "_repr_html_")
        for each in ast.walk(node)
    }
    docstrings = shown_in_code | {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        plain = isinstance(node, ast.Constant) and id(node) not in docstrings
        if plain and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)
INSERTED = re.compile(r"\$\{[^}]*\}")
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")


def script_sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Strings and templates of a script that hold several words."""
    code = COMMENT.sub(
        lambda found: "\n" * found.group().count("\n"), path.read_text(encoding="utf-8")
    )
    for found in LITERAL.finditer(code):
        text = INSERTED.sub("…", found.group(1) or found.group(2) or "")
        if " " in text:
            yield code.count("\n", 0, found.start()) + 1, text


# Scripts, style sheets, queries and lists of words.
NO_SENTENCE = ("function", "{ display", "SELECT ", "comment comments")


@cache
def all_sentences() -> tuple[tuple[Path, int, str], ...]:
    written = [(path, sentences(path)) for path in (*MODULES, *CORE)]
    written += [(path, script_sentences(path)) for path in SCRIPTS]
    return tuple((path, line, text) for path, found in written for line, text in found)


def spoken(pattern: re.Pattern[str]) -> list[str]:
    """Where a sentence holds the pattern; scripts and queries are not sentences."""
    return [
        f"{path.relative_to(ROOT)}:{line} {sentence.strip()[:70]}"
        for path, line, sentence in all_sentences()
        if pattern.search(sentence) and not any(mark in sentence for mark in NO_SENTENCE)
    ]


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """The phrase as whole words, at the end of a sentence too."""
    return re.compile(rf"(?<![\w.-]){phrase}(?![\w-]|\.\w)", re.IGNORECASE)


def test_there_are_sentences_to_read():
    assert sum(1 for path in MODULES for _ in sentences(path)) > 500
    assert sum(1 for path in SCRIPTS for _ in script_sentences(path)) > 100
    assert sum(1 for path in CORE for _ in sentences(path)) > 200


def test_a_phrase_is_seen_before_a_full_stop():
    assert phrase_pattern("taken back").search("It was taken back.")
    assert not phrase_pattern("luck").search("board.luck.text")


def test_no_sentence_of_the_app_calls_a_text_a_document():
    assert spoken(OTHER_WORD) == []


@pytest.mark.parametrize("phrase", QUAINT)
def test_no_sentence_of_the_app_is_quaint(phrase):
    assert spoken(phrase_pattern(phrase)) == []
