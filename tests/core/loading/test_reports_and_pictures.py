"""Reports and pictures that are opened in the app are read by a child process, too."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from core.errors import ReportError
from core.report import FORMATS, read_report
from core.workspace.reports import logo_field
from tests.core.report.material import report as small_report


@pytest.fixture
def no_parsing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would decode a file in this process fails."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("The server decodes what it was handed.")

    monkeypatch.setattr(Image, "open", forbidden)
    monkeypatch.setattr("core.loading.strict_json.json.loads", _lines_only)


def _lines_only(text: str | bytes, **more: object) -> object:
    """Answers of a child are lines of JSON; nothing else is parsed here."""
    import json.decoder

    if more:
        raise AssertionError("The server decodes what it was handed.")
    return json.decoder.JSONDecoder().decode(text if isinstance(text, str) else text.decode())


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.zeros((height, width), np.uint8)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.usefixtures("no_parsing_here")
def test_a_report_of_empty_lists_takes_no_memory_of_the_server() -> None:
    bomb = b'{"format": [' + b"[]," * 5_000_000 + b"[]]}"
    with pytest.raises(ReportError, match="not JSON, or too large"):
        read_report(bomb)


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("colour", "red;background:url(//evil.example/x)", "has no colour"),
        ("share", 1e300, "an impossible share"),
        ("documents", 99, "more texts than there are"),
    ],
)
def test_a_report_that_cannot_be_drawn_is_refused(place: str, value: object, reason: str) -> None:
    plain = json.loads(written_report())
    plain["report"]["topics"][1][place] = value
    with pytest.raises(ReportError, match=reason):
        read_report(json.dumps(plain).encode())


@pytest.mark.parametrize("logo", [b"", b"no picture", b"\x89PNG\r\n\x1a\n"])
def test_a_report_shows_no_logo_that_a_project_could_not_have(logo: bytes) -> None:
    """A browser would unpack two kilobytes to gigabytes."""
    plain = json.loads(written_report())
    plain["report"]["logo"] = base64.b64encode(logo or png(9_000, 9_000)).decode()
    with pytest.raises(ReportError, match="its logo is no picture"):
        read_report(json.dumps(plain).encode())


@pytest.mark.parametrize("start", ["tomorrow", "9999-01-01"])
def test_a_trend_of_impossible_days_is_refused(start: str) -> None:
    plain = json.loads(written_report())
    plain["report"]["topics"][0]["trend"][0]["start"] = start
    with pytest.raises(ReportError, match="an impossible point in its trend"):
        read_report(json.dumps(plain).encode())


def written_report() -> bytes:
    file = io.BytesIO()
    FORMATS["json"].write(small_report(), file)
    return file.getvalue()


def test_a_logo_is_made_small_by_a_child() -> None:
    given = png(2_000, 500)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Image, "open", lambda *_, **__: 1 // 0)
        assert logo_field(given).startswith("iVBORw0KGgo")


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"\x89PNG\r\n\x1a\n" + b"\xff" * 64, png(99, 99)[:45]]
)
def test_what_is_no_picture_is_one_sentence(data: bytes) -> None:
    with pytest.raises(ReportError, match="is no picture that can be read"):
        logo_field(data)


def test_a_picture_of_very_many_pixels_is_refused() -> None:
    with pytest.raises(ReportError, match="20 million pixels"):
        logo_field(png(7_000, 3_000))
