"""The real corpora of the papers, read by the loaders that everybody uses."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.corpus import Corpus
from core.errors import CorpusError
from core.loading import read_corpus, read_reuters
from core.matrix import DocumentTermMatrix, build_matrix
from core.supervision import Supervision
from core.text import TextSettings
from core.values import count

REUTERS_WORDS = TextSettings(preset="tsnmf_paper")
FOLDER_VARIABLE = "TSNMF_PAPERS_DATA"
LINK_SEPARATOR = "; "  # what the reader of JSON lines puts between the values of a list
LINKS_MISSING = (
    "{file} is not on this machine; put it into the folder that the variable "
    f"{FOLDER_VARIABLE} names: JSON lines with the fields id, labels and cites (ids of the papers "
    "that are linked). `curl -O https://linqs-data.soe.ucsc.edu/public/lbc/{name}.tgz` fetches the "
    "original."
)


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


def linked_papers(name: str) -> tuple[Corpus, list[list[str]]]:
    """“cora” or “citeseer”: papers with a label each, and the ids of those they link to."""
    file = f"{name}_bow.jsonl.gz"
    path = Path(os.environ.get(FOLDER_VARIABLE, "")) / file
    if not os.environ.get(FOLDER_VARIABLE) or not path.exists():
        raise CorpusError(LINKS_MISSING.format(file=file, name=name))
    corpus = read_corpus(path, text="text", id="id", label="labels", side=["cites"])
    return corpus, [cell.split(LINK_SEPARATOR) for cell in corpus.side["cites"]]
