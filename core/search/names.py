"""Find names by what was typed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

NO_VALUE = "none"  # label:none finds documents without a label, column:none those without a value


def matching_names(value: str, names: Mapping[int, str], *, whole: bool = False) -> list[int]:
    """By name, else by the beginning of it, else by a part of it; case does not matter."""
    wanted = value.casefold()
    plain = {key: name.casefold() for key, name in names.items()}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name.strip() == wanted,
        lambda name: name.startswith(wanted),
        lambda name: wanted in name,
    )
    for test in tests[: 1 if whole else None]:
        if found := [key for key, name in plain.items() if test(name)]:
            return found
    return []
