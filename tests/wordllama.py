"""For tests that need the extra ``meaning``; the test extra brings it, so CI must have it."""

from __future__ import annotations

import os

import pytest

from core.text.encoders import wordllama_installed


def require_wordllama() -> None:
    """Skip where wordllama is not installed; fail in CI, where it must be."""
    if wordllama_installed():
        return
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail("wordllama is missing although the test extra brings it.")
    pytest.skip("wordllama is not installed (extra: meaning)")
