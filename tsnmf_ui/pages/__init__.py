"""One folder per page: page.py, its widgets beside it, its style sheet.

navigation lists the pages in order, results loads what the results pages share, widgets are
shared between pages, entry is the script that Streamlit runs. A page requires a project, asks,
acts and shows; computations live in core.workspace.
"""

__all__ = []
