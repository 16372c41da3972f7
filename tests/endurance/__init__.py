"""Long runs by hand, with a short form of each in the tests; figures are in RESULTS.md."""
