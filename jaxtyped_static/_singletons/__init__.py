"""Checks whether a callable is the same object each time a program uses it."""
