"""The description of a project's report, kept until something in it changes, and its files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core import report
from core.errors import NotFound
from core.insight.quotes import Quote
from core.report import passages
from core.store import Store
from core.store.runs import issued_reports
from core.text import analyzer_of
from core.workspace.caches.paths import drop_reports_of, report_path
from core.workspace.caches.store_cache import StoreCache
from core.workspace.reports.material import material_key, report_material
from core.workspace.results import Results, results_of

OFFERED_QUOTES = 8  # passages of a topic to choose from

_candidates: StoreCache[list[Quote]] = StoreCache(max_entries=100)
_described: StoreCache[report.Report] = StoreCache(max_entries=4)


def describe_report(store: Store, found: Results, material: report.ReportInput) -> report.Report:
    """The report; built once for each state of the project."""
    key = (material_key(found, material), tuple(material.colours))
    return _described.get(store, key, lambda: report.build_report(material))


def write_project_report(
    store: Store,
    found: Results,
    material: report.ReportInput,
    path: Path | str,
    *,
    format: str | None = None,
    tell: report.Tell = lambda share: False,
) -> Path:
    """Write a project's report to a file, whole or not at all.

    It is dated today, and remembered, so that the next one can say what changed.
    """
    described = replace(describe_report(store, found, material), made=datetime.now(UTC))
    written = report.write_report(described, path, format, tell)
    shown = report.issued_report(described, found.run.id)
    issued_reports.remember(store.home, found.project.id, shown)
    return written


def report_file(store: Store, found: Results, material: report.ReportInput, format: str) -> Path:
    """Where the file of exactly this report lies once a job has written it."""
    state = repr((material_key(found, material), material.arrangement, material.colours))
    name = hashlib.blake2b(state.encode("utf-8", "replace"), digest_size=12).hexdigest()
    return report_path(store, found.project.id, f"{name}{report.FORMATS[format].suffix}")


def write_report_job(
    store: Store, project: int, arguments: Mapping[str, Any], tell: Callable[[float], bool]
) -> str:
    """The job that writes one format of a large report; where the file lies."""
    found = results_of(store, store.project(project), resting=True)
    if found is None:
        raise NotFound("The project has no fit yet; refit it first.")
    material = report_material(store, found, tuple(arguments.get("colours", ())))
    format = str(arguments["format"])
    path = report_file(store, found, material, format)
    drop_reports_of(store, project, path.suffix)
    write_project_report(store, found, material, path, format=format, tell=tell)
    return str(path)


def quote_candidates(
    store: Store, found: Results, material: report.ReportInput, topic: int
) -> list[Quote]:
    """Passages of a topic that an analyst may choose to quote."""
    spans = analyzer_of(material.text).spans
    key = (*found.run_key, topic)
    return _candidates.get(store, key, lambda: passages(material, topic, spans, n=OFFERED_QUOTES))
