"""Projects and their documents: create, copy, find.

The rest of ``core.store`` uses ``project_store`` (what a store can do), ``documents``,
``added_texts``, ``new_project``, ``full_text`` and ``own_vectors``, too.
"""

__all__ = ["demo"]
