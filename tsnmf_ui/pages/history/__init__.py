"""The History page (``page``).

event_list shows events, ``label_transfer`` and codebook_transfer export and import (both with
file_transfer), people compares annotators; rows reads what the page shows.
"""

__all__ = []
