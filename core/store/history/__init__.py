"""The log as people read it: pages, sentences, disagreement between people, imported labels.

The rest of ``core.store`` uses ``reader`` (what a store can do), ``hidden_labels``, ``pages``
and ``some_events``, too.
"""

__all__ = ["agreement_sentences", "disagreement", "imported_labels", "sentences"]
