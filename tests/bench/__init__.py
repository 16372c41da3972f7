"""Measurements side by side with rivals; run by hand, never collected by pytest."""
