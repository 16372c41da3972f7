"""Files are read in a process of their own: no file harms the caller, and none waits for long."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import CorpusError
from core.loading import preview, read_corpus
from core.loading.isolated import open_source
from core.loading.isolation import Budget, asking, children
from core.loading.isolation.asking import UNREADABLE_FILE, ask
from core.loading.isolation.children import start_fresh
from core.loading.isolation.reader_process import READ_MESSAGE
from tests.core.loading import bombs
from tests.core.loading.test_loading import SAME

AMPLE = Budget(1_000_000_000, 60.0, 100_000_000)
BOMBS = {
    "cell reference in single quotes": bombs.single_quotes,
    "line break in the tag": bombs.line_break,
    "sheet in another folder": bombs.sheet_elsewhere,
    "sixty thousand open tags": bombs.open_tags,
    "shared string": bombs.shared_string,
    "dictionary of Parquet": bombs.dictionary_parquet,
    "nested gzip": bombs.nested_gzip,
    "deep JSON": bombs.deep_json,
    "deeper JSON": lambda: bombs.deep_json(100_000),
    "deflate that is none": lambda: bombs.damaged_method(8)[:60] + bytes(99),
    "bzip2 that is none": lambda: bombs.damaged_method(12),
    "LZMA that is none": lambda: bombs.damaged_method(14),
    "unknown method": lambda: bombs.damaged_method(77),
    "negative offset": bombs.negative_offset,
}


def asked(data: bytes, budget: Budget, reader: str = "corpus") -> object:
    limits = dict.fromkeys(("bytes", "rows", "columns", "cell_characters", "members"), 10**9)
    limits |= dict.fromkeys(("ratio", "unpacked_bytes", "harmless_bytes"), 10**9)
    with open_source(data, "x", 10**9) as file:
        return list(
            ask(reader, {"filename": "x", "limits": limits}, file, CorpusError, budget=budget)
        )


@pytest.mark.parametrize("make", BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("read", [preview, read_corpus])
def test_a_bomb_is_refused_in_one_sentence(make, read, caplog):
    data = make()
    with pytest.raises(CorpusError, match=r"^bomb\.dat.*: .*\.$"):
        read(data, filename="bomb.dat")
    assert caplog.messages == []  # every one was foreseen


def test_memory_has_a_limit_and_a_sentence():
    data = b"text\n" + b"lamp is dark\n" * 2_000_000
    with pytest.raises(CorpusError, match=r"more than 0.1 GB of memory"):
        asked(data, Budget(100_000_000, 60.0, 100_000_000))


def test_time_has_a_limit_and_a_sentence():
    data = b"text\n" + b"lamp is dark\n" * 1_000_000
    with pytest.raises(CorpusError, match=r"reading it takes more than 0 seconds"):
        asked(data, Budget(4_000_000_000, 0.05, 100_000_000))


def test_an_answer_has_a_limit_and_a_sentence():
    with pytest.raises(CorpusError, match="unpacks to far more than texts need"):
        asked(b"text\n" + b"lamp is dark\n" * 1_000, Budget(4_000_000_000, 60.0, 5_000))


def test_a_larger_file_may_take_more_but_never_without_end():
    small, large, huge = (Budget.of(size) for size in (0, 50_000_000, 10**12))
    assert small.memory_bytes <= large.memory_bytes <= huge.memory_bytes <= 8_000_000_000
    assert small.seconds < large.seconds < huge.seconds <= 900
    assert small.answer_bytes < large.answer_bytes <= huge.answer_bytes < 10**10


def test_a_child_that_dies_is_one_sentence(monkeypatch):
    """As a compiled library does that cannot have its memory: it aborts."""
    real = children._shared.get().start

    def dead(request, file):
        child = real(request, file)
        child.kill()
        return child

    monkeypatch.setattr(asking, "start_child", dead)
    with pytest.raises(CorpusError, match=r"^x: it cannot be read"):
        read_corpus(SAME["csv"], filename="x")


def test_the_process_that_forks_is_replaced_when_it_dies():
    process = children._shared.get()
    process._process.kill()
    process._process.wait()
    assert len(read_corpus(SAME["csv"])) == 4
    assert children._shared.get() is not process


@pytest.mark.skipif(not children.CAN_FORK, reason="needs fork")
def test_a_caller_that_is_killed_before_its_answer_leaves_no_reader_behind(tmp_path):
    control, theirs = socket.socketpair()
    request, connection = socket.socketpair()
    command = [sys.executable, "-P", str(children.READER_SCRIPT), str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE)
    with process, control, request, (tmp_path / "file").open("wb+") as file:
        theirs.close()
        control.shutdown(socket.SHUT_RD)  # as if it were gone: no answer reaches it
        socket.send_fds(control, [READ_MESSAGE], [connection.fileno(), file.fileno()])
        connection.close()
        request.settimeout(60)
        assert request.recv(1) == b""  # the child that waited for its request was killed
        assert process.communicate(timeout=60)[1] == b""
        assert process.returncode == 0


def test_what_nobody_foresaw_is_logged_and_told_in_one_sentence(caplog):
    with pytest.raises(CorpusError) as caught:
        asked(b"", AMPLE, "no such reader")
    assert str(caught.value) == UNREADABLE_FILE
    assert "KeyError" in caplog.text


def test_an_answer_of_wrong_types_is_one_sentence(monkeypatch):
    """Only a child that a file has taken over would answer so."""
    wrong = ({"side": [], "reading": {}}, {"ids": [1]}, [], 7, {"side": [3]})
    for value in wrong:
        monkeypatch.setattr(
            "core.loading.isolated.ask", lambda *_, value=value, **__: (each for each in [value])
        )
        with pytest.raises(CorpusError, match="it cannot be read"):
            read_corpus(SAME["csv"])
    monkeypatch.setattr("core.loading.isolated.ask", lambda *_, **__: (each for each in ()))
    with pytest.raises(CorpusError, match="it cannot be read"):
        preview(SAME["csv"])


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"end": 3}', b'{"end": {}}', b"[" * 30_000])
def test_a_broken_last_line_is_one_sentence(line, tmp_path):
    path = tmp_path / "answer"
    path.write_bytes(b'{"value": 1}\n' + line)
    with path.open("rb") as answer, pytest.raises(CorpusError):
        asking._check_end(answer, AMPLE, CorpusError)


def test_what_a_file_says_of_itself_cannot_begin_a_line_of_the_log(tmp_path, caplog):
    path = tmp_path / "answer"
    path.write_text(json.dumps({"end": {"kind": "unforeseen", "what": "odd\nroot signed in"}}))
    with path.open("rb") as answer, pytest.raises(CorpusError):
        asking._check_end(answer, AMPLE, CorpusError)
    assert "root signed in" in caplog.text
    assert "\n" not in caplog.messages[0]


def test_where_nothing_can_fork_a_fresh_process_reads(monkeypatch):
    monkeypatch.setattr(asking, "start_child", start_fresh)
    assert read_corpus(SAME["xlsx"], filename="desk.xlsx").ids == ("a1", "a2", "a3", "a4")
    with pytest.raises(CorpusError, match="the workbook is damaged"):
        read_corpus(SAME["xlsx"][:400] + bytes(200) + SAME["xlsx"][600:], filename="desk.xlsx")


def test_many_files_at_once_do_not_mix():
    files = [f"id,text\n1,lamp number {n} is dark\n".encode() for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        texts = list(pool.map(lambda data: read_corpus(data, text="text").texts[0], files))
    assert texts == [f"lamp number {n} is dark" for n in range(12)]


def test_nothing_is_left_behind_when_a_file_was_read():
    read_corpus(SAME["csv"])
    before = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else set()
    threads = threading.active_count()
    for _ in range(5):
        read_corpus(SAME["csv"])
        with pytest.raises(CorpusError):
            read_corpus(b"%PDF")
    assert threading.active_count() <= threads  # those of earlier tests may end meanwhile
    if before:
        assert len(set(os.listdir("/proc/self/fd"))) == len(before)


def test_reading_imports_no_model():
    """The process that reads starts in well under a second because it holds readers only."""
    check = (
        "import sys, runpy\n"
        f"runpy.run_path({str(children.READER_SCRIPT)!r}, run_name='reader')['bare_core']()\n"
        "import core.loading.readers\n"
        "found = {'sklearn', 'sqlalchemy', 'pandas', 'numba', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'imported: {found}' if found else 0)\n"
    )
    subprocess.run([sys.executable, "-P", "-c", check], check=True, timeout=60)


def test_the_reader_cannot_write_files(tmp_path):
    """What a file made it do, it cannot keep."""
    code = (
        "from core.loading.isolation.answering import limit_process\n"
        "limit_process(10**9, 60)\n"
        f"with open({str(tmp_path / 'evil')!r}, 'w') as file:\n"
        "    file.write('x')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120)
    assert done.returncode != 0
    assert (tmp_path / "evil").read_bytes() == b""


LONG_CELL = b'id,text,place\n1,"' + b"lamp " * 40_000 + b'",North\n2,bins are full,South\n'


def test_a_first_read_in_a_fresh_process_equals_the_second():
    """``csv`` has one limit on cells for the whole process; the first guess ran without ours."""
    code = (
        "import sys\nfrom core.loading.reading import preview, read_corpus\n"
        "data = sys.stdin.buffer.read()\n"
        "first, second = preview(data), preview(data)\n"
        "assert first == second, 'the second preview differs'\n"
        "assert first.header == ('id', 'text', 'place'), first.header\n"
        "assert read_corpus(data) == read_corpus(data)\n"
    )
    subprocess.run([sys.executable, "-c", code], input=LONG_CELL, check=True, timeout=120)
    assert preview(LONG_CELL) == preview(LONG_CELL)
    assert read_corpus(LONG_CELL).reading.columns.text == "text"
