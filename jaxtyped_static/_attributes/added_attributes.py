"""Finds attributes of an object that are not fields: a static class does not key them, and a pytree loses them.

What code of the class stores while an object is made may follow from more than the fields: from an `InitVar`, a global,
a random number. A cache follows from the object, so it may be filled later.
"""

from __future__ import annotations

import contextlib
import dis
import re
from collections.abc import Callable, Collection, Iterator
from enum import Enum, auto
from inspect import getattr_static
from itertools import pairwise
from types import CodeType, MemberDescriptorType
from typing import Any, Final

from jaxtyped_static._attributes.attributes import attributes_of, slots_of
from jaxtyped_static._attributes.own_state import suggests_cache
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

_CACHED: Final = re.compile(r"(?<!un)(?<!non)(?<!non_)cached_?property", re.IGNORECASE)
_CONSTRUCTORS: Final = frozenset({"__init__", "__post_init__", "__new__"})
# Where a member of a class keeps the function that it was made from.
_INNER: Final = ("__func__", "fget", "func", "__wrapped__")
_NOTHING: Final[dict[str, Any]] = {}
_LOADS_VARIABLE: Final = ("LOAD_FAST", "LOAD_DEREF")


def is_cached_property(cls: type, name: str) -> bool:
    """Returns whether a class caches the value of this attribute, by `functools` or by another library."""
    return any(_CACHED.search(kind.__name__) for kind in type(getattr_static(cls, name, None)).__mro__)


def _is_stored_value(cls: type, name: str) -> bool:
    """Returns whether an attribute that an object has is the value of a cached property.

    Other libraries' have any name: they are descriptors that store what they compute under their own names, where it
    is found before them.
    """
    member = getattr_static(cls, name, None)
    kind = type(member)
    is_descriptor = hasattr(kind, "__get__") and not hasattr(kind, "__set__") and not hasattr(kind, "__delete__")
    is_method = callable(member) or kind.__module__ in ("builtins", "functools")
    return is_cached_property(cls, name) or (is_descriptor and not is_method)


def added_attributes(instance: Any, fields: Collection[str]) -> list[str]:
    """Returns the attributes that are neither fields nor values of cached properties."""
    cls = type(instance)
    names = [name for name, _ in attributes_of(instance) if name not in fields and not _is_stored_value(cls, name)]
    stored = _stored_by_descriptors(instance, fields) if names else ()
    return [name for name in names if name not in stored]


def has_only_fields_test(cls: Any, fields: Collection[str]) -> Callable[[Any], bool]:
    """Returns a quick test of objects of exactly this class: whether they surely have nothing beside their fields."""
    known = frozenset(fields)
    if not known.issuperset(slots_of(cls)):
        return lambda _: False
    if not cls.__dictoffset__:
        return lambda _: True
    return lambda instance: getattr(instance, "__dict__", _NOTHING).keys() <= known


def check_nothing_added(instance: Any, fields: Collection[str]) -> None:
    """Refuses an object to which the code that made it added an attribute.

    Raises:
        Refused: naming the attribute.
    """
    for name in added_attributes(instance, fields):
        raise not_a_field(type(instance), name)


def check_only_caches_added(instance: Any, fields: Collection[str]) -> None:
    """Refuses an object with an attribute that is neither a field nor a cache.

    Raises:
        Refused: naming the attribute.
    """
    for name in added_attributes(instance, fields):
        if not _is_cache(type(instance), name):
            raise not_a_field(type(instance), name)


def not_a_field(cls: Any, name: str) -> Refused:
    """Returns the refusal of an attribute that is not keyed."""
    declared = field_declaration(cls, name)
    if name.startswith("_"):
        declared += f", a cache or a lock as `{name}: ClassVar[... | None] = None` that a method sets when it needs it"
    return Refused(Reason.NOT_A_FIELD, f"{class_name(cls)}.{name}", declared)


def field_declaration(cls: Any, name: str) -> str:
    """Returns how to declare an attribute as a field, in source."""
    declared = getattr(cls, "__dataclass_fields__", {}).get(name)
    return f"`{name}: ...` instead of an InitVar" if is_init_var(declared) else f"`{name}: ... = field(init=False)`"


def is_init_var(declared: Any) -> bool:
    """Returns whether what dataclasses keeps of a declaration is that of an `InitVar`."""
    return "INITVAR" in str(getattr(declared, "_field_type", ""))


def drop_caches(instance: Any, fields: Collection[str]) -> None:
    """Removes the values of cached properties; they are computed again when they are next read.

    What was read while the object was made may have been computed from more than its fields.
    """
    attributes = getattr(instance, "__dict__", {})
    for name in [name for name in attributes if name not in fields and _is_stored_value(type(instance), name)]:
        del attributes[name]


def _stored_by_descriptors(instance: Any, fields: Collection[str]) -> Collection[str]:
    """Returns where descriptors that are fields store their values: what setting only the fields leaves behind."""
    cls: Any = type(instance)
    if not any(_is_descriptor(getattr_static(cls, name, None)) for name in fields):
        return ()
    scratch = object.__new__(cls)
    for name in fields:
        with contextlib.suppress(Exception):  # Code of the descriptor.
            object.__setattr__(scratch, name, getattr(instance, name))
    return {name for name, _ in attributes_of(scratch)}


def _is_descriptor(attribute: object) -> bool:
    return hasattr(attribute, "__set__") and not isinstance(attribute, MemberDescriptorType)


def _is_cache(cls: type, name: str) -> bool:
    """Returns whether an attribute seems to be a memo: by its name, or set by a method, but never in another object."""
    uses = {use for base in cls.__mro__[:-1] for code in _methods(base) for use in _uses(code, name, _self_of(code))}
    return _Use.OF_ANOTHER not in uses and (name.startswith("_") or suggests_cache(name) or bool(uses))


class _Use(Enum):
    """How a method names an attribute in text, as `object.__setattr__` needs it: which object it may set it in."""

    OF_ANOTHER = auto()
    OF_ITSELF = auto()


def _methods(cls: type) -> Iterator[CodeType]:
    for name, member in list(vars(cls).items()):
        for inner in _INNER:
            member = getattr(member, inner, member)
        code = getattr(member, "__code__", None)
        if isinstance(code, CodeType) and name not in _CONSTRUCTORS:
            yield code


def _self_of(code: CodeType) -> str | None:
    return code.co_varnames[0] if code.co_argcount else None


def _uses(code: CodeType, name: str, self: str | None) -> Iterator[_Use]:
    """Yields the uses of a name in a method, or in a function inside it."""
    for before, instruction in pairwise(dis.get_instructions(code)):
        if instruction.opname == "LOAD_CONST" and instruction.argval == name:
            loaded = before.argval if before.opname.startswith(_LOADS_VARIABLE) else self
            last = loaded[-1] if isinstance(loaded, tuple) else loaded  # One instruction may load two variables.
            yield _Use.OF_ITSELF if last == self else _Use.OF_ANOTHER
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _uses(constant, name, self)
