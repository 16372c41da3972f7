"""Files, folders and bytes → Corpus.

``isolated`` has a file read in a process of its own (``isolation``), so that no file can harm the
caller. There ``readers`` calls what was asked for: ``sources`` detects the format and calls a
reader; ``delimited``, ``workbook``, ``records`` and ``archive`` each return a ``Table``;
``guessing`` guesses the roles of its columns; ``reading`` makes the corpus; ``vectors`` reads
vectors that the analyst has made of the texts; ``project_parts`` takes a project's file apart.
``collections`` reads the demo and the corpora of NLTK and scikit-learn.
"""

from core.loading.collections import (
    DemoLabel,
    newsgroups_available,
    read_demo,
    read_demo_labels,
    read_newsgroups,
    read_reuters,
    reuters_available,
)
from core.loading.isolated import preview, read_corpus, read_vectors
from core.loading.limits import FileLimits
from core.loading.reading import Preview

__all__ = [
    "DemoLabel",
    "FileLimits",
    "Preview",
    "encoding",
    "fetching",
    "array_lines",
    "isolated",
    "isolation",
    "limits",
    "name_lists",
    "newsgroups_available",
    "preview",
    "project_parts",
    "read_corpus",
    "read_demo",
    "read_demo_labels",
    "read_newsgroups",
    "read_reuters",
    "read_vectors",
    "reuters_available",
    "shipped_files",
    "sources",
    "table",
    "vectors",
]
