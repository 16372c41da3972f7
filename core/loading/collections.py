"""The demo corpus, and corpora that NLTK and scikit-learn keep on this machine."""

from __future__ import annotations

import csv
import os
import sys
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from core.corpus import ColumnRoles, Corpus, DroppedRow, Reading, duplicates
from core.errors import CorpusError
from core.loading.isolation import Budget, ask
from core.loading.plain_values import corpus_of_lines
from core.loading.reading import CorpusOptions, read_corpus
from core.loading.shipped_files import asset

REUTERS_MISSING = (
    "Reuters is not on this machine; `python -m nltk.downloader reuters` fetches it once, "
    "when the machine is online."
)
NEWSGROUPS_MISSING = (
    "20 Newsgroups is not on this machine; scikit-learn's `fetch_20newsgroups` fetches it once, "
    "when the machine is online."
)
NEWSGROUP_SUBSETS = ("train", "test", "all")
NLTK_SHARED = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
COLLECTION_BYTES = 100_000_000  # no collection is larger
REMOVABLE_PARTS = ("headers", "footers", "quotes")


class DemoLabel(NamedTuple):
    """One label that the demo project starts with."""

    id: str
    permitted: tuple[str, ...]
    forbidden: tuple[str, ...]
    confidence: str
    author: str


def read_demo() -> Corpus:
    """The demo: what citizens write to a city's service desk; written for this project."""
    columns = CorpusOptions(
        text="message",
        id="id",
        date="received",
        label="topics",
        label_separator=";",
        side=("district", "area", "channel"),
    )
    return read_corpus(asset("demo", "service_desk.csv"), columns)


def read_demo_labels() -> list[DemoLabel]:
    """The labels the demo opens with."""
    with open(asset("demo", "labels.csv"), encoding="utf8", newline="") as file:
        return [
            DemoLabel(
                id=row["id"],
                permitted=_names(row["permitted"]),
                forbidden=_names(row["forbidden"]),
                confidence=row["confidence"] or "sure",
                author=row["author"],
            )
            for row in csv.DictReader(file)
        ]


def read_reuters(*, min_characters: int = 1) -> Corpus:
    """Reuters, ModApte split, 90 labels, through NLTK; the paper asks for 250 characters."""
    places = [str(place) for place in _nltk_places()]
    return _read("reuters", {"places": places, "min_characters": min_characters})


def read_newsgroups(
    subset: str = "train", *, min_characters: int = 1, remove: Sequence[str] = REMOVABLE_PARTS
) -> Corpus:
    """20 Newsgroups by date through scikit-learn; ``remove`` names what to strip from its texts.

    Texts of which nothing is left are left out, unless ``min_characters`` is 0.
    """
    if subset not in NEWSGROUP_SUBSETS:
        raise CorpusError(f"20 Newsgroups has the parts train, test and all, not “{subset}”.")
    unknown = sorted(set(remove) - set(REMOVABLE_PARTS))
    if unknown:
        known = ", ".join(REMOVABLE_PARTS)
        raise CorpusError(f"What can be removed from a text is {known}, not “{unknown[0]}”.")
    options = {"subset": subset, "min_characters": min_characters, "remove": list(remove)}
    return _read("newsgroups", {"home": str(_scikit_learn_home()), **options})


def _read(collection: str, options: Mapping[str, Any]) -> Corpus:
    """A collection is a download, so it is read like an upload: in a process of its own."""
    with open(os.devnull, "rb") as nothing:
        budget = Budget.of(COLLECTION_BYTES)
        answer = ask(collection, options, nothing, CorpusError, budget=budget)
    with closing(answer):
        return corpus_of_lines(answer)


def _names(cell: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in cell.split(";") if name.strip())


def parse_reuters(places: list[str], min_characters: int) -> Corpus:
    """Reuters as NLTK finds it in one of the places; only a child process calls this."""
    import nltk
    from nltk.corpus import reuters

    nltk.data.path[:] = places
    try:
        names = reuters.fileids()
        texts = _raw_texts(reuters, names)
        labels = [tuple(reuters.categories(name)) for name in names]
    except (LookupError, OSError):
        raise CorpusError(REUTERS_MISSING) from None
    part = [name.partition("/")[0] for name in names]
    return _make_corpus("Reuters", names, texts, labels, {"part": part}, min_characters)


def _raw_texts(reader: Any, names: list[str]) -> list[str]:
    """``reader.raw`` for many names: NLTK opens its archive anew for each, we open it once."""
    packed = getattr(reader.root, "zipfile", None)
    if packed is None:
        return [reader.raw(name) for name in names]
    with zipfile.ZipFile(packed.filename) as archive:
        return [
            archive.read(reader.root.entry + name).decode(reader.encoding(name)) for name in names
        ]


def parse_newsgroups(home: str, subset: str, min_characters: int, remove: list[str]) -> Corpus:
    """20 Newsgroups as scikit-learn keeps it; only a child process calls this."""
    from sklearn.datasets import fetch_20newsgroups

    try:
        found = fetch_20newsgroups(
            data_home=home,
            subset=subset,
            remove=tuple(remove),
            shuffle=False,
            download_if_missing=False,
        )
    except OSError:
        raise CorpusError(NEWSGROUPS_MISSING) from None
    groups = [found.target_names[target] for target in found.target]
    ids = [f"{group}/{number}" for number, group in enumerate(groups, start=1)]
    side = {"hierarchy": [group.partition(".")[0] for group in groups]}
    labels = [(group,) for group in groups]
    return _make_corpus("20 Newsgroups", ids, found.data, labels, side, min_characters)


def reuters_available() -> bool:
    """Whether NLTK would find Reuters; looks in the same places, without importing it."""
    return any(
        (place / "corpora" / name).exists()
        for place in _nltk_places()
        for name in ("reuters.zip", "reuters")
    )


def newsgroups_available() -> bool:
    """Whether scikit-learn would find 20 Newsgroups; cheap."""
    return (_scikit_learn_home() / "20news-bydate_py3.pkz").exists()


def _scikit_learn_home() -> Path:
    return Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()


def _nltk_places() -> list[Path]:
    asked = [Path(place) for place in os.environ.get("NLTK_DATA", "").split(os.pathsep) if place]
    own = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    shared = [Path(root) / "nltk_data" for root in NLTK_SHARED]
    return [*asked, Path("~/nltk_data").expanduser(), *own, *shared]


def _make_corpus(
    name: str,
    ids: list[str],
    texts: list[str],
    labels: Sequence[tuple[str, ...]],
    side: dict[str, list[str]],
    min_characters: int,
) -> Corpus:
    """A corpus from its parts; short texts are left out and reported."""
    min_length = max(min_characters, 0)
    keep = [place for place, text in enumerate(texts) if len(text.strip()) >= min_length]
    reason = (
        "the text is empty"
        if min_length <= 1
        else f"the text has fewer than {min_length} characters"
    )
    kept = set(keep)
    dropped = [DroppedRow(place + 1, reason) for place in range(len(texts)) if place not in kept]
    corpus_texts = tuple(texts[place] for place in keep)
    return Corpus(
        ids=tuple(ids[place] for place in keep),
        texts=corpus_texts,
        labels=tuple(labels[place] for place in keep),
        side={column: tuple(cells[place] for place in keep) for column, cells in side.items()},
        reading=Reading(
            source=name,
            kind="collection",
            columns=ColumnRoles(text="text", id="id", labels="labels", side=tuple(side)),
            rows_read=len(texts),
            dropped=tuple(dropped),
            duplicates=duplicates(corpus_texts),
        ),
    )
