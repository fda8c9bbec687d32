"""Reads which parameters and fields the annotations mark: from objects or strings, through aliases and wrappers."""
