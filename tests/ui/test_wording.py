"""One word for one thing: to the analyst the corpus is made of texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "tsnmf_ui"
OTHER_WORD = re.compile(r"(?<![\w.=/<?-])documents?(?![\w=(-]|\.\w)", re.IGNORECASE)


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of several words that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        plain = isinstance(node, ast.Constant) and id(node) not in told
        if plain and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def test_no_sentence_of_the_app_calls_a_text_a_document():
    found = [
        f"{path.relative_to(APP)}:{line} {sentence.strip()[:60]}"
        for path in sorted(APP.rglob("*.py"))
        for line, sentence in sentences(path)
        if OTHER_WORD.search(sentence)
    ]
    assert found == []
