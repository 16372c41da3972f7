"""Searches in a project: ``document_search`` answers them, ``similar`` compares texts."""

from core.workspace.searches.document_search import (
    DocumentSearch,
    SearchScope,
    column_examples,
    find_in_project,
)

__all__ = ["DocumentSearch", "SearchScope", "column_examples", "find_in_project"]
