"""Who may use our routes: whoever was handed a token by a page of this server.

A token names its author; a ticket names a file, and the author who may have it. Neither can be made
up, and one cannot serve as the other.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import asdict, dataclass
from hashlib import sha256

from core.store.files.label_files import Format

_SECRET = secrets.token_bytes(32)  # lives as long as the server: old tokens die with it
AUTHOR, FILE = "author", "file"  # what something was signed as


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTicket:
    """A file that a page offers to its visitor: one that is there, or an export of a project."""

    author: str
    project: int  # which it is about
    name: str  # under which it is saved
    media_type: str
    path: str = ""  # without one the project is exported when somebody asks
    labels: Format | None = None  # export its labels alone, in this format
    texts: bool = False  # with their texts


def token(author: str) -> str:
    """A token that names its author and cannot be made up."""
    return _sealed(author, AUTHOR)


def author_of(given: str) -> str | None:
    """The author a token was made for; None if this server did not make it."""
    return _opened(given, AUTHOR)


def seal_ticket(ticket: FileTicket) -> str:
    return _sealed(json.dumps(asdict(ticket)), FILE)


def ticket_of(given: str) -> FileTicket | None:
    """The ticket; None if this server did not make it."""
    found = _opened(given, FILE)
    return None if found is None else FileTicket(**json.loads(found))


def _sealed(value: str, kind: str) -> str:
    text = urlsafe_b64encode(value.encode("utf-8")).decode("ascii").rstrip("=")
    return f"{text}.{_signature(text, kind)}"


def _opened(given: str, kind: str) -> str | None:
    text, _, signature = given.partition(".")
    if not hmac.compare_digest(signature.encode("utf-8"), _signature(text, kind).encode("ascii")):
        return None
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("utf-8")
    except (Error, UnicodeDecodeError):
        return None


def _signature(text: str, kind: str) -> str:
    return hmac.new(_SECRET, f"{kind} {text}".encode(), sha256).hexdigest()
