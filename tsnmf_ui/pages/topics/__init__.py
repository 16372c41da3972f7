"""The Topics page (``page``), a module per view.

overview, one_topic, heat_map (labels and topics), map/ (all texts), trends, similarity and nodes
are the views; topic_choice keeps the open topic and topic_table lists them. operations/ holds the
forms, the requests and the verdicts; refit_changes shows what the last refit changed.
"""

__all__ = []
