"""The formats of a report: one table of them, and a writer for each.

``FORMATS`` maps a format's name to its suffix, its sentence and its writer. A writer is imported
when it is used, so that the table is there at once. ``write_report`` writes a file whole or not at
all, with progress; ``read_report`` reads a report back from its JSON file.
"""

from core.report.formats.registry import FORMATS, ReportFormat, format_of, write_report

__all__ = ["FORMATS", "ReportFormat", "format_of", "html", "json_file", "write_report"]
