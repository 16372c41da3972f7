"""Coding together: texts that two people label without seeing each other's label, and who is to
label which texts; and highlights, which say why.

The rest of ``core.store`` uses ``coding_store`` (what a store can do) and ``blind_labels``, too.
"""

__all__ = ["assignments", "blind_labels", "double_coding", "highlights"]
