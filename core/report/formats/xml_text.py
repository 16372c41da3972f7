"""Text as XML can hold it: without control characters and halves of characters."""

from __future__ import annotations

import re

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """The text without what a document of Office cannot hold."""
    return NOT_IN_XML.sub("", text)
