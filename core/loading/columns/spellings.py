"""Names that differ only in case, spaces or underscores are one name, spelled as most often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

MAX_NAMED = 5  # joined names in a note
OTHER_SPACES = "the same with other spaces"


def folded(name: str) -> str:
    """What two spellings of a name have in common."""
    return " ".join(name.replace("_", " ").casefold().split())


def usual_spellings(names: Iterable[str], known: Iterable[str] = ()) -> dict[str, str]:
    """For every spelling that is not the usual one of its name, the usual one.

    The most frequent is usual; of equals one that is not all capitals, then one that begins with a
    capital, then the one that came first. A name that is ``known`` is spelled as it is there.
    """
    counts = Counter(names)
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for name in counts:
        spellings[folded(name)].append(name)
    usual = {
        key: max(found, key=lambda name: (counts[name], not name.isupper(), name[:1].isupper()))
        for key, found in spellings.items()
    } | {folded(name): name for name in dict.fromkeys(known)}
    return {name: usual[key] for key, found in spellings.items() for name in found}


def joined_note(usual: Mapping[str, str], column: str) -> tuple[str, ...]:
    """What was joined in a column, in a sentence; nothing if nothing was."""
    others: defaultdict[str, list[str]] = defaultdict(list)
    for name, kept in usual.items():
        if name != kept:
            others[kept].append(name)
    if not others:
        return ()
    listed = "; ".join(_joined(kept, names) for kept, names in list(others.items())[:MAX_NAMED])
    more = f"; and {len(others) - MAX_NAMED:,} more" if len(others) > MAX_NAMED else ""
    return (
        f"In “{column}”, spellings that differ only in case, spaces or underscores were joined: "
        f"{listed}{more}.",
    )


def _joined(kept: str, names: Sequence[str]) -> str:
    """Pages show one space for several, so those that differ in nothing else are told apart."""
    plain = " ".join(kept.split())
    shown = (OTHER_SPACES if " ".join(name.split()) == plain else f"“{name}”" for name in names)
    return f"{', '.join(dict.fromkeys(shown))} as “{kept}”"
