"""Finds memos: private attributes in which an object caches a value when it is first needed, unnoticed by its users."""

from typing import NamedTuple

from mypy.nodes import TypeInfo, Var

from ..facts.class_facts import facts_of
from ..facts.equality_facts import EVERYTHING
from .array_holders import holds_arrays
from .class_model import attributes, fields, user_bases
from .equality import eq_owner, is_generated_eq


class Memos(NamedTuple):
    """The memos of a class. Leaves out those that `__eq__` reads."""

    harmless: frozenset[str] = frozenset()
    of_arrays: frozenset[str] = frozenset()  # these keep a tracer if a trace fills them
    by_item: frozenset[str] = frozenset()  # those of either kind that are dicts, filled item by item


def memos(info: TypeInfo) -> Memos:
    """The memos of a class and its bases; none if its `==` may read them."""
    bases = list(user_bases(info))
    by_item = {name for base in bases for name in facts_of(base).get("filled_by_item", ())}
    filled = {name for base in bases for name in facts_of(base).get("filled_once", ())} | by_item
    compared = _compared(info, bases) if filled else set()
    if not filled or EVERYTHING in compared:
        return Memos()
    declared = ((name, var) for base in bases for name, var in attributes(base) if name in filled and _is_declared(var))
    of_arrays = {name for name, var in declared if var.type is not None and holds_arrays(var.type)}
    uncompared = frozenset(filled - compared)
    return Memos(uncompared - of_arrays, uncompared & of_arrays, uncompared & by_item)


def unread(info: TypeInfo) -> frozenset[str]:
    """The attributes whose changes matter to nothing that is computed: memos, and what a test double counts."""
    counted = (name for base in user_bases(info) for name in facts_of(base).get("counted", ()))
    return memos(info).harmless.union(counted)


def _compared(info: TypeInfo, bases: list[TypeInfo]) -> set[str]:
    read = {token for base in bases for tokens in facts_of(base).get("equality", {}).values() for token in tokens}
    owner = eq_owner(info.mro)
    generated = fields(owner) if owner is not None and is_generated_eq(owner) else []
    return read.union(field.name for field in generated if field.is_compared)


def _is_declared(var: Var) -> bool:
    """Whether the source gives the type; mypy may infer it only after the class is judged."""
    return var.explicit_self_type or not var.is_inferred
