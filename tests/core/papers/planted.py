"""A corpus whose labels are known because its words were drawn from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core import Corpus
from core.papers.sources import NewsgroupTexts

FIRST_LETTERS = "abcdefgh"


def planted_corpus(n_docs: int = 160, n_labels: int = 4, seed: int = 0) -> Corpus:
    """Each label has twelve words of its own; every fifth text carries two labels."""
    rng = np.random.default_rng(seed)
    own = [[f"{letter * 3}{chr(97 + word) * 2}" for word in range(12)] for letter in FIRST_LETTERS]
    shared = [f"zz{chr(97 + word) * 3}" for word in range(12)]
    texts, labels = [], []
    for number in range(n_docs):
        mine = [number % n_labels]
        if number % 5 == 0:
            mine.append((number + 1) % n_labels)
        words = [word for label in mine for word in rng.choice(own[label], 20)]
        texts.append(" ".join([*words, *rng.choice(shared, 8)]))
        labels.append(tuple(f"label {label}" for label in sorted(mine)))
    ids = tuple(map(str, range(n_docs)))
    return Corpus(ids=ids, texts=tuple(texts), labels=tuple(labels))


def planted_newsgroups() -> NewsgroupTexts:
    """Texts of four labels, one each, to learn from and to judge by; stripped they are shorter."""
    corpus = planted_corpus(200)
    corpus = replace(corpus, labels=tuple(labels[:1] for labels in corpus.labels))
    shorter = replace(corpus, texts=tuple(text[: len(text) // 2] for text in corpus.texts))
    return NewsgroupTexts(
        *(
            part.rows(list(rows))
            for part in (corpus, shorter)
            for rows in (range(140), range(140, 200))
        )
    )
