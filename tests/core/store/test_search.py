"""Search: words are words, whatever else they look like."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus import Corpus
from core.errors import NotFound
from core.store import Store
from core.store.database import Database
from core.store.projects.search_words import folded_words
from tests.postgresql import Cluster

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


LONG = 210_000  # characters; PostgreSQL's index holds fewer
WORDS_OF_MANY_KINDS = (
    "Naïve café, ŁÓDŹ and İstanbul",
    "ΣΊΣΥΦΟΣ rolls; Ёлка и йод; Straße",
    "日本語 テキスト 한국어",
    "e-mail a.b@c.org on 2024-01-31, 1.5e3 x² ½",
    "don't lamp_post 'quoted' \\ % _ : & | ! <->",
    "of the of the lamp of the street",
    "lamp the of street",
    f"{'z' * 1_200} end",
    f"{'word ' * (LONG // 5)}needle in it",
    "",
)
QUERIES = (
    *("cafe", "CAFÉ", "lodz", "łódź", "istanbul", "σισυφος", "Σίσυφος", "елка", "йод", "иод"),
    *("strasse", "straße", "日本", "日本語", "한국", "b", "org", "2024 01", "1 5e3", "x²", "½"),
    *("don t", "lamp post", "of the lamp", "the of", "lamp the", "lam", "needle in", "word needle"),
    *("needle", "z" * 1_200, "z" * 700, "word in", "quoted", "_", "e mail a", "the stree"),
)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("unfinished", [False, True])
def test_both_databases_find_the_same(
    tmp_path: Path, postgresql: Cluster, unfinished: bool
) -> None:
    corpus = Corpus(ids=tuple(map(str, range(len(WORDS_OF_MANY_KINDS)))), texts=WORDS_OF_MANY_KINDS)
    schema = postgresql.take_schema()
    there = postgresql.address_of(schema)
    with Store.open(home=tmp_path) as one, Store.open(there, home=tmp_path / "other") as two:
        for store in (one, two):
            store.create_project("Desk", corpus, author="ann")
        for query in QUERIES:
            expected = one.matching(1, query, unfinished=unfinished).tolist()
            assert (query, two.matching(1, query, unfinished=unfinished).tolist()) == (
                query,
                expected,
            )
            typed = query if unfinished else f"{query} "
            assert (typed, two.search(1, typed)) == (typed, one.search(1, typed))
    postgresql.give_back([schema])


@pytest.mark.sqlite_only
@given(st.text(st.sampled_from("aÀβΣς9² _-'.é́Łй語"), max_size=30))
def test_words_are_folded_as_sqlite_folds_them(text: str) -> None:
    with closing(sqlite3.connect(":memory:")) as raw:
        options = "tokenize = 'unicode61 remove_diacritics 2'"
        raw.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, {options})")
        raw.execute("CREATE VIRTUAL TABLE listed USING fts5vocab(words, 'instance')")
        raw.execute("INSERT INTO words VALUES (?)", (text,))
        expected = raw.execute("SELECT term FROM listed ORDER BY offset").fetchall()
    assert folded_words(text) == [term for (term,) in expected]
