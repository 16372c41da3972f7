"""Who recorded an event, and the number their browser gave it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from core.errors import StoreError
from core.store.events.checks import checked_text, whole

AUTHOR_LIMIT = 200
CLIENT_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Origin:
    """The author of an event; client and sequence number make a repeated request harmless."""

    author: str
    client: str | None = None
    sequence: int | None = None
    time: datetime | None = None  # now, unless a log is read from a file

    @property
    def receipt(self) -> str | None:
        """Names a client of this author. Others may learn a client's name, but not take it."""
        if self.client is None:
            return None
        named = f"{self.author}\0{self.client}".encode()
        return hashlib.blake2b(named, digest_size=24).hexdigest()

    def checked(self) -> Origin:
        author = checked_text(self.author, "An author's name", AUTHOR_LIMIT)
        if not author:
            raise StoreError("Every event has an author.")
        if (self.client is None) != (self.sequence is None):
            raise StoreError("A client and its sequence number come together.")
        if self.client is None or self.sequence is None:
            return Origin(author, time=self.time)
        client = checked_text(self.client, "A client's name", CLIENT_LIMIT)
        return Origin(author, client, whole(self.sequence, "A sequence"), self.time)
