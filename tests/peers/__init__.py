"""The tests that other libraries have of their classes, run with ours in place of theirs.

Nothing of theirs is kept here: the tests are taken from the interpreter, from the source distributions of the releases
that are installed, or from a checkout, and rewritten when they are run.
"""
