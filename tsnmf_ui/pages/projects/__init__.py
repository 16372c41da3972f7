"""The Projects page (``page``) and the card of a project (card)."""

__all__ = []
