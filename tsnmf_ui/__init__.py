"""TS-NMF Studio: the app around ``core``."""
