"""The labelling desk: what the Label page is served and may do, and the pane in front of it.

desk answers the pane's requests: which card and which list to show, and what to write to the log.
cards and document_lists draw up documents and lists; list_chooser, document_search and queue_cache
find the list a visitor works through; bulk labels many documents at once; refit_changes says what
a refit changed; selections are lists that other pages hand over. snapshot keeps a project's labels
in memory. pane is the component in the browser.
"""

__all__ = ["desk", "pane", "place", "refit_changes", "selections"]
