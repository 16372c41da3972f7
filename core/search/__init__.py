"""Finding documents: what an analyst types, taken apart and answered from an index and arrays.

``parse`` turns a line such as ``refund "second invoice" topic:billing is:unlabelled`` into a
``Query``; ``answer`` finds the documents. Words are looked up in the store's full-text index;
everything else is a comparison of arrays, so that 200,000 documents are answered while typing.
"""

from core.search.answer import Found, Grounds, answer
from core.search.query import FILTERS, STATES, Query, Words, parse
from core.search.said import Said

__all__ = ["FILTERS", "Found", "Grounds", "Query", "STATES", "Said", "Words", "answer", "parse"]
