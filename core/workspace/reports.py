"""The report of a project: what it is made from, and its description."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypedDict

import numpy as np

from core import report
from core.store import Project, ReportField, Store
from core.values import count
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.caches.queue_hints import neighbour_index_key, read_neighbour_index
from core.workspace.caches.store_cache import StoreCache
from core.workspace.labels import agreement_of
from core.workspace.results import Results, Version
from core.workspace.scores import ScoreHistory, score_history
from core.workspace.scores import sentences as score_sentences

_people: StoreCache[report.People] = StoreCache(max_entries=4)
_near_copies: StoreCache[int] = StoreCache(max_entries=8)
_wordless: StoreCache[int | None] = StoreCache(max_entries=8)


def report_material(
    store: Store,
    found: Results,
    colours: Sequence[str] = (),
    board: ScoreHistory | None = None,
) -> report.ReportInput:
    """Everything a report of these results is made from; ``board`` if it has been read already."""
    project = found.project
    return report.ReportInput(
        topics=found.topics,
        corpus=corpus_of(store, project.id),
        supervision=found.supervision,
        text=found.run.spec.text_settings(project.settings.text),
        scores=scores_of(board or score_history(store, project)),
        people=_people.get(store, found.version, lambda: _people_of(store, found)),
        near_copies=_near_copies_of(store, project),
        wordless=_wordless.get(store, found.run_key, lambda: _count_wordless(store, found)),
        behind=found.behind,
        adherence_at_fit=found.run.outcome.scores.adherence,
        colours=colours,
        **_wording(store, project),
    )


class Wording(TypedDict):
    """What analysts wrote, as a report takes it."""

    title: str
    summary: str
    summary_note: str


def _wording(store: Store, project: Project) -> Wording:
    written = store.report_fields(project.id)
    title, summary = written.get("title"), written.get("summary")
    return {
        "title": title.text if title else project.name,
        "summary": summary.text if summary else "",
        "summary_note": summary_note(store, project, summary) if summary else "",
    }


def summary_note(store: Store, project: Project, summary: ReportField) -> str:
    """That labels or topics changed since a summary was written; empty if nothing did."""
    later = store.count_changes(project.id, after=summary.event)
    if not later:
        return ""
    when = f"{summary.time.day} {summary.time:%B %Y}"
    return f"{summary.author} wrote this summary on {when}; {count(later, 'event')} since then."


def material_key(found: Results, material: report.ReportInput) -> tuple[Version, Hashable]:
    """Changes with everything in the material that can change: what a rendered report is kept by.

    Scores come some time after their run, near-copies after the first one.
    """
    scores = material.scores
    return found.version, (
        material.near_copies,
        (material.title, material.summary, material.summary_note),
        scores.basis,
        scores.missing,
        tuple((name, *score) for name, score in scores.values.items()),
    )


def scores_of(board: ScoreHistory | None) -> report.ReportScores:
    """The scores as the Scores page shows them; else why there are none."""
    if board is None or board.point is None:
        return report.ReportScores(missing=score_sentences.NOT_COMPUTED)
    about = (score_sentences.earlier_scores_sentence(board), score_sentences.basis_sentence(board))
    return report.ReportScores(
        values=board.point.scores,
        labels=board.tables.get("labels") or (),
        basis=" ".join(filter(None, about)),
        missing=score_sentences.no_score_sentence(board),
    )


def _people_of(store: Store, found: Results) -> report.People:
    project = found.project
    return report.summarise_people(
        store.events(project.id),
        found.annotations,
        agreement=agreement_of(store, project.id, project.revision),
        from_file_until=project.settings.labels_from_file_until,
    )


def _near_copies_of(store: Store, project: Project) -> int | None:
    """None until the fit process has looked for them; they never change afterwards."""
    for with_vectors in (True, False):
        key = neighbour_index_key(store, project, with_vectors=with_vectors)
        if _near_copies.has(store, key):
            return _near_copies.get(store, key, lambda: 0)
        index = read_neighbour_index(store, key)
        if index is not None:
            copies = int((index.first_copy != np.arange(len(index.first_copy))).sum())
            return _near_copies.get(store, key, lambda n=copies: n)  # type: ignore[misc]
    return None


def _count_wordless(store: Store, found: Results) -> int | None:
    """Texts that hold none of the run's words; None if the project reads others by now."""
    matrix = matrix_of(store, found.project)
    if matrix.terms != found.topics.terms:
        return None
    return int((np.diff(matrix.X.indptr) == 0).sum())


def documents_table(store: Store, found: Results) -> bytes:
    """All documents with their topics and labels, as CSV."""
    return report.documents_csv(found.topics, corpus_of(store, found.project.id), found.supervision)
