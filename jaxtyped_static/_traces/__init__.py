"""Explains why a function was traced: its calls, how they differ, and how to report it."""
