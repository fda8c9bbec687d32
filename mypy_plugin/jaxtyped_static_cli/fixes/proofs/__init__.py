"""Proofs that a fix cannot change a program that is right. Each function returns what it cannot see, or nothing.

They read the syntax of all files of the project, unannotated ones included, where mypy knows no types: what mypy can
know, it says itself when the fixed files are checked again. An attribute counts by its name, whatever the object.

code        the files, and what is where in them
bindings    what a name stands for, if it always stands for the same
owners      whether an expression may be an object of some classes
freezing    that no code needs a dataclass to be mutable
changing    where attributes are set and changed
writing     the same, for objects of some classes
setting     what sets attributes by their names
deriving    that no dataclass which mypy does not see derives from another
purity      that a function does the same whenever it is traced
uses        where a function may be used
patching    which names setattr and the patches of tests set
reflection  what binds names without writing them out
calls       that every call of a function passes what makes it raise
passed      what that is
compiling   that code only runs with tracers
"""
