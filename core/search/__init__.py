"""Finding documents: what an analyst types, taken apart and answered from an index and arrays.

``parse`` turns a line such as ``refund "second invoice" topic:billing is:unlabelled`` into a
``Query``; ``find_documents`` finds the documents. Words are looked up in the store's full-text
index; everything else compares arrays, so that 200,000 documents are searched while typing.
"""

from core.search.annotations import AnnotationArrays
from core.search.matches import SearchData, SearchHits, Similarity, find_documents
from core.search.query import LikeFilter, Query, Words, parse

__all__ = [
    "LikeFilter",
    "SearchHits",
    "SearchData",
    "Query",
    "Similarity",
    "AnnotationArrays",
    "Words",
    "find_documents",
    "parse",
]
