"""Files of every format → Table: the cells as they stand, before columns get roles.

The rest of ``core.loading`` uses ``delimited`` (CSV, TSV), ``workbook`` (Excel), ``records`` (JSON,
Parquet) and ``archive`` (ZIP files, folders of texts), each of which returns a ``table``;
``encoding`` turns bytes into text.
"""

__all__ = ["table"]
