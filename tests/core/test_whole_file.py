"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from core.values import whole_file


def test_nobody_else_can_read_what_is_being_written(tmp_path):
    before = os.umask(0)
    try:
        with whole_file(tmp_path / "made") as file:
            [partial] = tmp_path.iterdir()
            assert stat.S_IMODE(partial.stat().st_mode) == 0o600
            file.write(b"all")
    finally:
        os.umask(before)
    assert (tmp_path / "made").read_bytes() == b"all"
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o600


def test_a_link_under_the_name_of_the_unfinished_file_is_not_followed(tmp_path):
    with whole_file(tmp_path / "made") as file:
        name = os.path.basename(file.name)
    other = tmp_path / "other"
    other.write_bytes(b"kept")
    (tmp_path / name).symlink_to(other)
    with whole_file(tmp_path / "made") as file:
        file.write(b"new")
    assert other.read_bytes() == b"kept"
    assert (tmp_path / "made").read_bytes() == b"new"


def test_what_fails_leaves_the_file_as_it_was(tmp_path):
    (tmp_path / "made").write_bytes(b"before")
    with pytest.raises(TypeError), whole_file(tmp_path / "made") as file:
        file.write("half")  # no bytes
    assert (tmp_path / "made").read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["made"]
