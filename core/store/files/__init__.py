"""What leaves and enters as a file: a whole project, or its labels.

The rest of ``core.store`` uses ``project_file`` and ``project_import``, too.
"""

__all__ = ["label_files", "label_import", "spreadsheet_cells"]
