"""Corpora that come with the studio, or that NLTK and scikit-learn keep on this machine."""

from __future__ import annotations

import csv
import os
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.assets import asset
from core.corpus import Columns, Corpus, Dropped, Reading
from core.errors import CorpusError
from core.loading.reading import duplicates, read_corpus

REUTERS_MISSING = (
    "Reuters is not on this machine; `python -m nltk.downloader reuters` fetches it once, "
    "when the machine is online."
)
NEWSGROUPS_MISSING = (
    "20 Newsgroups is not on this machine; scikit-learn's `fetch_20newsgroups` fetches it once, "
    "when the machine is online."
)
SUBSETS = ("train", "test", "all")
NLTK_SHARED = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
STRIPPED = ("headers", "footers", "quotes")


class DemoLabel(NamedTuple):
    """One line of the demo's labels: what a first person has already said."""

    id: str
    permitted: tuple[str, ...]
    forbidden: tuple[str, ...]
    confidence: str
    author: str


def read_demo() -> Corpus:
    """The demo: what citizens write to a city's service desk; written for this project."""
    return read_corpus(
        asset("demo", "service_desk.csv"),
        text="message",
        id="id",
        date="received",
        label="topics",
        label_separator=";",
        side=("district", "area", "channel"),
    )


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


def _names(cell: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in cell.split(";") if name.strip())


def read_reuters(*, min_characters: int = 1) -> Corpus:
    """Reuters, ModApte split, 90 labels, through NLTK; the paper asks for 250 characters."""
    from nltk.corpus import reuters

    try:
        names = reuters.fileids()
        texts = _raw_texts(reuters, names)
        labels = [tuple(reuters.categories(name)) for name in names]
    except (LookupError, OSError):
        raise CorpusError(REUTERS_MISSING) from None
    part = [name.partition("/")[0] for name in names]
    return _known("Reuters", names, texts, labels, {"part": part}, min_characters)


def _raw_texts(reader: Any, names: list[str]) -> list[str]:
    """``reader.raw`` for many names: NLTK opens its archive anew for each, we open it once."""
    packed = getattr(reader.root, "zipfile", None)
    if packed is None:
        return [reader.raw(name) for name in names]
    with zipfile.ZipFile(packed.filename) as archive:
        return [
            archive.read(reader.root.entry + name).decode(reader.encoding(name)) for name in names
        ]


def read_newsgroups(subset: str = "train", *, min_characters: int = 1) -> Corpus:
    """20 Newsgroups by date through scikit-learn, without headers, footers and quotes."""
    from sklearn.datasets import fetch_20newsgroups

    if subset not in SUBSETS:
        raise CorpusError(f"20 Newsgroups has the parts train, test and all, not “{subset}”.")
    try:
        found = fetch_20newsgroups(
            subset=subset, remove=STRIPPED, shuffle=False, download_if_missing=False
        )
    except OSError:
        raise CorpusError(NEWSGROUPS_MISSING) from None
    groups = [found.target_names[target] for target in found.target]
    ids = [f"{group}/{number}" for number, group in enumerate(groups, start=1)]
    side = {"hierarchy": [group.partition(".")[0] for group in groups]}
    labels = [(group,) for group in groups]
    return _known("20 Newsgroups", ids, found.data, labels, side, min_characters)


def reuters_at_hand() -> bool:
    """Whether NLTK would find Reuters; looks where it looks, without the time it takes to load."""
    return any(
        (place / "corpora" / name).exists()
        for place in _nltk_places()
        for name in ("reuters.zip", "reuters")
    )


def newsgroups_at_hand() -> bool:
    """Whether scikit-learn would find 20 Newsgroups; cheap."""
    home = os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")
    return (Path(home).expanduser() / "20news-bydate_py3.pkz").exists()


def _nltk_places() -> list[Path]:
    asked = [Path(place) for place in os.environ.get("NLTK_DATA", "").split(os.pathsep) if place]
    own = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    shared = [Path(root) / "nltk_data" for root in NLTK_SHARED]
    return [*asked, Path("~/nltk_data").expanduser(), *own, *shared]


def _known(
    name: str,
    ids: list[str],
    texts: list[str],
    labels: Sequence[tuple[str, ...]],
    side: dict[str, list[str]],
    min_characters: int,
) -> Corpus:
    """A corpus from parts, short texts left out and reported."""
    least = max(min_characters, 1)
    keep = [place for place, text in enumerate(texts) if len(text.strip()) >= least]
    reason = "the text is empty" if least == 1 else f"the text has fewer than {least} characters"
    kept = set(keep)
    dropped = [Dropped(place + 1, reason) for place in range(len(texts)) if place not in kept]
    corpus_texts = tuple(texts[place] for place in keep)
    return Corpus(
        ids=tuple(ids[place] for place in keep),
        texts=corpus_texts,
        labels=tuple(labels[place] for place in keep),
        side={column: tuple(cells[place] for place in keep) for column, cells in side.items()},
        reading=Reading(
            source=name,
            kind="collection",
            columns=Columns(text="text", id="id", labels="labels", side=tuple(side)),
            rows_read=len(texts),
            dropped=tuple(dropped),
            duplicates=duplicates(corpus_texts),
        ),
    )
