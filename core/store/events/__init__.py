"""Kinds of events, their checks, and the append-only log they are written to.

The rest of ``core.store`` uses ``event_store`` (what a store can do), ``codebook``, ``memos``,
``report_fields``, ``saved_searches``, ``added_texts``, ``origin``, ``effects``, ``in_force``, and
the log: ``append``, ``batches``, ``bulk_labels``, ``event_rows``, ``log``, ``undo``.
"""

__all__ = ["checks", "new_events", "requirements", "topic_events"]
