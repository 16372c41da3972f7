"""The log as people read it: pages, sentences, disagreement between people.

The rest of ``core.store`` uses ``reader`` (what a store can do) and ``pages``, too.
"""

__all__ = ["disagreement", "sentences"]
