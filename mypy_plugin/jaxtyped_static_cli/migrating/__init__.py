"""Moves lists of static parameters into the annotations.

applications      where jit is applied to which function, with which lists
static_parameters which parameters the lists make static, by JAX's rules
marking           the type to write inside of `Static[...]`
spelling          how the file spells `jit` and `Static`
calls             jit calls without their lists
classes           pytree dataclasses and frozen ones, on request
programs          the classes of all files, and which derives from which
static_bases      what a base in `static_bases` is needed for
hierarchies       classes that become static together
exports           which imported names other code may read from a file
unneeded          imports that nothing uses any more
planning          all of this for one file: edits, and what is left with its reason
reasons           the words for why something is left
reading           what mypy reads of the program
verification      what it reads differently afterwards
migration         all files, without what could not be verified
"""
