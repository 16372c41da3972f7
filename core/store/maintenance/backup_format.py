"""A backup: one ZIP file, whose members are stored as they are.

::

    studio.db                                the database, as it was at one moment
    factors/…  scores/…  comparisons/…  vectors/…    as they lie beside the database
    manifest.json                            the last member: format, version of the app and of the
                                             database, time, and size and SHA-256 of every other one
"""

from __future__ import annotations

import json
import re
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import StoreError
from core.loading.backup_parts import NO_BACKUP
from core.loading.strict_json import strict_value
from core.store.maintenance.stored_files import owner_of
from core.store.private_files import DATABASE, FILE_MODE

MANIFEST = "manifest.json"
FORMAT, FORMAT_VERSION = "tsnmf-studio backup", 1
MAX_MANIFEST_BYTES = 16 * 2**20  # of a hundred thousand files
CHUNK = 2**20
NEWER_FORMAT = "This backup was made by a newer version of the Studio."
UNREADABLE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, ValueError, KeyError, TypeError),
    *(RecursionError, NotImplementedError, OverflowError, AttributeError, RuntimeError),
    *(IndexError, MemoryError, struct.error),
)
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a backup: how long it is, and its SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, and when it was made by which version."""

    app: str
    made: str
    schema: int
    members: Mapping[str, Member]

    @property
    def size(self) -> int:
        return sum(member.size for member in self.members.values())

    def to_json(self) -> bytes:
        members = {name: [each.size, each.sha256] for name, each in self.members.items()}
        about = {"format": FORMAT, "version": FORMAT_VERSION, "app": self.app, "made": self.made}
        return json.dumps({**about, "schema": self.schema, "members": members}).encode("utf-8")


def entry(name: str) -> zipfile.ZipInfo:
    """A new member, readable by its owner alone and not packed."""
    made = zipfile.ZipInfo(name)
    made.external_attr = (stat.S_IFREG | FILE_MODE) << 16
    return made


def read_manifest(bundle: zipfile.ZipFile, file_size: int) -> Manifest:
    """The manifest, after every member's name, kind and size has been checked."""
    entries = {each.filename: each for each in bundle.infolist()}
    if len(entries) < len(bundle.infolist()) or MANIFEST not in entries:
        raise StoreError(NO_BACKUP)
    if not all(_is_plain(each) for each in entries.values()):
        raise StoreError(NO_BACKUP)
    if sum(each.file_size for each in entries.values()) > file_size:
        raise StoreError(NO_BACKUP)  # members lie over one another
    if entries[MANIFEST].file_size > MAX_MANIFEST_BYTES:
        raise StoreError(NO_BACKUP)
    manifest = _parsed(strict_value(bundle.read(MANIFEST), MAX_MANIFEST_BYTES))
    sizes = {name: each.file_size for name, each in entries.items() if name != MANIFEST}
    if sizes != {name: member.size for name, member in manifest.members.items()}:
        raise StoreError(NO_BACKUP)
    return manifest


def chunks_of(file: Any) -> Iterator[bytes]:
    """The content of an open file, a piece at a time."""
    while piece := file.read(CHUNK):
        yield piece


def _is_plain(each: zipfile.ZipInfo) -> bool:
    """A regular file under a name of a store, not packed and not encrypted."""
    kind = stat.S_IFMT(each.external_attr >> 16)
    known = each.filename in (MANIFEST, DATABASE) or owner_of(each.filename) is not None
    packed = each.compress_type != zipfile.ZIP_STORED or each.compress_size != each.file_size
    return known and not packed and not each.flag_bits & 0x1 and kind in (0, stat.S_IFREG)


def _parsed(values: Any) -> Manifest:
    if values["format"] != FORMAT or type(values["version"]) is not int:
        raise StoreError(NO_BACKUP)
    if values["version"] > FORMAT_VERSION:
        raise StoreError(NEWER_FORMAT)
    members = {name: Member(*member) for name, member in values["members"].items()}
    sound = all(type(m.size) is int and _HASH.fullmatch(m.sha256) for m in members.values())
    texts = isinstance(values["app"], str) and isinstance(values["made"], str)
    if not (sound and texts and type(values["schema"]) is int and DATABASE in members):
        raise StoreError(NO_BACKUP)
    return Manifest(values["app"], values["made"], values["schema"], members)
