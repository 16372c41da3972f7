"""Projects and their documents: create, copy, find."""

__all__ = ["demo"]
