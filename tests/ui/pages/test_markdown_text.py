"""Text of others never becomes Markdown: one function escapes it, wherever Streamlit reads any."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tsnmf_ui.theme.texts import WORD_JOINER, escape_markdown, plain_label

ROOT = Path(__file__).resolve().parents[3] / "tsnmf_ui"
SOURCES = sorted(ROOT.rglob("*.py"))

# What Streamlit draws as Markdown: the first argument of these, and help texts.
MARKDOWN = {
    *("markdown", "caption", "error", "warning", "info", "success", "write", "toast", "notify"),
    *("button", "text_input", "selectbox", "radio", "checkbox", "toggle", "popover", "expander"),
    *("subheader", "header", "metric", "tabs", "number_input", "multiselect", "download_button"),
    *("link_button", "slider", "text_area", "file_uploader", "segmented_control", "pills"),
    *("spinner", "status", "form_submit_button", "page_link", "badge"),
}
OURS = {
    *("count", "percent", "seconds", "escape_markdown", "plain_label", "_quoted", "title", "len"),
    "alt_text",
}
PLAIN = {  # words of this program
    *("verb", "title", "reason", "spec.model", "N_SEEDS", "BECOMES_NAMED", "name"),
    *("BY_NAME[name].title", "SCORE_INFO[chosen].sentence", "spec.random_state", "share", "place"),
}


def drawn(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Every call that draws Markdown, and what it draws."""
    for node in ast.walk(tree):
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if named and node.func.attr in MARKDOWN and ast.unparse(node.func.value) != "file":
            yield from ((node, each) for each in node.args[:1])
            yield from ((node, each.value) for each in node.keywords if each.arg == "help")


def unsafe(value: ast.expr) -> Iterator[str]:
    """Parts of an expression that may hold text of others and are not escaped."""
    if isinstance(value, ast.Call):
        name = ast.unparse(value.func).rpartition(".")[2]
        if name == "str":
            yield ast.unparse(value)
        if name == "join":
            yield from unsafe(value.args[0])
        return
    if isinstance(value, ast.GeneratorExp | ast.ListComp):
        yield from unsafe(value.elt)
    elif isinstance(value, ast.JoinedStr):
        for part in value.values:
            if isinstance(part, ast.FormattedValue) and part.format_spec is None:
                yield from _unsafe_part(part.value)
    elif isinstance(value, ast.Attribute) and value.attr in ("name", "term", "text", "id"):
        yield ast.unparse(value)
    else:
        for inner in value.values if isinstance(value, ast.BoolOp) else ():
            yield from unsafe(inner)


def _unsafe_part(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Call):
        if ast.unparse(value.func).rpartition(".")[2] not in OURS:
            yield ast.unparse(value)
    elif isinstance(value, ast.IfExp):
        for branch in (value.body, value.orelse):
            yield from _unsafe_part(branch)
    elif isinstance(value, ast.JoinedStr):
        yield from unsafe(value)
    elif not isinstance(value, ast.Constant) and ast.unparse(value) not in PLAIN | {"band"}:
        yield ast.unparse(value)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_whatever_is_drawn_as_markdown_is_ours_or_escaped(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    found = [f"line {call.lineno}: {part}" for call, value in drawn(tree) for part in unsafe(value)]
    assert found == []


def test_the_rule_sees_what_it_is_there_for() -> None:
    source = 'st.error(str(error))\nst.caption(f"of {column}")\nst.button("x", help=topic.name)'
    found = [part for _, value in drawn(ast.parse(source)) for part in unsafe(value)]
    assert found == ["str(error)", "column", "topic.name"]
    fine = 'st.error(escape_markdown(str(error)))\nst.caption(f"{n:,} {texts.count(n, one)}")'
    assert not [part for _, value in drawn(ast.parse(fine)) for part in unsafe(value)]


HOSTILE = (
    *("![x](http://evil.example/x.png)", "[x](http://evil.example)", "http://evil.example", "$x$"),
    *("<img src=x>", "a\n===\nb", "a\n\n    code", ":red[x]", "# x", "- x", "`x`", "&amp;"),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_an_escaped_text_formats(text: str) -> None:
    escaped = escape_markdown(text)
    assert "\n" not in escaped
    bare = "".join(
        letter for before, letter in zip(" " + escaped, escaped, strict=False) if before != "\\"
    )
    assert not set(bare.replace("\\", "")) & set("`*_{}[]()#+-.!|~<>$:&=")


# What Streamlit's own script replaces in a text after Markdown was read, so that backslashes are
# gone by then.
REPLACEMENTS = (
    *(r"(https?:\/\/|www(?=\.))([-.\w]+)([^ \t\r\n]*)", r"([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)"),
    *(r":material\/", r":streamlit:", r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)"),
)
ADDRESSES = (
    *(
        "www.evil.example",
        "see WWW.evil.example/x",
        "https://evil.example/?a=b",
        "HTTP://x.example",
    ),
    *("a@evil.example", "mailto:a.b+c@evil.example", "xmpp:a@evil.example", "(www.evil.example)"),
    *(":material/home:", ":streamlit:", "a -> b", "a <-> b", "a -- b", "a >= b <= c ~= d"),
)


@pytest.mark.parametrize("text", ADDRESSES)
def test_nothing_in_an_escaped_text_becomes_a_link_or_an_icon(text: str) -> None:
    shown = re.sub(r"\\(.)", r"\1", escape_markdown(text))
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in REPLACEMENTS)
    assert not any(re.search(pattern, shown, re.IGNORECASE) for pattern in REPLACEMENTS)
    assert shown.replace(WORD_JOINER, "") == text


@pytest.mark.parametrize("text", ADDRESSES)
def test_no_address_in_a_label_that_is_only_heard_is_a_link(text: str) -> None:
    heard = plain_label(text)
    assert not any(re.search(pattern, heard, re.IGNORECASE) for pattern in REPLACEMENTS)
