"""What the installed JAX no longer has, or never had, as findings of the rules `jax-removed` and `jax-missing`.

mypy says `attr-defined` or `call-arg` of most of it, as it does of anything else that it does not know.

findings      mypy's errors -> findings, and what mypy is silent about
saying        what is said of each, and whether the project is for another environment
installed     the JAX that mypy sees, and what else is installed
packages      what the modules of a package have, read from their source
uses          where a file uses what is gone; missing: what may not be there; arrays: attributes of arrays
              immutable: their items; operands: lists beside them; made_arrays: what surely is one
              positions: arguments at positions that mean something else
              properties: those that are called; declared: annotations of parameters
frozen        what the plugin finds of it: whether the project is for this release
source_files  a file, and what its names stand for
guards        what else runs, or catches what is raised, where something is not there
"""

from .findings import with_removed

__all__ = ["with_removed"]
