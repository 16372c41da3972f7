"""ß and ss are the same to a search: German writes both, and capitals know ss alone."""

from __future__ import annotations

import pytest

from core.corpus import Corpus
from core.search.highlights import find_matches
from core.store import Store
from core.store.database import Database
from core.store.projects.search_words import spellings_of

TEXTS = ("Die Hauptstraße ist dunkel", "HAUPTSTRASSE GESPERRT", "Ich muß heiße Soße essen", "Gasse")


@pytest.mark.parametrize("full_text", [True, False])
@pytest.mark.parametrize(
    ("asked", "positions"),
    [
        ("hauptstrasse", [0, 1]),
        ("Hauptstraße", [0, 1]),
        ("muss heisse sosse", [2]),
        ("gaße", [3]),
        ("hauptstraß", [0, 1]),
        ("strasse", []),
    ],
)
def test_either_spelling_finds_both(tmp_path, monkeypatch, full_text, asked, positions):
    if not full_text:
        monkeypatch.setattr(Database, "_has_full_text", lambda self: False)
        positions = [0, 1] if asked == "strasse" else positions  # it looks inside words, too
    with Store.open(home=tmp_path) as store:
        corpus = Corpus(ids=tuple("abcd"), texts=TEXTS)
        project = store.create_project("Desk", corpus, author="ann").id
        assert store.matching(project, asked, unfinished=True).tolist() == positions
        assert list(store.search(project, asked).positions) == positions


def test_what_is_found_is_marked():
    assert find_matches(TEXTS[0], "hauptstrasse ") == [(4, 15)]
    assert find_matches(TEXTS[1], "Hauptstraße ") == [(0, 12)]


def test_a_phrase_with_many_of_them_is_looked_for_as_it_is_written():
    assert spellings_of("Straße") == ["Strasse", "Straße"]
    assert spellings_of("ss " * 5) == ["ss " * 5]
