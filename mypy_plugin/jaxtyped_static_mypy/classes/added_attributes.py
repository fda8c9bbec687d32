"""Finds attributes that the constructors of a class set, although they are not fields, and no caches."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import Decorator, FuncDef, Node, OverloadedFuncDef, TypeInfo

from ..facts.class_body import ClassBody
from ..facts.class_facts import facts_of
from ..facts.set_facts import CALLED, CALLED_ABOVE, CONSTRUCTORS, attributes_set
from .class_fields import init_vars, managed_names

_METHODS = (FuncDef, Decorator, OverloadedFuncDef)


class AddedAttribute(NamedTuple):
    """An attribute that is not a field, and the class whose method sets it."""

    name: str
    owner: TypeInfo


def added_attributes(info: TypeInfo) -> Iterator[AddedAttribute]:
    """The attributes beside the fields of a dataclass-like class. A cached property's value is none of them."""
    names = managed_names(info)
    if names is None:
        return
    seen = set(names)
    for name, owner in _set_when_made(info):
        is_method = (symbol := info.get(name)) is not None and isinstance(symbol.node, _METHODS)
        if name not in seen and not is_method and not (name.startswith("__") and name.endswith("__")):
            seen.add(name)
            yield AddedAttribute(name, owner)


def declaration(info: TypeInfo, name: str) -> str:
    """How to declare an attribute as a field, in source."""
    return f"`{name}: ...` instead of an InitVar" if name in init_vars(info) else f"`{name}: ... = field(init=False)`"


def place_of(added: AddedAttribute) -> Node | None:
    """The statement that sets an attribute, if its class is in the file being checked."""
    methods = ClassBody.of(added.owner.defn).methods.values()
    found = (node for method in methods for name, node in attributes_set(method) if name == added.name)
    return next(found, None)


def _set_when_made(info: TypeInfo) -> Iterator[tuple[str, TypeInfo]]:
    """Follows the constructors that run, and the methods that they call on the object."""
    pending = [(name, 0) for name in _first_to_run(info)]
    seen = set(pending)
    while pending:
        method, start = pending.pop(0)
        above = info.mro[start:]
        owner = next((base for base in above if method in base.names and not base.names[method].plugin_generated), None)
        for token in facts_of(owner).get("sets", {}).get(method, ()) if owner is not None else ():
            if token.startswith((CALLED, CALLED_ABOVE)):
                is_above = token.startswith(CALLED_ABOVE)
                called = token.removeprefix(CALLED_ABOVE if is_above else CALLED)
                call = (called, info.mro.index(owner) + 1 if is_above and owner is not None else 0)
                pending += [call] if call not in seen else []
                seen.add(call)
            elif owner is not None:
                yield token, owner


def _first_to_run(info: TypeInfo) -> tuple[str, ...]:
    init = info.get("__init__")
    is_written = (
        init is not None and not init.plugin_generated and "builtins.object" not in getattr(init.node, "fullname", "")
    )
    return CONSTRUCTORS[:1] if is_written else CONSTRUCTORS[1:]
