"""Tests of core.values."""
