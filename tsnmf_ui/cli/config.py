"""``--config run.toml``: options from a file, as if they stood on the command line first.

The file may come from somebody else, so it names no cluster: Dask's computers run what the others
of them send.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import StudioError

CONFIG_OPTION = "--config"
CLUSTER_OPTION = "--cluster"
NO_CLUSTER = (
    "{} names a cluster, which could run anything on this computer; type {} address, if you trust "
    "it."
)


def with_config(given: Sequence[str]) -> list[str]:
    """The arguments with those of the file before them, so that what is typed wins."""
    path, rest = _config_of(given)
    if path is None or not rest:
        return list(rest)
    command, typed = rest[0], rest[1:]
    chosen = list(_arguments(_read(path)))
    if any(CLUSTER_OPTION.startswith(each.partition("=")[0]) for each in chosen):  # or shortened
        raise StudioError(NO_CLUSTER.format(path, CLUSTER_OPTION))
    return [command, *chosen, *typed]


def _config_of(given: Sequence[str]) -> tuple[Path | None, list[str]]:
    for place, word in enumerate(given):
        if word.startswith(f"{CONFIG_OPTION}="):
            path = Path(word.partition("=")[2])
            return path, [*given[:place], *given[place + 1 :]]
        if word == CONFIG_OPTION and place + 1 < len(given):
            return Path(given[place + 1]), [*given[:place], *given[place + 2 :]]
    return None, list(given)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudioError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StudioError(f"{path} is no TOML: {error}.") from None


def _arguments(values: Mapping[str, Any]) -> Iterator[str]:
    """“topics = 12” is “--topics 12”; a table “set” holds the model's options."""
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, Mapping):
            yield from (f"{option}={key}={_text(each)}" for key, each in value.items())
        elif isinstance(value, list):
            yield from (f"{option}={_text(each)}" for each in value)
        elif value is True:
            yield option
        elif value is not False:
            yield f"{option}={_text(value)}"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
