"""Check the installation and a store; nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.store.maintenance.checks import check_store
from core.store.maintenance.findings import Finding
from core.workspace.installation import check_installation

__all__ = ["Finding", "examine"]


def examine(home: Path | str | None = None) -> Iterator[Finding]:
    """Every finding, as soon as it is known."""
    yield from check_installation()
    yield from check_store(home)
