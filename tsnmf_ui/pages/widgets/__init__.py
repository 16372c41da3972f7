"""Widgets that several pages share.

``author`` (name or login), ``live`` (rerun on news), ``reconnecting`` (while the server does not
answer), ``results_header`` (head of the results pages, charts, choices), ``selection_link`` (open
texts on the Label page), ``file_link`` (a large file), ``passages`` (texts as safe HTML), ``memos``
(on a topic or the project), ``upload`` (a file that is forgotten once it was used),
``slow_parts`` (made in a thread while the page stands), ``errors``.
"""

__all__ = []
