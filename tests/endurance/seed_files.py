"""Undamaged files of the kinds that only the Studio reads: what the fuzzer begins with."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from core import Supervision, TextSettings, build_matrix, fit
from core.corpus import Corpus
from core.evaluation.progress import EvaluatedRun
from core.report import FORMATS
from core.spec import ModelSpec
from core.store import (
    CreateTopic,
    EditCodebook,
    Label,
    ProjectSettings,
    RunOutcome,
    RunScores,
    Store,
)
from core.store.files.codebook_files import write_codebook
from core.store.files.label_files import Format, write_labels
from core.store.maintenance.backup import back_up
from core.store.runs import comparisons, evaluations
from core.text import DocumentVectors
from tests.core.report.material import report as small_report
from tests.core.store.desk import POINT, STUDY, SUMMARY, topics_of_three

CORPUS = Corpus(ids=("a1", "a2", "a3"), texts=("the lamp is dark", "bins", "a swing"))
LABEL_FORMATS: tuple[Format, ...] = ("csv", "jsonl")


class ProjectFiles(NamedTuple):
    """What a project gives away: itself, its labels and its codebook."""

    project: bytes
    labels: dict[str, bytes]  # by format
    codebook: dict[str, bytes]


def project_files(folder: Path) -> ProjectFiles:
    """Of a store with everything in it."""
    with Store.open(home=folder) as store:
        store.create_project("Desk", CORPUS, ProjectSettings(n_free=1), author="ann")
        for new in (CreateTopic("Light"), Label(0, (1,)), CreateTopic("Bins"), Label(1, (2,))):
            store.record(1, new, author="ann")
        store.undo(1, author="ann")
        topics = topics_of_three(CORPUS.ids)
        outcome = RunOutcome(scores=RunScores(mean_jaccard=0.5), began_with={1: 1})
        for _ in range(2):
            store.add_run(
                1, revision=2, topics=topics, outcome=outcome, seconds=0.1,
                settings=ProjectSettings(),
            )  # fmt: skip
        comparisons.save(store.home, 1, SUMMARY, STUDY)
        evaluations.save(store.home, EvaluatedRun.from_dict(POINT), 1, {}, None)
        path = store.export_project(1, folder / "desk.zip")
        labels = store.annotations(1), store.topic_names(1), store.document_ids(1)
        entry = EditCodebook(1, "Lamps, dark streets", "broken ones", "", (0, 2))
        store.record(1, entry, author="ann")
        store.save_own_vectors(1, DocumentVectors(values=np.eye(3), source="mine"))
        return ProjectFiles(
            path.read_bytes(),
            {each: b"".join(write_labels(*labels, format=each)) for each in LABEL_FORMATS},
            {
                "csv": write_codebook(store, 1),
                "json": write_codebook(store, 1, format="json"),
                "xlsx": write_codebook(store, 1, format="xlsx"),
            },
        )


def backup_bytes(home: Path) -> bytes:
    """A backup of a store."""
    back_up(home / "backup.zip", home, force=True)
    return (home / "backup.zip").read_bytes()


def vector_bytes() -> bytes:
    file = BytesIO()
    np.save(file, np.eye(3, 4, dtype=np.float32))
    return file.getvalue()


def model_bytes(folder: Path) -> bytes:
    """A guided model's file."""
    matrix = build_matrix(CORPUS, TextSettings(max_share=1.0, min_documents=1))
    topics = fit(matrix, Supervision.of([["Light"], ["Bins"], []]), ModelSpec(n_topics=3))
    topics.fitted_model(matrix).save(folder / "seed.tsnmf")
    return (folder / "seed.tsnmf").read_bytes()


def report_bytes() -> bytes:
    file = BytesIO()
    FORMATS["json"].write(small_report(n=6), file)
    return file.getvalue()


def picture_bytes(format: str) -> bytes:
    file, values = BytesIO(), np.arange(40 * 30 * 3, dtype=np.uint8).reshape(30, 40, 3)
    Image.fromarray(values).save(file, format)
    return file.getvalue()
