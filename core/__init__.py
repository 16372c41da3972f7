"""The engine behind TS-NMF Studio."""
