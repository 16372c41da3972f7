"""JavaScript that several components share, and the linker that makes one module of many."""

__all__ = ["linker"]
