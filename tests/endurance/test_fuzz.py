"""The short form of the fuzzer: some hundred damaged files, the same ones each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.endurance.fuzz import Fuzzer, fuzzer, is_sentence

KINDS = (
    *("csv", "tsv", "utf-16", "xlsx", "xls", "jsonl", "json", "parquet", "gzip"),
    *("zip of texts", "zip with a table", "labels as csv", "labels as jsonl", "project"),
    *("vectors", "report", "png", "jpeg", "model", "backup", "forged backup"),
    *("codebook as csv", "codebook as json", "codebook as xlsx"),
)


@pytest.fixture(scope="module")
def opened() -> Iterator[Fuzzer]:
    with fuzzer() as made:
        yield made


def test_every_kind_of_file_is_damaged(opened: Fuzzer) -> None:
    assert set(opened.seeds) == set(KINDS)
    for kind, data in opened.seeds.items():
        assert opened.read(kind, data, 0) is not None
        assert opened.read(kind, data, 1) is not None


DECODERS = (
    *("sources.read_table", "reading.read_table", "reading.read_corpus", "vectors.read_rows"),
    *("project_parts.read_parts", "project_parts.read_arrays", "backup_parts.read_outline"),
    *("backup_parts.read_table", "backup_parts.read_array_file", "backup_parts.read_json_lines"),
    *("model_parts.read_model_parts", "pictures.read_picture", "strict_json.strict_value"),
)


def test_no_kind_of_file_is_decoded_in_this_process(
    opened: Fuzzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("The caller decodes what it was handed.")

    for name in DECODERS:
        monkeypatch.setattr(f"core.loading.{name}", forbidden)
    for kind, data in opened.seeds.items():
        assert opened.read(kind, data, 1) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_ends_in_a_value_or_a_sentence(opened: Fuzzer, kind: str) -> None:
    outcomes = opened.run(range(30), [kind])
    assert outcomes.wrong == []
    assert outcomes.sentences[kind] > 0


def test_a_case_is_the_same_each_time(opened: Fuzzer) -> None:
    assert opened.case(7) == opened.case(7)
    assert opened.case(7) != opened.case(8)


def test_what_is_no_sentence_is_noticed(opened: Fuzzer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_sentence("Traceback (most recent call last)")
    monkeypatch.setattr(opened, "read", lambda *_: 1 // 0)
    assert "ZeroDivisionError" in opened.run(range(1)).wrong[0]
