"""Report: one description of the results, rendered to a page and to a table.

``build_report`` gathers, ``render_html`` and ``documents_csv`` write. Figures arrive as Plotly
JSON and plotly.js as text, so this package draws nothing itself.
"""

from core.report.building import Material, build_report, default_summary
from core.report.description import Figure, Report, Table, TopicSection
from core.report.documents import documents_csv
from core.report.page import render_html
from core.report.people import People, work_of

__all__ = [
    "Figure",
    "Material",
    "People",
    "Report",
    "Table",
    "TopicSection",
    "build_report",
    "default_summary",
    "documents_csv",
    "render_html",
    "work_of",
]
