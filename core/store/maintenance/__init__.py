"""The care of a store: check it, copy it into one file, bring such a file back; SQLite only."""

__all__ = ["backup", "checks", "findings", "restore", "store_folder"]
