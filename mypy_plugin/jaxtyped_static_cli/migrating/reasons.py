"""Why something is left as it is."""

from collections.abc import Mapping
from typing import Final, NamedTuple

REASONS: Final[Mapping[str, str]] = {
    "computed": "its list of static parameters is computed when the program runs",
    "unannotated": "parameter {0} has no annotation; add one, or let --any write Static[Any]",
    "annotation": "the annotation of parameter {0} is not a type",
    "marked": "parameter {0} has a marker already, which says something else",
    "one-way": "both lists are given, so JAX completes neither, and {0} is static only if it is passed in one way",
    "negative": "JAX counts {0} from the end of each call, so it means different parameters",
    "variadic": "{0} is passed on through *args or **kwargs, which have no parameter to annotate",
    "unknown": "{0} is no parameter of the function",
    "lambda": "a lambda has no annotations; write a function",
    "elsewhere": "{0} is defined elsewhere; where it is defined, use @jit and Static[...]",
    "attribute": "{0} is found when the program runs, and may be another function",
    "expression": "what is compiled is the result of an expression",
    "decorated": "the decorator {0} is below jit, and may change the parameters",
    "disagree": "the function is also compiled with other static parameters, in line {0}",
    "self": "the signature uses Self, and checkers then refuse an annotation of self",
    "options": "options are passed by position or with *",
    "not-jit": "{0} is not known to be jax.jit, and may read no annotations",
    "class": "a class is compiled",
    "class-decorated": "the decorator {0} is beside it",
    "class-option": "the option {0} has no counterpart",
    "undeclared": "it is not declared by a decorator that @{0} replaces",
    "unfrozen": "it is not frozen, and the class that replaces it is",
    "base": "its base {0} may say how objects are made or compared",
    "together": "it becomes static only together with {0}",
    "needed": "it cannot do without its base: {0}",
    "subclassed": "other classes derive from it, and would have to be decorated, too",
    "own": "it defines {0}",
    "replace": "the program calls .replace({0}=...), a method that the new class lacks; use dataclasses.replace",
    "mutated": "the program calls copy_and_mutate, which takes no dynamic class; use dataclasses.replace",
    "field": "a field has options of {0} that have no counterpart",
    "errors": "mypy would report of the new class: {0}",
    "unreadable": "its file cannot be read",
    "unverified": "the checker does not read it the same before and after: {0}",
    "comments": "comments in the call would be lost",
    "name": "the name {0} is used for something else",
}


class Refused(Exception):
    """Something is left as it is. `reason` is a key of the table, and `about` completes its sentence."""

    def __init__(self, reason: str, about: str = "") -> None:
        super().__init__(reason, about)
        self.reason, self.about = reason, about


class Left(NamedTuple):
    """What is left as it is, and why."""

    line: int
    name: str
    reason: str
    about: str = ""

    @property
    def why(self) -> str:
        return REASONS[self.reason].format(self.about)
