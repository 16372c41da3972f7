"""What can be done to topics on the Topics page: forms, requests, and verdicts after the refit."""

__all__ = []
