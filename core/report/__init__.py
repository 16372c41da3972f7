"""Report: one description of the results, rendered to a page and to a table.

``build_report`` collects the content, ``render_html`` and ``documents_csv`` write it. Figures are
given as Plotly JSON and plotly.js as text, so this package draws nothing itself.
"""

from core.report.content import build_report
from core.report.description import Figure, Report, ReportTable, TopicSection
from core.report.documents_csv import documents_csv
from core.report.html import render_html
from core.report.inputs import ReportInput
from core.report.people import People, labels_of_file, summarise_people
from core.report.quality import ReportScores
from core.report.summary import default_summary

__all__ = [
    "Figure",
    "People",
    "Report",
    "ReportInput",
    "ReportScores",
    "ReportTable",
    "TopicSection",
    "build_report",
    "default_summary",
    "documents_csv",
    "labels_of_file",
    "render_html",
    "summarise_people",
]
