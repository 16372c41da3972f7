"""One file per page: a function that requires, asks, acts, shows."""
