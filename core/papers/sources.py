"""The real corpora of the papers, read by the loaders that everybody uses."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.corpus import Corpus
from core.errors import CorpusError
from core.loading import read_corpus, read_newsgroups, read_reuters
from core.matrix import DocumentTermMatrix, build_matrix
from core.supervision import Supervision
from core.text import TextSettings
from core.values import count

REUTERS_WORDS = TextSettings(preset="tsnmf_paper")
FOLDER_VARIABLE = "TSNMF_PAPERS_DATA"
LINK_SEPARATOR = "; "  # what the reader of JSON lines puts between the values of a list
FILE_MISSING = (
    "{file} is not on this machine; put it into the folder that the variable "
    f"{FOLDER_VARIABLE} names: JSON lines with the fields {{fields}}. {{origin}}"
)
LINKS_FIELDS = "id, labels and cites (ids of the papers that are linked)"
LINKS_ORIGIN = (
    "`curl -O https://linqs-data.soe.ucsc.edu/public/lbc/{name}.tgz` fetches the original."
)
ADDRESSES_FILE = "sotu.jsonl.gz"
ADDRESSES_FIELDS = "id, text, labels (the president), party and year"
ADDRESSES_ORIGIN = "The American Presidency Project of UC Santa Barbara has the texts."
NIPS_FILE = "nips_1987_1999_bow.jsonl.gz"
NIPS_FIELDS = "id, text (the words, as often as they occur) and labels (the authors)"
NIPS_ORIGIN = "`curl -O https://cs.nyu.edu/~roweis/data/nips12raw_str602.tgz` fetches the original."


@dataclass(frozen=True)
class LabelledMatrix:
    """A document-term matrix and the true labels of its documents."""

    name: str
    matrix: DocumentTermMatrix
    counts: DocumentTermMatrix  # the same words, counted
    truth: Supervision

    @property
    def fingerprint(self) -> str:
        return self.matrix.fingerprint

    @property
    def description(self) -> str:
        n_docs, n_terms = self.matrix.shape
        return (
            f"{self.name}, {count(n_docs, 'text')}, {count(n_terms, 'term')}, "
            f"{count(self.truth.n_labels, 'label')}."
        )

    @classmethod
    def of(cls, name: str, corpus: Corpus, settings: TextSettings) -> LabelledMatrix:
        truth = Supervision.of(corpus.labels, corpus.label_names)
        counts = build_matrix(corpus, replace(settings, weighting="counts", l2=False))
        return cls(name, build_matrix(corpus, settings), counts, truth)


@dataclass(frozen=True)
class ReutersTexts:
    """All texts of Reuters, of which the short ones can be left out."""

    corpus: Corpus

    @property
    def fingerprint(self) -> str:
        return self.corpus.fingerprint

    @property
    def description(self) -> str:
        return f"Reuters, {count(len(self.corpus), 'text')} of any length."

    def longer_than(self, min_characters: int) -> LabelledMatrix:
        """The texts of at least so many characters."""
        return _long_texts(self.corpus, min_characters)


@lru_cache(maxsize=1)
def _long_texts(corpus: Corpus, min_characters: int) -> LabelledMatrix:
    rows = [row for row, text in enumerate(corpus.texts) if len(text.strip()) >= min_characters]
    return LabelledMatrix.of("Reuters", corpus.rows(rows), REUTERS_WORDS)


def reuters() -> LabelledMatrix:
    """Reuters as MacMillan & Wilson read it: 2,000 terms, texts of at least 250 characters."""
    return LabelledMatrix.of("Reuters", read_reuters(min_characters=250), REUTERS_WORDS)


def reuters_texts() -> ReutersTexts:
    return ReutersTexts(read_reuters())


@dataclass(frozen=True)
class NewsgroupTexts:
    """20 Newsgroups by date: the texts to learn from and those to judge by, whole and stripped.

    Stripped means without headers, footers and quotes.
    """

    train: Corpus
    test: Corpus
    stripped_train: Corpus
    stripped_test: Corpus
    removed: str = "nothing"  # from the whole ones

    @property
    def fingerprint(self) -> str:
        parts = (self.train, self.test, self.stripped_train, self.stripped_test)
        whole = "".join(part.fingerprint for part in parts)
        return hashlib.blake2b(whole.encode("utf8"), digest_size=16).hexdigest()

    @property
    def description(self) -> str:
        return (
            f"20 Newsgroups by date, {count(len(self.train), 'text')} to learn from and "
            f"{count(len(self.test), 'text')} to judge by: whole ones ({self.removed} removed) and "
            "others without headers, footers and quotes."
        )

    def parts(self, headers: str) -> tuple[Corpus, Corpus]:
        """Training and test texts; those without headers, footers and quotes if “stripped”."""
        if headers == "stripped":
            return self.stripped_train, self.stripped_test
        return self.train, self.test


def newsgroups_by_date(remove: Sequence[str] = ()) -> NewsgroupTexts:
    """The division by date; texts of which nothing is left stay."""
    parts = ("train", "test")
    whole = [read_newsgroups(part, min_characters=0, remove=remove) for part in parts]
    stripped = [read_newsgroups(part, min_characters=0) for part in parts]
    return NewsgroupTexts(
        train=whole[0],
        test=whole[1],
        stripped_train=stripped[0],
        stripped_test=stripped[1],
        removed=" and ".join(remove) or "nothing",
    )


def linked_papers(name: str) -> tuple[Corpus, list[list[str]]]:
    """“cora” or “citeseer”: papers with a label each, and the ids of those they link to."""
    path = _file(f"{name}_bow.jsonl.gz", LINKS_FIELDS, LINKS_ORIGIN.format(name=name))
    corpus = read_corpus(path, text="text", id="id", label="labels", side=["cites"])
    return corpus, [cell.split(LINK_SEPARATOR) for cell in corpus.side["cites"]]


def addresses(last_year: int) -> Corpus:
    """State of the Union, one label each, the president; party and year beside it."""
    path = _file(ADDRESSES_FILE, ADDRESSES_FIELDS, ADDRESSES_ORIGIN)
    corpus = read_corpus(path, text="text", id="id", label="labels", side=["party", "year"])
    years = corpus.side["year"]
    return corpus.rows([row for row, year in enumerate(years) if int(year) <= last_year])


def nips_papers() -> Corpus:
    """Papers of the NIPS conferences 1987 to 1999; labels are the authors."""
    path = _file(NIPS_FILE, NIPS_FIELDS, NIPS_ORIGIN)
    return read_corpus(path, text="text", id="id", label="labels")


def _file(name: str, fields: str, origin: str) -> Path:
    folder = os.environ.get(FOLDER_VARIABLE, "")
    path = Path(folder) / name
    if not folder or not path.exists():
        raise CorpusError(FILE_MISSING.format(file=name, fields=fields, origin=origin))
    return path
