"""What is kept of a project in memory and on disk: corpora, matrices, vectors, measures, hints.

Nothing here is lost for good: all of it is made again from the store. ``paths`` lists the files.
"""

__all__ = [
    "corpora",
    "document_terms",
    "matrices",
    "measures",
    "paths",
    "queue_hints",
    "store_cache",
    "vectors",
]
