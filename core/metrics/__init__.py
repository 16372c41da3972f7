"""How good topics are, one file per family."""
