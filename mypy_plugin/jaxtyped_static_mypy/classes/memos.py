"""Finds memos: private attributes that an object fills once, when they are first needed, unnoticed by its users."""

from mypy.nodes import TypeInfo, Var

from ..facts.class_facts import facts_of
from ..facts.equality_facts import EVERYTHING
from .array_holders import holds_arrays
from .class_model import attributes, user_bases


def memos(info: TypeInfo) -> frozenset[str]:
    """The memos of a class that `__eq__` does not read and that hold no arrays, which would leak from a trace."""
    bases = list(user_bases(info))
    filled = {name for base in bases for name in facts_of(base).get("filled_once", ())}
    compared = {token for base in bases for read in facts_of(base).get("equality", {}).values() for token in read}
    if not filled or EVERYTHING in compared:
        return frozenset()
    declared = ((name, var) for base in bases for name, var in attributes(base) if name in filled and _is_declared(var))
    leaking = {name for name, var in declared if var.type is not None and holds_arrays(var.type)}
    return frozenset(filled - compared - leaking)


def _is_declared(var: Var) -> bool:
    """Whether the source gives the type; mypy may infer it only after the class is judged."""
    return var.explicit_self_type or not var.is_inferred
