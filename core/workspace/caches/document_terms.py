"""The terms of single documents, as the project's model reads them; a few are asked for again."""

from __future__ import annotations

from collections.abc import Collection

from core.store import Project, Store
from core.text import Analyzer
from core.workspace.caches.store_cache import StoreCache

MAX_KEPT = 20_000  # documents in memory, before all are forgotten

_kept: StoreCache[dict[int, frozenset[str]]] = StoreCache(max_entries=4)


def terms_of(
    store: Store, project: Project, positions: Collection[int]
) -> dict[int, frozenset[str]]:
    """By position; each is read once, until texts are added or updated."""
    settings = project.settings.text
    known = _kept.get(store, (project.id, project.texts_revision, settings), dict)
    found = {at: terms for at in positions if (terms := known.get(at)) is not None}
    missing = sorted(set(positions) - found.keys())
    if not missing:
        return found
    analyzer, documents = Analyzer(settings), store.documents(project.id, missing)
    read = (frozenset(analyzer.terms(document.text)) for document in documents)
    fresh = dict(zip(missing, read, strict=True))
    if len(known) + len(fresh) > MAX_KEPT:
        known.clear()
    known.update(fresh)
    return found | fresh
