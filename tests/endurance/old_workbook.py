"""A small workbook of the old binary kind (.xls), made by hand: no library writes it any more."""

from __future__ import annotations

import struct

SECTOR = 512
END, FAT, FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
NONE = 0xFFFFFFFF
MIN_STREAM = 4096  # shorter ones would go into another structure


def xls_bytes(rows: list[list[str]]) -> bytes:
    """A compound file that holds one stream, ``Workbook``."""
    stream = _stream(rows)
    stream += bytes(-len(stream) % SECTOR + (MIN_STREAM if len(stream) < MIN_STREAM else 0))
    n = len(stream) // SECTOR
    chain = [*range(3, 2 + n), END]  # sector 0: allocation table, 1: folder, 2 …: the stream
    table = struct.pack(f"<{2 + n}I", FAT, END, *chain)
    table += struct.pack("<I", FREE) * (SECTOR // 4 - 2 - n)
    folder = _entry("Root Entry", 5, 1, END, 0) + _entry("Workbook", 2, NONE, 2, len(stream))
    return _header() + table + folder + _entry("", 0, NONE, 0, 0) * 2 + stream


def _header() -> bytes:
    marks = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    numbers = struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    places = struct.pack("<9I", 0, 1, 1, 0, MIN_STREAM, END, 0, END, 0)
    return marks + numbers + places + struct.pack("<I", 0) + struct.pack("<I", FREE) * 108


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + (b"\0\0" if name else b"")
    head = text.ljust(64, b"\0") + struct.pack("<HBB3I", len(text), kind, 1, NONE, NONE, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _stream(rows: list[list[str]]) -> bytes:
    version = struct.pack("<HHIII", 0x0600, 0, 0, 0, 0)
    name = b"\x05\x00Texts"
    globals_size = 20 + (4 + 6 + len(name)) + 4
    sheet_place = struct.pack("<IH", globals_size, 0)
    globals_ = _record(0x0809, b"\x00\x06\x05\x00" + version[4:])
    globals_ += _record(0x0085, sheet_place + name) + _record(0x000A, b"")
    cells = b"".join(
        _record(0x0204, struct.pack("<HHHHB", i, j, 0, len(cell), 1) + cell.encode("utf-16-le"))
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
    )
    return globals_ + _record(0x0809, b"\x00\x06\x10\x00" + version[4:]) + cells + _record(10, b"")
