"""Patterns of a search that would take more memory or time than anybody has to give."""

from __future__ import annotations

import pytest

from core.errors import QueryError
from core.search import parse, patterns
from core.search.patterns import compiled, matches_of, places_of

LATER = float("inf")


@pytest.mark.parametrize(
    "text",
    [
        "(?:a?){3000000}",
        "(?:a?){1,3000000}",
        "(?:(?:a?){900}){900}",
        "(?x)#[\n(?:(?:a?){900}){900}#]",
        "a{4000000000000000000000}",
    ],
)
def test_what_would_be_written_out_too_long_is_refused_before_it_is(text, monkeypatch):
    monkeypatch.setattr(patterns.regex, "compile", lambda *_: pytest.fail("It was compiled."))
    with pytest.raises(QueryError, match="repeat"):
        compiled(text)


@pytest.mark.parametrize(
    "text", ["(?R)", "(?R)?a", "((?1)a|c)", "(?P<x>a(?&x)?)", "(?P<x>a)(?P>x)"]
)
def test_no_pattern_calls_itself(text):
    with pytest.raises(QueryError, match="cannot call itself"):
        compiled(text)


@pytest.mark.parametrize(
    "text", [r"\d{4}-\d{2}-\d{2}", "refund.{0,200}late", "(ab){2,3}", "(?i:x){2}"]
)
def test_usual_counts_are_read(text):
    assert compiled(text).pattern == text


def test_flags_that_exclude_each_other_are_said_in_a_sentence():
    with pytest.raises(QueryError, match="cannot be read"):
        parse("~(?V0)a(?V1)")


class Greedy:
    """A pattern that finds no memory."""

    def search(self, *_, **__):
        raise MemoryError

    finditer = search


def test_no_memory_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(patterns, "compiled", lambda _: Greedy())
    with pytest.raises(QueryError, match="too much memory"):
        list(matches_of("a", ["b"], LATER))
    assert places_of("a", "b") == []
