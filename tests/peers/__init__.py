"""Runs other libraries' tests of their classes on our classes.

No test of theirs is stored here: they are taken from the interpreter, from the source distributions of the installed
releases, or from a checkout, and rewritten when they run.
"""
