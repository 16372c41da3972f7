"""Pieces of a page: they draw and return a value object, and store nothing."""
