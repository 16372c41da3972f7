"""Vectors of the analyst's own: what is read, and the one sentence about what is not."""

from __future__ import annotations

import gzip
import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_allclose

from core.errors import CorpusError
from core.loading import FileLimits, preview, read_corpus, read_vectors, vectors

TEXTS = ["rusty lamp in the lane", "the bins again", "no bus today"]
VALUES = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 2.0]])


def npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def parquet(**columns: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def refused(data: bytes, n_docs: int = 3, **more: Any) -> str:
    with pytest.raises(CorpusError) as caught:
        read_vectors(data, n_docs=n_docs, filename="own", **more)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i8", "u1"])
def test_a_numpy_table_is_read(kind):
    values = (VALUES * 2).astype(kind)
    assert_allclose(read_vectors(npy(values), n_docs=3), VALUES * 2)
    assert_allclose(read_vectors(npy(np.asfortranarray(values)), n_docs=3), VALUES * 2)


LISTS = {
    "list": pa.list_(pa.float32()),
    "large list": pa.large_list(pa.float64()),
    "fixed list": pa.list_(pa.float32(), 2),
    "half": pa.list_(pa.float16()),
}


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_column_is_read_and_is_no_text(kind):
    column = pa.array([row.astype(np.float16) for row in VALUES], LISTS[kind])
    data = parquet(embedding=column, text=TEXTS)
    seen = preview(data)
    assert (seen.vector_columns, seen.header) == (("embedding",), ("text",))
    assert "“embedding” holds lists of numbers" in seen.notes[0]
    assert read_corpus(data).texts == tuple(TEXTS)
    assert_allclose(read_vectors(data, n_docs=3), VALUES)
    assert_allclose(read_vectors(gzip.compress(data), n_docs=3, column="embedding"), VALUES)


def test_lists_in_several_row_groups_are_joined():
    file = io.BytesIO()
    table = pa.table({"v": pa.array(VALUES.tolist(), pa.list_(pa.float32()))})
    pq.write_table(table, file, row_group_size=1)
    assert_allclose(read_vectors(file.getvalue(), n_docs=3), VALUES)


def test_lists_of_whole_numbers_stay_labels():
    data = parquet(text=TEXTS, tags=[[1, 2], [3], []])
    assert preview(data).vector_columns == ()
    assert preview(data).rows[0]["tags"] == "1; 2"


def test_rows_left_out_of_the_texts_are_left_out_of_the_vectors():
    data = parquet(text=["", *TEXTS, " "], v=[[9.0, 9.0], *VALUES.tolist(), [8.0, 8.0]])
    corpus = read_corpus(data)
    found = read_vectors(data, n_docs=len(corpus), reading=corpus.reading)
    assert_allclose(found, VALUES)
    assert_allclose(read_vectors(npy(VALUES), n_docs=3, reading=corpus.reading), VALUES)


def test_rows_of_another_file_must_be_left_out_by_the_analyst():
    corpus = read_corpus(b"text\nlamp\n \nbin\n")
    told = refused(npy(VALUES), n_docs=len(corpus), reading=corpus.reading)
    assert told.startswith("own: there are 3 vectors for 2 texts. 1 row was left out")


def truncated(data: bytes) -> bytes:
    return data[:-8]


OBJECTS = npy(np.array([["a", "b"]] * 3))
WRONG = {
    "own: there are 3 vectors for 4 texts.": (npy(VALUES), 4),
    "own: a table is needed: a row for each text, a column for each number.": (npy(VALUES[0]), 2),
    "own: this NumPy file is damaged.": (truncated(npy(VALUES)), 3),
    "own: this NumPy file does not hold plain numbers.": (OBJECTS, 3),
    "own: a vector may have 1 to 4,096 numbers, not 0.": (npy(np.empty((3, 0))), 3),
    "own: no column holds lists of numbers; give a .npy file or such a Parquet file.": (
        b"text\nlamp\n",
        1,
    ),
    "own, row 2: number 2 of the vector is missing or infinite.": (
        npy([[1, 2], [3, np.nan], [np.inf, 0]]),
        3,
    ),
    "own, row 2, column “v”: number 1 of the vector is missing or infinite.": (
        parquet(v=[[1.0, 2.0], [None, 3.0]]),
        2,
    ),
    "own, row 2, column “v”: there is no vector.": (parquet(v=[[1.0], None, [2.0]]), 3),
    "own, row 3, column “v”: there are 1 numbers instead of 2.": (
        parquet(v=[[1.0, 2.0], [1.0, 2.0], [1.0]]),
        3,
    ),
    "own: say which column holds the vectors: “v”, “w”.": (parquet(v=[[1.0]], w=[[1.0]]), 1),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_is_told_in_one_sentence(sentence):
    data, n_docs = WRONG[sentence]
    assert refused(data, n_docs) == sentence


def test_a_column_that_is_not_there_is_told():
    assert "“v”" in refused(parquet(v=[[1.0]]), 1, column="w")


def test_pickles_inside_a_numpy_file_are_never_opened():
    header = io.BytesIO()
    about = {"descr": "|O", "fortran_order": False, "shape": (1, 1)}
    np.lib.format.write_array_header_1_0(header, about)
    assert "plain numbers" in refused(header.getvalue() + b"cposix\nsystem\n", 1)


@pytest.mark.parametrize("shape", [(-1, -3), (True, 3)])
def test_a_table_of_no_size_is_damage(shape):
    header = io.BytesIO()
    about = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, about)
    assert refused(header.getvalue() + bytes(12), 3) == "own: this NumPy file is damaged."


def test_a_header_without_an_end_is_damage():
    assert refused(npy(VALUES).replace(b"}", b" ", 1), 3) == "own: this NumPy file is damaged."


def test_a_damaged_column_without_rows_holds_no_vector():
    """A file that promises rows and whose column has none was found by damaging files."""
    empty = pa.chunked_array([], pa.list_(pa.float32()))
    with pytest.raises(CorpusError, match=r"own, column “v”: there is no vector\."):
        vectors._values_of(empty, "own", "v")


def test_a_header_that_promises_too_much_takes_no_memory():
    header = io.BytesIO()
    about = {"descr": "<f8", "fortran_order": False, "shape": (2**40, 2**20)}
    np.lib.format.write_array_header_1_0(header, about)
    assert "damaged" in refused(header.getvalue() + bytes(64), 3)


def test_a_file_that_is_too_large_is_refused():
    assert "larger than" in refused(npy(VALUES), limits=FileLimits(bytes=50))
