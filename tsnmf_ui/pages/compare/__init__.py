"""The Compare page (``page``).

form asks what to compare; score_view, topic_views and rate_results show what was found,
run_list the earlier runs; tables writes comparisons as HTML.
"""

__all__ = []
