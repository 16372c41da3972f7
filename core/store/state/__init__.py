"""The state of a project: labels in force, topics, word rules; and the derived tables of it.

The rest of ``core.store`` uses ``state_reader`` (what a store can do); ``log_lines``, ``topics``,
``lineage``, ``word_rules`` and ``difference``; and what brings the derived tables up to date after
an event: ``document_update``, ``topic_update``, ``bulk_update``, ``planned_change``; or builds them
all from a log that came with a file: ``rebuild``.
"""

__all__ = ["labels_in_force", "preview", "replay"]
