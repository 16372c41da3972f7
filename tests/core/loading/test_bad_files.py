"""Bad files end in one sentence that names file, row and column; nothing else escapes."""

from __future__ import annotations

import gzip
import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import CorpusError
from core.loading import FileLimits, preview, read_corpus
from tests.core.loading.test_loading import SAME, csv_bytes, xlsx_bytes, zip_bytes

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SMALL = FileLimits(
    bytes=100_000, rows=5, columns=3, cell_characters=200, members=3, harmless_bytes=1_000
)


def far_cells() -> bytes:
    """A workbook with one cell in each far corner: small, yet a whole sheet once unpacked."""
    out = io.BytesIO()
    plain = io.BytesIO(xlsx_bytes([["text"], ["lamp"]]))
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'r="A2"', b'r="XFD1048576"'))
    return out.getvalue()


BAD: dict[str, tuple[bytes, dict, str]] = {
    "empty": (b"", {}, "bad.csv: the file is empty."),
    "blank": (b" \n\n", {}, "bad.csv: the file is empty."),
    "header only": (b"id,text\n", {}, "bad.csv: there is a header but no row below it."),
    "header-only workbook": (
        xlsx_bytes([["id", "text"]]),
        {},
        "bad.csv: there is a header but no row below it.",
    ),
    "empty workbook": (xlsx_bytes([]), {}, "bad.csv: the workbook is empty."),
    "no text column": (
        b"id,price\n1,2.5\n2,3.5\n",
        {},
        "bad.csv: no column holds text; say which one to read.",
    ),
    "no such column": (
        b"id,message\n1,lamp\n",
        {"text": "body"},
        "bad.csv: there is no column “body”; the file has “id”, “message”.",
    ),
    "only empty texts": (
        b"id,text\n1,\n2, \n",
        {"text": "text"},
        "bad.csv, column “text”: no row has any text.",
    ),
    "open quote": (
        b'id,text\n1,fine\n2,"never closed\n3,more\n',
        {},
        "bad.csv, row 3: a quotation mark is opened and never closed.",
    ),
    "quote inside": (
        b'id,text\n1,"a "quoted" word"\n',
        {},
        "bad.csv, row 2: a quotation mark stands inside a quoted text; "
        "it must be written twice there.",
    ),
    "unquoted commas": (
        b"id,text\n1,lamps, bins, swings\n2,a, b\n3,c, d, e\n",
        {"delimiter": ","},
        "bad.csv, row 2: it has 4 cells where the header names 2; a text that holds the "
        "delimiter needs quotation marks, or the delimiter is another one.",
    ),
    "wrong encoding": (
        "id,text\n1,lamp\n2,café\n".encode("latin-1"),
        {"encoding": "utf-8"},
        "bad.csv, row 3: this is not utf-8 text (byte 21); choose another encoding.",
    ),
    "unknown encoding": (
        b"id,text\n1,lamp\n",
        {"encoding": "klingon"},
        "bad.csv: there is no text encoding called “klingon”.",
    ),
    "long delimiter": (
        b"id,text\n1,lamp\n",
        {"delimiter": "::"},
        "bad.csv: the delimiter must be one character, such as , or ;.",
    ),
    "binary": (
        bytes(range(256)) * 9,
        {},
        "bad.csv, row 1: a zero byte (NUL) stands here, which no text holds; remove it, if this is "
        "a text file.",
    ),
    "one zero byte": (
        b"id,text\n1,lamp\na\0b,bench\n",
        {},
        "bad.csv, row 3: a zero byte (NUL) stands here, which no text holds; remove it, if this is "
        "a text file.",
    ),
    "pdf": (
        b"%PDF-1.7 ...",
        {},
        "bad.csv: this is a PDF file; save its text as .txt or as a table.",
    ),
    "pickle": (
        b"\x80\x04\x95\x0b\x00",
        {},
        "bad.csv: this is a Python pickle, which is never opened because it could run code.",
    ),
    "word document": (
        zip_bytes({"word/document.xml": b"<w/>"}),
        {},
        "bad.csv: this is a Word file; save its text as .txt or as a table.",
    ),
    "password": (
        OLE + "EncryptedPackage".encode("utf-16-le"),
        {},
        "bad.csv: the workbook is protected by a password; save it without one.",
    ),
    "broken old workbook": (
        OLE + b"x" * 600,
        {},
        "bad.csv: the workbook is damaged or incomplete.",
    ),
    "broken workbook": (
        zip_bytes({"xl/workbook.xml": b"<oops"}),
        {},
        "bad.csv: the workbook is damaged or incomplete.",
    ),
    "cells far apart": (
        far_cells(),
        {},
        "bad.csv: there are more than 1,000,000 rows, the most that is read from one file; "
        "split it, and add the further files to the project.",
    ),
    "broken zip": (
        SAME["zip with one table"][:60],
        {},
        "bad.csv: the archive is damaged or incomplete.",
    ),
    "zip path": (
        zip_bytes({"../../evil.txt": b"x"}),
        {},
        "bad.csv: the path “../../evil.txt” inside points outside the archive.",
    ),
    "zip absolute path": (
        zip_bytes({"/etc/evil.txt": b"x"}),
        {},
        "bad.csv: the path “/etc/evil.txt” inside points outside the archive.",
    ),
    "zip bomb": (
        zip_bytes({"bomb.txt": b"0" * 30_000_000}),
        {},
        "bad.csv: it would unpack to 30 MB from 0.0 MB, which is far more than texts need.",
    ),
    "zip without texts": (
        zip_bytes({"a.png": b"x"}),
        {},
        "bad.csv: there is no .txt file inside.",
    ),
    "zip in zip": (
        zip_bytes({"inner.csv": zip_bytes({"a.txt": b"x"})}),
        {},
        "bad.csv: “inner.csv” inside is another archive.",
    ),
    "many members": (
        zip_bytes({f"{i}.txt": b"x" for i in range(4)}),
        {"limits": SMALL},
        "bad.csv: there are more than 3 files inside.",
    ),
    "gzip bomb": (
        gzip.compress(b"0" * 30_000_000),
        {},
        "bad.csv: it unpacks to far more than texts need.",
    ),
    "broken gzip": (
        gzip.compress(b"text\nlamp\n")[:-6],
        {},
        "bad.csv: the compressed file is damaged or incomplete.",
    ),
    "broken parquet": (
        b"PAR1" + b"x" * 40,
        {},
        "bad.csv: the Parquet file is damaged or incomplete.",
    ),
    "broken json line": (
        b'{"text": "lamp"}\n{"text": \n',
        {},
        "bad.csv, row 2: this line is not valid JSON.",
    ),
    "json of numbers": (
        b'{"text": "lamp"}\n7\n',
        {},
        "bad.csv, row 2: this is not a JSON object with named fields, such as {“text”: “…”}.",
    ),
    "broken json": (b'[{"text": "lamp"},\n', {}, "bad.csv, row 2: this is not valid JSON."),
    "gigantic cell": (
        b"id,text\n1," + b"x" * 300 + b"\n",
        {"limits": SMALL},
        "bad.csv, row 2: a cell has more than 200 characters; "
        "a closing quotation mark may be missing.",
    ),
    "gigantic json cell": (
        b'{"text": "' + b"x" * 300 + b'"}',
        {"limits": SMALL},
        "bad.csv, row 1, column “text”: a cell has more than 200 characters; "
        "a closing quotation mark may be missing.",
    ),
    "many rows": (
        csv_bytes([["id", "text"], *([str(i), "lamp"] for i in range(9))]),
        {"limits": SMALL},
        "bad.csv: there are more than 5 rows, the most that is read from one file; "
        "split it, and add the further files to the project.",
    ),
    "many columns": (
        b"a,b,c,d\nw,x,y,z\n",
        {"limits": SMALL},
        "bad.csv: there are 4 columns and at most 3 can be read.",
    ),
    "many bytes": (
        b"text\n" + b"lamp is dark\n" * 10_000,
        {"limits": SMALL},
        "bad.csv: it is larger than 0 MB.",
    ),
}


@pytest.mark.parametrize(("data", "options", "sentence"), BAD.values(), ids=BAD)
def test_a_bad_file_ends_in_one_sentence(data, options, sentence):
    with pytest.raises(CorpusError) as caught:
        read_corpus(data, filename="bad.csv", **options)
    assert str(caught.value) == sentence


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.csv: there is no such file"):
        read_corpus(tmp_path / "nowhere.csv")


def test_an_encrypted_zip_asks_for_a_plain_one():
    data = bytearray(zip_bytes({"a.txt": b"lamp"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    with pytest.raises(CorpusError, match="protected by a password"):
        read_corpus(bytes(data))


@example(b"\x15", "zip with one table", 347)  # the directory points before the beginning
@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(sorted(SAME)), st.integers(0, 400))
def test_damage_never_escapes_as_another_error(junk, kind, at):
    data = SAME[kind]
    for broken in (junk, data[:at] + junk + data[at + len(junk) :], data[:at]):
        for read in (read_corpus, preview):
            with suppress(CorpusError):
                read(broken, filename="bad.csv")
