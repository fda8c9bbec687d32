"""Weak types that a loop feeds to compiled code and gets back strong, as the whole program shows it.

The code of a program is followed as it would run, with values that say no more than how strong the types of numbers
and arrays are, and in which fields, items and functions these are. What nobody sees is unknown, and unknown is silent.

findings      what is found -> diagnostics
roots         which code to follow; what differs between the first pass of a loop and the second
machine       follows it: names, calls and loops
statements, expressions, conditions    what each of these does; iterated: what each pass of a loop gets
calls         of functions and classes; passing: what a compiled function gets; members: of objects and arrays
functions     of libraries; python_functions: of Python; arrays: how strong the types are of what JAX's functions return
modules       of the program, by their syntax; classes: which of them are trees
scopes        the names of a function; values: what names stand for; effort: how much work it is
"""

from .findings import with_weak

__all__ = ["with_weak"]
