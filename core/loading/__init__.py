"""Files, folders and bytes → Corpus.

``isolated`` has a file read in a process of its own (``isolation``), so that no file can harm the
caller. There ``readers`` calls what was asked for: ``sources`` detects the format and has it read
into a table (``formats``), the roles of its columns are guessed (``columns``), ``reading`` makes
the corpus; ``vectors`` reads vectors that the analyst has made of the texts; ``project_parts``
takes a project's file apart, ``backup_parts`` a backup, ``model_parts`` a model's file, their JSON
as ``strict_json`` reads it; ``pictures`` makes a small picture of any.
``collections`` reads the demo and the corpora of NLTK and scikit-learn, ``fetching`` downloads
them.
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
    "array_lines",
    "backup_parts",
    "columns",
    "fetching",
    "formats",
    "isolated",
    "isolation",
    "limits",
    "model_parts",
    "newsgroups_available",
    "pictures",
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
    "strict_json",
    "vectors",
]
