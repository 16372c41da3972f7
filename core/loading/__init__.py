"""Files, folders and bytes → Corpus; one file per kind of work.

``sources`` looks at the content and picks a reader; ``delimited``, ``workbook``, ``records`` and
``archive`` each give a ``Table``; ``guessing`` finds out what its columns mean; ``reading`` makes
the corpus; ``collections`` holds the demo and the corpora of NLTK and scikit-learn.
"""

from core.loading.collections import (
    DemoLabel,
    newsgroups_at_hand,
    read_demo,
    read_demo_labels,
    read_newsgroups,
    read_reuters,
    reuters_at_hand,
)
from core.loading.limits import Limits
from core.loading.reading import Preview, preview, read_corpus

__all__ = [
    "DemoLabel",
    "Limits",
    "Preview",
    "newsgroups_at_hand",
    "preview",
    "read_corpus",
    "read_demo",
    "read_demo_labels",
    "read_newsgroups",
    "read_reuters",
    "reuters_at_hand",
]
