"""What mypy reports of names that the installed JAX no longer has, as findings of the rule `jax-removed`.

mypy says `attr-defined` of most of them, as it says of any attribute that it does not know.

findings   mypy's errors -> findings
installed  the JAX that mypy sees
uses       where a file uses such a name, by its syntax
guards     what else runs, or catches what is raised, where a name is gone
"""

from .findings import with_removed

__all__ = ["with_removed"]
