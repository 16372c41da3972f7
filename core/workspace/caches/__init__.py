"""What is kept of a project in memory and on disk: corpora, matrices, vectors, models, measures.

Nothing here is lost for good: all of it is made again from the store. ``paths`` lists the files.
"""

__all__ = [
    "corpora",
    "document_terms",
    "matrices",
    "measures",
    "models",
    "paths",
    "queue_hints",
    "store_cache",
    "vectors",
]
