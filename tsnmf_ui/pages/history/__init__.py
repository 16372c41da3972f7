"""The History page (``page``).

event_list shows events, ``label_transfer`` exports and imports labels, people compares annotators;
rows reads what the page shows.
"""

__all__ = []
