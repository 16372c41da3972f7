"""Present: a report on the whole screen, one idea at a time, live or from its JSON file.

``show`` draws it, ``present_asked`` says whether the address asks for it.
"""

from tsnmf_ui.pages.report.present.page import present_asked, show

__all__ = ["present_asked", "show"]
