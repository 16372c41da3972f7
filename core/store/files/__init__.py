"""What leaves and enters as a file: a whole project, its labels, or its codebook.

The rest of ``core.store`` uses ``project_file`` and ``project_import``, too, and for backups the
checks of what comes from a stranger: ``field_types``, ``checked_parts``, ``checked_documents``,
``checked_log``, ``checked_topics``.
"""

__all__ = ["codebook_files", "label_columns", "label_files", "label_import", "spreadsheet_cells"]
