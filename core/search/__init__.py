"""Finding documents: what an analyst types, taken apart and answered from an index and arrays.

``parse`` turns a line such as ``refund OR "second invoice" topic:billing region:North`` into a
``Query``; ``find_documents`` finds the documents. Words are looked up in the store's full-text
index, patterns in the texts that are left; everything else compares arrays, so that 200,000
documents are searched while typing.
"""

from core.search.annotations import AnnotationArrays
from core.search.data import SearchData, Similarity
from core.search.filters import FILTER_NAMES
from core.search.highlights import find_matches
from core.search.kept_columns import SearchColumn, kept_columns, names_of_columns
from core.search.matches import SearchHits, find_documents
from core.search.parts import LikeFilter, Pattern, Words
from core.search.patterns import SECONDS_PER_SEARCH, matches_of
from core.search.query import Query, parse

__all__ = [
    "FILTER_NAMES",
    "SECONDS_PER_SEARCH",
    "AnnotationArrays",
    "SearchColumn",
    "LikeFilter",
    "Pattern",
    "Query",
    "SearchData",
    "SearchHits",
    "Similarity",
    "Words",
    "find_documents",
    "find_matches",
    "kept_columns",
    "matches_of",
    "names_of_columns",
    "parse",
]
