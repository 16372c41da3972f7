"""What the columns of a table are: text, id, date, labels, side information.

The rest of ``core.loading`` uses ``guessing`` (the role of each column), ``dates`` (the formats of
a column of dates; ``month_names`` beside the English ones), ``date_cells`` (its values), ``markup``
(HTML in texts), ``spellings`` (names that are one), ``misspellings`` (those that probably are),
``numbers`` (with a decimal comma) and ``names`` (which column names suggest a role);
``label_cells`` and ``name_lists`` read several names in one cell.
"""

__all__ = ["dates", "label_cells", "misspellings", "name_lists", "numbers", "spellings"]
