"""Who may use our routes: whoever was handed a token by a page of this server."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hashlib import sha256

_SECRET = secrets.token_bytes(32)  # lives as long as the server: old tokens die with it


def token(author: str) -> str:
    """A token that names its author and cannot be made up."""
    name = urlsafe_b64encode(author.encode("utf-8")).decode("ascii").rstrip("=")
    return f"{name}.{_signature(name)}"


def author_of(given: str) -> str | None:
    """The author a token was made for; None if this server did not make it."""
    name, _, signature = given.partition(".")
    if not hmac.compare_digest(signature.encode("utf-8"), _signature(name).encode("ascii")):
        return None
    try:
        return urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode("utf-8")
    except (Error, UnicodeDecodeError):
        return None


def _signature(name: str) -> str:
    return hmac.new(_SECRET, name.encode("utf-8"), sha256).hexdigest()
