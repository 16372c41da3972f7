"""The state of a project: labels in force, topics, word rules; and the derived tables of it."""

__all__ = ["labels_in_force", "preview", "replay"]
