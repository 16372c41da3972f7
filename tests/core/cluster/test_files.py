"""Files that are read, counted and fitted on workers give what one machine makes of them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core import ModelSpec, Supervision, TextSettings, build_matrix, fit, read_corpus
from core.cluster import TextColumns, text_files
from core.cluster.counted_files import SampleShare, TermTotals
from core.cluster.text_files import TextFile, find_files
from core.errors import CorpusError, ModelError, TextError
from core.loading import FileLimits, read_demo

COLUMNS = TextColumns(text="body", id="key", label="topic", label_separator=";")
SETTINGS = TextSettings(max_terms=400)
PASSES = {"max_iter": 10, "tol": 0.0}


@pytest.fixture(scope="module")
def rows():
    """The demo's texts, one in three with its labels."""
    corpus = read_demo()
    return [
        {
            "key": f"k{i}",
            "body": text,
            "topic": ";".join(corpus.labels[i]) if i % 3 == 0 else "",
        }
        for i, text in enumerate(corpus.texts)
    ]


@pytest.fixture(scope="module")
def folder(rows, tmp_path_factory):
    """Three files of three kinds, in order, and one that is none of these."""
    folder = tmp_path_factory.mktemp("files")
    pd.DataFrame(rows[:100]).to_parquet(folder / "a.parquet")
    lines = "\n".join(json.dumps(row) for row in rows[100:230])
    (folder / "b.jsonl").write_text(lines, encoding="utf-8")
    pd.DataFrame(rows[230:]).to_csv(folder / "c.csv.gz", index=False)
    (folder / "notes.txt").write_text("Not a table.")
    return folder


@pytest.fixture(scope="module")
def whole(rows, tmp_path_factory):
    """Matrix and labels of the same rows, read by one machine from one file."""
    file = tmp_path_factory.mktemp("one") / "all.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    corpus = read_corpus(file, text="body", id="key", label="topic", label_separator=";", side=[])
    return build_matrix(corpus, SETTINGS), Supervision.of(list(corpus.labels))


@pytest.mark.parametrize(
    "spec",
    [
        ModelSpec("nmf", 12, options=PASSES),
        ModelSpec("tsnmf", 16, options=PASSES),
        ModelSpec("tsnmf", 16, options=PASSES | {"guidance": 0, "labelled_weight": "inverse_rate"}),
    ],
    ids=["nmf", "guided", "pure"],
)
def test_files_give_the_matrix_the_topics_and_the_shares_of_one_machine(
    cluster, folder, whole, spec, tmp_path
):
    matrix, labels = whole
    here = fit(matrix, labels, spec)
    out = tmp_path / "shares"
    there = cluster.fit_files(
        str(folder), spec, columns=COLUMNS, settings=SETTINGS, shares=str(out)
    )
    assert there.matrix.terms == matrix.terms
    assert there.matrix.doc_ids == matrix.doc_ids
    assert_allclose(there.matrix.X.toarray(), matrix.X.toarray(), atol=1e-6)
    assert_array_equal(there.matrix.vocabulary.document_frequency, matrix.document_frequency)
    assert there.topics.names == here.names
    assert_allclose(there.topics.trace.objective, here.trace.objective, rtol=1e-5)
    assert_allclose(there.topics.topic_term, here.topic_term, atol=1e-5)
    written = pd.concat([pd.read_parquet(file) for file in sorted(out.iterdir())])
    assert tuple(written.pop("id")) == matrix.doc_ids
    assert_allclose(written.to_numpy(), here.shares(), atol=1e-4)


