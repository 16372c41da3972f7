"""The Report page (``page``): title and summary, downloads, preview."""

__all__ = []
