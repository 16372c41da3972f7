"""Any picture as a small PNG without what else was in its file; only a child process calls this."""

from __future__ import annotations

import base64
import io
import warnings
from typing import BinaryIO

from core.errors import ReportError

NO_PICTURE = "The logo is no picture that can be read; take a PNG or JPEG file."
MAX_PIXELS = 20_000_000  # of the picture that is given


def read_picture(file: BinaryIO, width: int, height: int) -> str:
    """The picture in base 64, at most so large."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(file, formats=("PNG", "JPEG")) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    raise ReportError("The logo has more than 20 million pixels.")
                small = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        raise ReportError(NO_PICTURE) from None
    small.thumbnail((width, height))
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode("ascii")
