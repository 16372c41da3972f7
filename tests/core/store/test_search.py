"""Search: words are words, whatever else they look like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.corpus import Corpus
from core.errors import NotFound
from core.store import Store
from core.store.database import Database

TEXTS = (
    "The street lamp is out",
    "Street noise, every night",
    "100% of lamps don't work",
    'Café lamp_post: "quoted" street; DROP TABLE projects',
    "nothing of interest",
)
CORPUS = Corpus(ids=tuple("abcde"), texts=TEXTS)


@pytest.fixture(params=["full text", "plain"])
def store(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    if request.param == "plain":
        monkeypatch.setattr(Database, "_has_full_text", lambda self: False)
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Other", Corpus(ids=("x",), texts=("street lamp",)), author="ann")
        opened.create_project("Desk", CORPUS, author="ann")
        yield opened


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ("street", (0, 1, 3)),
        ("STREET lamp", (0, 3)),
        ("street noi", (1,)),
        ('"street lamp"', (0,)),
        ('"lamp street"', ()),
        ("don't", (2,)),
        ("100%", (2,)),
        ("lamp_post", (3,)),
        ("unheard", ()),
        ("", ()),
        ('" ', ()),
        ("***", ()),
    ],
)
def test_words_find_their_documents(store: Store, words: str, positions: tuple[int, ...]) -> None:
    result = store.search(2, words)
    assert (result.positions, result.total) == (positions, len(positions))


@pytest.mark.parametrize(
    "words",
    [
        '"; DROP TABLE projects; --',
        "street OR lamp",
        "text:street",
        "NEAR(street lamp)",
        "street AND NOT lamp",
        "(street",
        "^street + - *",
        "% _ \\",
        "' OR 1=1 --",
        "\x00street",
        'a"b"c',
        "word " * 500,
    ],
)
def test_nothing_typed_is_read_as_a_query(store: Store, words: str) -> None:
    assert store.search(2, words).positions in {(), (3,), (0, 1, 3)}  # none, all words, “street”
    assert len(store.projects()) == 2


def test_pages_of_a_search(store: Store) -> None:
    page = store.search(2, "street", limit=2, offset=1)
    assert (page.positions, page.total) == ((1, 3), 3)
    assert store.search(2, "street", limit=-5).positions == ()


def test_searching_nowhere(store: Store) -> None:
    with pytest.raises(NotFound):
        store.search(9, "street")


def test_accents_do_not_matter_in_an_index(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
        assert store.search(1, "cafe ").positions == (3,)
