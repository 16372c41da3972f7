"""The Report page: title and summary, downloads, preview."""

__all__ = []
