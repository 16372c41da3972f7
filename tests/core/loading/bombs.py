"""Small files that unpack to far more than a machine has, as found by an audit."""

from __future__ import annotations

import gzip
import io
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

from tests.core.loading.test_loading import xlsx_bytes, zip_bytes


def repacked(data: bytes, *, rename: dict[str, str] | None = None, **changes: bytes) -> bytes:
    """An archive with some members changed, by the end of their names, and some renamed."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            for end, replacement in changes.items():
                content = replacement if name.endswith(f"{end}.xml") else content
            for before, after in (rename or {}).items():
                content = content.replace(before.encode(), after.encode())
                name = name.replace(before, after)
            new.writestr(name, content)
    return out.getvalue()


SHEET = """<?xml version="1.0"?><worksheet
 xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row>{}</sheetData></worksheet>"""
FAR = '<row r="1048576"><c {} t="inlineStr"><is><t>x</t></is></c></row>'
BOOK = xlsx_bytes([["text"], ["lamp"]])


def workbook(sheet: str) -> bytes:
    return repacked(BOOK, sheet1=sheet.encode())


def single_quotes() -> bytes:
    return workbook(SHEET.format(FAR.format("r='XFD1048576'")))


def line_break() -> bytes:
    return workbook(SHEET.format(FAR.replace("<c ", "<c\n").format('r="XFD1048576"')))


def sheet_elsewhere() -> bytes:
    book = workbook(SHEET.format(FAR.format('r="XFD1048576"')))
    return repacked(book, rename={"worksheets/": "elsewhere/"})


def open_tags() -> bytes:
    """The reader's own check took two minutes for this."""
    return workbook(SHEET.format("<c " * 60_000))


def shared_string() -> bytes:
    """One long text that forty thousand cells name."""
    text = "<t>" + "x" * 30_000 + "</t>"
    start = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    strings = f'{start} count="1" uniqueCount="1"><si>{text}</si></sst>'
    rows = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(2, 140_000))
    return repacked(BOOK, sheet1=SHEET.format(rows).encode(), sharedStrings=strings.encode())


def dictionary_parquet() -> bytes:
    """One long text that every row names."""
    column = pa.DictionaryArray.from_arrays(
        pa.array([0] * 50_000, pa.int32()), pa.array(["x" * 90_000])
    )
    out = io.BytesIO()
    pq.write_table(pa.table({"text": column}), out, compression="zstd")
    return out.getvalue()


def nested_gzip(times: int = 1_200) -> bytes:
    data = b"text\nlamp\n"
    for _ in range(times):
        data = gzip.compress(data, 1)
    return data


def deep_json(depth: int = 987) -> bytes:
    return b'{"text": "lamp", "deep": ' + b"[" * depth + b"]" * depth + b"}"


def damaged_method(method: int) -> bytes:
    """A ZIP that claims a way of packing which its bytes do not follow."""
    data = bytearray(zip_bytes({"a.txt": b"lamp " * 200}))
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.index(mark) + offset
        data[at : at + 2] = method.to_bytes(2, "little")
    return bytes(data)


def negative_offset() -> bytes:
    data = bytearray(zip_bytes({"a.txt": b"lamp"}))
    at = data.index(b"PK\x01\x02") + 42
    data[at : at + 4] = (2**31 - 1).to_bytes(4, "little")
    end = data.index(b"PK\x05\x06") + 16
    data[end : end + 4] = (2**20).to_bytes(4, "little")
    return bytes(data)
