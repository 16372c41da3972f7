"""Find names by what was typed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.loading.columns.spellings import folded

NO_VALUE = "none"  # label:none finds documents without a label, column:none those without a value


def matching_names(value: str, names: Mapping[int, str], *, whole: bool = False) -> list[int]:
    """By name, else by the beginning of it, else by a part of it.

    Case, spaces and underscores do not matter: by them spellings were joined in the file.
    """
    wanted = folded(value)
    plain = {key: folded(name) for key, name in names.items()}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name == wanted,
        lambda name: name.startswith(wanted),
        lambda name: wanted in name,
    )
    for test in tests[: 1 if whole else None]:
        if found := [key for key, name in plain.items() if test(name)]:
            return found
    return []
