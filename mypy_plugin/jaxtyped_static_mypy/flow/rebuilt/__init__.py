"""Pytrees that a program takes apart and rebuilds itself: whether the two functions fit each other and the class."""
