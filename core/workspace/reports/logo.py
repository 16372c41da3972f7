"""The logo of a report: any picture, kept as a small PNG without what else was in its file."""

from __future__ import annotations

import base64
import io
import warnings

from PIL import Image

from core.errors import ReportError

LOGO_SIZE = (480, 160)  # pixels at most
MAX_PIXELS = 20_000_000  # of the picture that is given
MAX_LOGO_BYTES = 10_000_000
NO_PICTURE = "The logo is no picture that can be read; take a PNG or JPEG file."


def logo_field(data: bytes) -> str:
    """The picture as the report's field takes it; a ReportError says what is wrong with it."""
    if len(data) > MAX_LOGO_BYTES:
        raise ReportError("The logo is larger than 10 MB.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return _as_png(data)
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        raise ReportError(NO_PICTURE) from None


def _as_png(data: bytes) -> str:
    with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as picture:
        if picture.width * picture.height > MAX_PIXELS:
            raise ReportError("The logo has more than 20 million pixels.")
        small = picture.convert("RGBA")
    small.thumbnail(LOGO_SIZE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode("ascii")
