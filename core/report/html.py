"""The report as one HTML file: no server, no network, no Python needed to read it.

Documents and names are data: Jinja escapes every value. Two places hold raw text on purpose,
plotly.js and the figures' JSON; both are written so that no ``</script>`` can end them early.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from core.report.description import Report
from core.report.formatting import day
from core.values import count, percent

REPORT_FOLDER = Path(__file__).parent
UNSAFE_IN_JSON = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def render_html(report: Report, plotly_js: str = "") -> str:
    """The whole page; ``plotly_js`` is inlined once, and only when there is a figure."""
    return _template().render(
        report=report,
        plotly_js=Markup(_script_text(plotly_js)) if report.figures else "",
        figures={figure.place: Markup(_json_text(figure.json)) for figure in report.figures},
        style=Markup((REPORT_FOLDER / "page.css").read_text(encoding="utf-8")),
    )


def _script_text(code: str) -> str:
    """JavaScript that cannot close its own element: in a string or pattern, \\/ is /."""
    return code.replace("</script", "<\\/script").replace("</SCRIPT", "<\\/SCRIPT")


def _json_text(text: str) -> str:
    """JSON whose strings hold no character that HTML could read as markup."""
    for character, escaped in UNSAFE_IN_JSON.items():
        text = text.replace(character, escaped)
    return text


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(REPORT_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["counted"] = count
    environment.filters["number"] = lambda value: f"{value:,}"
    environment.filters["day"] = day
    return environment.get_template("page.html")
