"""The logo of a report: any picture, kept as a small PNG without what else was in its file."""

from __future__ import annotations

from contextlib import closing

from core.errors import ReportError
from core.loading.isolated import open_source
from core.loading.isolation import ask
from core.loading.pictures import NO_PICTURE

LOGO_SIZE = (480, 160)  # pixels at most
MAX_LOGO_BYTES = 10_000_000


def logo_field(data: bytes) -> str:
    """The picture as the report's field takes it; a ReportError says what is wrong with it."""
    if len(data) > MAX_LOGO_BYTES:
        raise ReportError("The logo is larger than 10 MB.")
    options = dict(zip(("width", "height"), LOGO_SIZE, strict=True))
    with (
        open_source(data, "logo", MAX_LOGO_BYTES) as file,
        closing(ask("picture", options, file, _refusal)) as answer,
    ):
        return str(next(answer))


def _refusal(sentence: str, **_: object) -> ReportError:
    """What a child cannot read is no picture, whatever the reason."""
    return ReportError(sentence if sentence[:1].isupper() else NO_PICTURE)