def test_a_sample_on_this_machine_and_sums_of_the_rest(
    cluster, folder, whole, monkeypatch, tmp_path
):
    """With room for a third of the texts here, all of them still shape the topics."""
    monkeypatch.setattr("core.cluster.file_fit.MAX_SAMPLE_TEXTS", 100)
    matrix, labels = whole
    spec = ModelSpec("tsnmf", 16, options=PASSES)
    there = cluster.fit_files(
        f"{folder}/[abc]*", spec, columns=COLUMNS, settings=SETTINGS, shares=str(tmp_path)
    )
    n_docs = len(matrix.doc_ids)
    assert len(there.matrix.doc_ids) <= 100 < n_docs == there.n_docs
    assert there.topics.trace.objective[0] == pytest.approx(
        np.sum(matrix.X.data.astype(float) ** 2), rel=1e-5
    )
    shares = pd.concat([pd.read_parquet(file) for file in sorted(tmp_path.iterdir())])
    ids, W = list(shares.pop("id")), shares.to_numpy()
    assert (W[~labels.topic_mask(16)] == 0).all()
    assert_allclose(there.summary.shares, W.sum(axis=0), rtol=1e-4)
    assert there.summary.main_topic.sum() == W.any(axis=1).sum()
    carried = labels.permitted.toarray()
    means = [W[carried[:, label]].mean(axis=0) for label in range(labels.n_labels)]
    assert_allclose(there.label_topic, means, atol=1e-4)
    best = there.summary.top[2][0]
    id_, text = there.quotes(2, 1)[0]
    assert id_ == best.id
    assert best.share == pytest.approx(W[ids.index(id_), 2], abs=1e-5)
    assert text == read_demo().texts[int(id_[1:])]


def test_a_sample_takes_labelled_texts_first_and_no_more_than_asked():
    totals = TermTotals(1000, 30, *(3 * [{}]))
    share = SampleShare.of(totals, 100)
    labelled = np.arange(1000) % 33 == 1
    labelled[np.flatnonzero(labelled)[30:]] = False
    at = share.positions(labelled)
    assert labelled[at].sum() == labelled.sum()
    assert 95 <= at.size <= 101
    assert at[-1] > 900
    everything = SampleShare.of(replace(totals, n_docs=90), 100).positions(labelled[:90])
    assert everything.tolist() == list(range(90))


def test_terms_by_their_largest_weight_are_not_chosen_from_totals():
    with pytest.raises(TextError, match="on one machine only"):
        TermTotals(2, 0, *(3 * [{"a": 1}])).vocabulary(TextSettings(preset="vbnmf_paper"))


def test_ids_tell_files_apart_where_there_is_no_column_of_them(folder):
    files = find_files(str(folder))
    assert [file.name for file in files] == ["a.parquet", "b.jsonl", "c.csv.gz"]
    columns = replace(COLUMNS, id="")
    assert [file.read(columns).ids[0] for file in files[:2]] == ["a.parquet:1", "b.jsonl:1"]


@pytest.mark.parametrize("address", ["{}/nothing.csv", "{}/*.xlsx", "memory://nowhere/"])
def test_an_address_without_files_is_said(tmp_path, address):
    with pytest.raises(CorpusError, match=r"^There is no \.parquet, \.jsonl, \.csv, \.tsv file at"):
        find_files(address.format(tmp_path))


def test_a_file_that_cannot_be_read_is_named(cluster, tmp_path):
    (tmp_path / "good.csv").write_text("key,body,topic\n1,a text about rain,\n")
    (tmp_path / "wrong.csv").write_text("key,topic\n1,rain\n")
    with pytest.raises(CorpusError, match=r"wrong\.csv: there is no column “body”"):
        cluster.fit_files(str(tmp_path), ModelSpec("nmf", 2), columns=COLUMNS)


@pytest.mark.parametrize(
    "spec", [ModelSpec("ssnmf", 3), ModelSpec("nmf", 3, options={"solver": "mu"})]
)
def test_other_models_need_a_matrix(cluster, folder, spec):
    with pytest.raises(ModelError, match=r'nmf and tsnmf with solver="cd"'):
        cluster.fit_files(str(folder), spec)


class Endless(io.RawIOBase):
    """A file that never ends."""

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "it would fill the memory"
        return b"x" * size


def test_of_a_file_that_is_too_large_no_more_is_read_than_tells_so(monkeypatch):
    monkeypatch.setattr(text_files, "LIMITS", FileLimits(bytes=1_000_000))
    monkeypatch.setattr(text_files, "_fsspec", lambda: SimpleNamespace(open=lambda *_: Endless()))
    with pytest.raises(CorpusError, match="larger than 1 MB"):
        TextFile("memory://endless.csv", "endless.csv", "").read(TextColumns())
