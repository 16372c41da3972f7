"""What the report of a project is made from."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from core import report
from core.store import Project, ReportField, Store
from core.store.runs import issued_reports
from core.values import count, written_date
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.caches.queue_hints import neighbour_index_key, read_neighbour_index
from core.workspace.caches.store_cache import StoreCache
from core.workspace.column_roles import dates_of, groups_of_corpus
from core.workspace.labels import agreement_of
from core.workspace.reports.history_rows import history_rows
from core.workspace.reports.recipe import shown_recipe
from core.workspace.results import Results, Version, true_labels
from core.workspace.scores import ScoreHistory, score_history
from core.workspace.scores import sentences as score_sentences

_people: StoreCache[report.People] = StoreCache(max_entries=4)
_near_copies: StoreCache[int] = StoreCache(max_entries=8)
_wordless: StoreCache[int | None] = StoreCache(max_entries=8)
_personal: StoreCache[report.PersonalData] = StoreCache(max_entries=8)
_recipes: StoreCache[Mapping[str, object]] = StoreCache(max_entries=4)


def report_material(
    store: Store,
    found: Results,
    colours: Sequence[str] = (),
    board: ScoreHistory | None = None,
    privacy: report.Privacy | None = None,
) -> report.ReportInput:
    """Everything a report of these results is made from; ``board`` if it has been read already.

    ``privacy`` is the project's own unless another is given.
    """
    project, written = found.project, store.report_fields(found.project.id)
    chosen, arrangement = privacy or privacy_of(written), arrangement_of(written)
    people = _people.get(store, found.version, lambda: _people_of(store, found, arrangement.hidden))
    labels = true_labels(store, project) or found.people_labels
    corpus = corpus_of(store, project.id)
    return report.ReportInput(
        topics=found.topics,
        corpus=replace(corpus, dates=dates_of(corpus, project.settings)),
        groups=tuple(groups_of_corpus(corpus, project.settings)),
        supervision=found.supervision,
        text=found.run.spec.text_settings(project.settings.text),
        scores=scores_of(board or score_history(store, project)),
        people=people,
        labels=report.LabelTable(names=labels.names, indicator=labels.indicator, true=labels.true),
        near_copies=_near_copies_of(store, project),
        unread=found.unread,
        wordless=_wordless.get(store, found.run_key, lambda: _count_wordless(store, found)),
        behind=found.behind,
        adherence_at_fit=found.run.outcome.scores.adherence,
        colours=colours,
        privacy=chosen,
        personal=_personal_of(store, project) if chosen.masks else None,
        arrangement=arrangement,
        codebook=store.codebook(project.id),
        memos=_memos_of(store, found) if chosen.memos == "shown" else (),
        highlights=store.shared_highlights(project.id) if chosen.quotes != "withheld" else {},
        last_report=issued_reports.last_before(store.home, project.id, found.run.id),
        recipe=_recipes.get(
            store,
            (*found.version, chosen.masks),
            lambda: shown_recipe(store, found, masks=chosen.masks, hidden=arrangement.hidden),
        ),
        history=lambda: history_rows(store, project.id, arrangement.hidden),
        **_wording(store, project, written, report.PersonNames(chosen, _authors(people))),
    )


def _memos_of(store: Store, found: Results) -> list[report.WrittenMemo]:
    """Memos on the project and its topics, then the notes of labels, each oldest first."""
    written = [
        report.WrittenMemo(topic=each.topic, text=each.text, author=each.author, time=each.time)
        for each in store.memos(found.project.id)
    ]
    noted = [each for each in found.annotations.values() if each.note]
    ids = corpus_of(store, found.project.id, texts=False).ids if noted else ()
    notes = (
        report.WrittenMemo(
            document=ids[each.position], text=each.note, author=each.author, time=each.time
        )
        for each in sorted(noted, key=lambda each: each.event)
    )
    return [*written, *notes]


def privacy_of(written: Mapping[str, ReportField]) -> report.Privacy:
    """The privacy setting on the log."""
    return report.Privacy.of({name: field.text for name, field in written.items()})


def arrangement_of(written: Mapping[str, ReportField]) -> report.Arrangement:
    """Order, hidden topics, comments, chosen quotes and logo on the log."""
    texts = {name: field.text for name, field in written.items()}
    chosen = _by_topic(texts, "chosen")
    return report.Arrangement(
        order=tuple(texts.get("order", "").split("\n")) if "order" in texts else (),
        hidden=frozenset(texts.get("hidden", "").split("\n")) - {""},
        comments=_by_topic(texts, "comment"),
        chosen={key: tuple(map(int, text.split())) for key, text in chosen.items()},
        logo=texts.get("logo", ""),
    )


def _by_topic(texts: Mapping[str, str], kind: str) -> dict[str, str]:
    prefix = f"{kind}:"
    return {name[len(prefix) :]: text for name, text in texts.items() if name.startswith(prefix)}


def _personal_of(store: Store, project: Project) -> report.PersonalData:
    """What there is to mask; counted once, until texts are added."""
    key = (project.id, project.texts_revision)
    return _personal.get(
        store, key, lambda: report.count_personal(corpus_of(store, project.id).texts)
    )


def _authors(people: report.People) -> list[str]:
    return [author for author, _ in people.authors]


class Wording(TypedDict):
    """What analysts wrote, as a report takes it."""

    title: str
    summary: str
    summary_note: str


def _wording(
    store: Store, project: Project, written: Mapping[str, ReportField], people: report.PersonNames
) -> Wording:
    title, summary = written.get("title"), written.get("summary")
    return {
        "title": title.text if title else project.name,
        "summary": summary.text if summary else "",
        "summary_note": summary_note(store, project, summary, people) if summary else "",
    }


def summary_note(
    store: Store, project: Project, summary: ReportField, people: report.PersonNames
) -> str:
    """That labels or topics changed since a summary was written; empty if nothing did."""
    later = store.count_changes(project.id, after=summary.event)
    if not later:
        return ""
    who = people.name(summary.author)
    return (
        f"{who[0].upper()}{who[1:]} wrote this summary on {written_date(summary.time)}; "
        f"{count(later, 'event')} since then."
    )


def material_key(found: Results, material: report.ReportInput) -> tuple[Version, Hashable]:
    """Changes with everything in the material that can change: what a rendered report is kept by.

    Every event makes another version, those about the report too. Scores come some time after
    their run, near-copies after the first one.
    """
    scores, last = material.scores, material.last_report
    return found.version, (
        material.near_copies,
        (material.title, material.summary, material.summary_note),
        material.privacy,
        scores.basis,
        scores.missing,
        tuple((name, *score) for name, score in scores.values.items()),
        None if last is None else last.made,
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


def _people_of(store: Store, found: Results, hidden: Collection[str]) -> report.People:
    project = found.project
    names = store.topic_names(project.id)
    return report.summarise_people(
        store.events(project.id),
        found.annotations,
        agreement=agreement_of(store, project.id, project.revision),
        topic_names={topic: name for topic, name in names.items() if str(topic) not in hidden},
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
    read = len(found.topics.doc_ids) - found.unread
    return int((np.diff(matrix.X.indptr)[:read] == 0).sum())
