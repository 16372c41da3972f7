"""Report: one description of the results, rendered to any of ``FORMATS``.

``build_report`` collects the content under a ``Privacy`` setting, ``write_report`` writes it to a
file. ``FORMATS`` is the one table of formats: name, suffix, sentence and writer of each.
``formats`` holds the writers.
"""

from core.report.content import build_report, software_versions
from core.report.description import Report, ReportTable, TopicSection
from core.report.formats import FORMATS, ReportFormat, format_of, write_report
from core.report.formats.html import render_html
from core.report.formats.json_file import MAX_REPORT_BYTES, read_report
from core.report.inputs import Arrangement, LabelTable, ReportInput, WrittenMemo
from core.report.last_report import issued_report
from core.report.masking import Masker, PersonalData, count_personal
from core.report.people import People, labels_of_file, summarise_people
from core.report.privacy import MIN_GROUP, PRIVACY_PRESETS, PersonNames, Privacy
from core.report.quality import ReportScores
from core.report.rows import HistoryRow, Tell
from core.report.summary import default_summary
from core.report.topic_sections import passages, trend_table

__all__ = [
    "FORMATS",
    "MAX_REPORT_BYTES",
    "MIN_GROUP",
    "PRIVACY_PRESETS",
    "Arrangement",
    "HistoryRow",
    "LabelTable",
    "Masker",
    "People",
    "PersonNames",
    "PersonalData",
    "Privacy",
    "Report",
    "ReportFormat",
    "ReportInput",
    "ReportScores",
    "ReportTable",
    "Tell",
    "TopicSection",
    "WrittenMemo",
    "build_report",
    "count_personal",
    "default_summary",
    "format_of",
    "issued_report",
    "labels_of_file",
    "passages",
    "read_report",
    "render_html",
    "software_versions",
    "summarise_people",
    "trend_table",
    "write_report",
]
