"""The report of a project: what it is made from, its description, its files, and how to repeat it.

``material`` gathers what a report is made from; ``described`` keeps the description and writes
files of it; ``recipe`` says what a run was made from, and ``repeat`` makes it again.
"""

from core.workspace.reports.described import (
    describe_report,
    quote_candidates,
    report_file,
    write_project_report,
    write_report_job,
)
from core.workspace.reports.logo import logo_field
from core.workspace.reports.material import material_key, report_material, scores_of
from core.workspace.reports.repeat import Repetition, repeat_report

__all__ = [
    "Repetition",
    "describe_report",
    "logo_field",
    "material",
    "material_key",
    "quote_candidates",
    "repeat_report",
    "report_file",
    "report_material",
    "scores_of",
    "write_project_report",
    "write_report_job",
]
