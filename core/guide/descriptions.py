"""What people wrote about labels, as the guide reads it: names, codebook entries, seed words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from core.engine.limits import TopicLimits
from core.guide.latent import unit_rows
from core.guide.teachers import Descriptions
from core.text import Analyzer
from core.text.encoders import encoder_of

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

NAME_SEPARATORS = re.compile(r"[_./\\\-]+")  # between the words of names like change_user-name
MEANINGFUL_WORD = re.compile(r"[^\W\d_]{3,}")  # a code such as C07 has none


def describe_labels(
    matrix: DocumentTermMatrix, texts: Sequence[str], words: TopicLimits
) -> Descriptions:
    """The texts about each label in order, and the words its topic was given to begin with."""
    read = [NAME_SEPARATORS.sub(" ", text) for text in texts]
    rows = unit_rows(matrix.rows_of(read)) + _seed_words(words, (len(read), len(matrix.terms)))
    return Descriptions(sp.csr_array(rows).astype(matrix.X.dtype), _vectors(matrix, read))


def _seed_words(words: TopicLimits, shape: tuple[int, int]) -> sp.csr_array:
    """Words that a topic begins with and words that were added, each set as long as one text."""
    rows = sp.lil_array(shape)
    for k, row in words.begun.items():
        if k < shape[0]:
            rows[k, np.flatnonzero(row)] = row[row != 0]
    given = sp.csr_array(
        (words.added.numbers, (words.added.columns, words.added.terms)),
        shape=(max(shape[0], int(words.added.columns.max(initial=-1)) + 1), shape[1]),
    )[: shape[0]]
    return unit_rows(sp.csr_array(rows)) + unit_rows(sp.csr_array(given))


def _vectors(matrix: DocumentTermMatrix, texts: Sequence[str]) -> np.ndarray | None:
    """The meaning of each text; zeros where it has no word that tells anything."""
    encoder = None if matrix.vectors is None else encoder_of(matrix.vectors)
    if encoder is None:
        return None
    analyzer = Analyzer(matrix.settings)
    says = [bool(analyzer.terms(text)) and bool(MEANINGFUL_WORD.search(text)) for text in texts]
    vectors = encoder.encode(texts)
    vectors[~np.array(says, bool)] = 0
    return vectors
