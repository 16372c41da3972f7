"""The log as people read it: pages, sentences, disagreement between people."""

__all__ = ["disagreement", "sentences"]
