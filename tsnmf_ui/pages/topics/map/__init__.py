"""The map of all texts on the Topics page: where they lie, their colours, the lasso.

``topic_map`` draws it.
"""

__all__ = []
