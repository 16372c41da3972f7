"""Kinds of events, their checks, and the append-only log they are written to."""

__all__ = ["checks", "new_events", "requirements", "topic_events"]
