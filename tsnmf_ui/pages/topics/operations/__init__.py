"""What can be done to topics on the Topics page: forms, requests, and verdicts after the refit.

The views beside it use ``operations_form``, ``operation_requests``, ``operation_verdicts`` and
``free_topic_merge``.
"""

__all__ = []
