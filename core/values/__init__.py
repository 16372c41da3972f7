"""What the project's immutable values share.

``content`` compares and copies them, ``table`` shows them in notebooks, ``percentage`` and
``counting`` write shares and counts, ``dates`` dates as precisely as they are known,
``label_forms`` reads labels in whatever form a caller has them, ``frames`` turns pandas frames into
values and back, ``last_result`` keeps what was computed from the last large matrix, ``whole_file``
writes files whole or not at all.
"""

from core.values.content import ArrayValue, CopiedByFields
from core.values.counting import bytes_in_words, count
from core.values.dates import DatePrecision, date_precision, written_date
from core.values.percentage import percent
from core.values.table import html_table
from core.values.whole_file import whole_file

__all__ = [
    "ArrayValue",
    "CopiedByFields",
    "DatePrecision",
    "bytes_in_words",
    "count",
    "date_precision",
    "frames",
    "html_table",
    "label_forms",
    "last_result",
    "percent",
    "whole_file",
    "written_date",
]
