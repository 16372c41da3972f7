"""The report of a project: what it is made from, and its description."""

from __future__ import annotations

from collections.abc import Sequence

from core import report
from core.store import Store
from core.workspace.caches.corpora import corpus_of
from core.workspace.labels import agreement_of
from core.workspace.results import Results, matching

SCORED_ON = "Scored on unlabelled texts against the labels in the file."


def report_material(
    store: Store, found: Results, colours: Sequence[str] = ()
) -> report.ReportInput:
    """Everything a report of these results is made from."""
    project = found.project
    matched = matching(store, found)
    return report.ReportInput(
        topics=found.topics,
        corpus=corpus_of(store, project.id),
        supervision=found.supervision,
        text=found.run.spec.text_settings(project.settings.text),
        matching=matched,
        matched_with=SCORED_ON if matched else "",
        people=report.summarise_people(
            store.events(project.id),
            found.annotations,
            agreement=agreement_of(store, project.id, project.revision),
        ),
        colours=colours,
    )


def documents_table(store: Store, found: Results) -> bytes:
    """All documents with their topics and labels, as CSV."""
    return report.documents_csv(found.topics, corpus_of(store, found.project.id), found.supervision)
