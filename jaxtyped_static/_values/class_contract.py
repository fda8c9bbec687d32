"""Whether a user's class keeps the static contract: frozen, hashed and compared by value."""

from __future__ import annotations

import ast
import dataclasses
import functools
import types
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

import jax
import numpy as np

from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.rendering import render
from jaxtyped_static._annotations.syntax import find_function
from jaxtyped_static._values.handling import Part
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.words import Reason

# Its modules can be changed until they are bound; nobody does that.
_FROZEN_BY_CONVENTION: Final = "flax.linen.module.Module"
_COMPARING_FIELDS: Final = frozenset({"builtins", "equinox", "flax", "pydantic"})
_FREEZE: Final = "declare it @dataclass(frozen=True)"
_FREEZE_ATTRS: Final = "declare it @attrs.frozen"
_FREEZE_PYDANTIC: Final = "give it model_config = ConfigDict(frozen=True)"


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yields an instance's attributes, in `__dict__` and slots, without values that a cached property stored there."""
    cls = type(value)
    for name, item in list(getattr(value, "__dict__", {}).items()):
        if not isinstance(getattr(cls, name, None), functools.cached_property):
            yield name, item
    for name in slots_of(cls):
        try:
            yield name, getattr(value, name)
        except AttributeError:
            continue


def attribute_parts(value: Any) -> Iterator[Part]:
    """Yields the same as parts of the value."""
    return ((f".{name}", item) for name, item in attributes_of(value))


def slots_of(cls: type) -> Iterator[str]:
    """Yields the attributes for which the class, or a base, has slots."""
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        if isinstance(slots, Iterator):  # Python has used it up.
            slots = [name for name, member in vars(base).items() if isinstance(member, types.MemberDescriptorType)]
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                yield f"_{base.__name__.lstrip('_')}{name}" if _is_mangled(name) else name


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def field_names(cls: Any) -> tuple[str, ...] | None:
    """Returns the fields of a dataclass, an attrs class or a pydantic model; None for any other class."""
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    if hasattr(cls, "__attrs_attrs__"):
        return tuple(attribute.name for attribute in cls.__attrs_attrs__)
    if is_pydantic(cls):
        return tuple(cls.model_fields)
    return None


def is_pydantic(cls: type) -> bool:
    """Returns whether it is a pydantic model, without importing pydantic."""
    return _has_base(cls, "pydantic.main.BaseModel")


def is_frozen_by_convention(cls: type) -> bool:
    """Returns whether it is a Linen module: its state is its fields; the rest is bookkeeping of Flax."""
    return _has_base(cls, _FROZEN_BY_CONVENTION)


def has_generated_eq(cls: type) -> bool:
    """Returns whether the `__eq__` of a class with fields is that of a library, which compares these."""
    owner = next(base for base in cls.__mro__ if "__eq__" in base.__dict__)
    if package_of(owner) in _COMPARING_FIELDS:
        return True
    code = getattr(owner.__dict__["__eq__"], "__code__", None)
    return isinstance(code, types.CodeType) and code.co_filename.startswith("<")


def _has_base(cls: type, fullname: str) -> bool:
    return any(f"{base.__module__}.{base.__qualname__}" == fullname for base in cls.__mro__)


def package_of(cls: type) -> str:
    """Returns the package of a class; none for one made by `make_dataclass`, before Python 3.12."""
    package = cls.__module__.partition(".")[0]
    is_claimed = package == "types" and getattr(types, cls.__qualname__, None) is not cls
    return "" if is_claimed else package


# Frozen


def check_frozen(value: Any) -> None:
    """Refuses a value that can change after it was hashed."""
    cls: Any = type(value)
    subject = class_name(cls)
    if is_frozen_by_convention(cls):
        return
    if is_pydantic(cls):
        if not cls.model_config.get("frozen"):
            raise Refused(Reason.NOT_FROZEN, subject, _FREEZE_PYDANTIC)
        return
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is not None and parameters.frozen:
        _check_nothing_added(value)
        return
    if _refuses_assignment(value):
        return
    if parameters is not None:
        raise Refused(Reason.NOT_FROZEN, subject, _FREEZE)
    if hasattr(cls, "__attrs_attrs__"):
        raise Refused(Reason.NOT_FROZEN, subject, _FREEZE_ATTRS)
    final = _final_names(cls)
    for name, _ in attributes_of(value):
        if not name.startswith("_") and name not in final:
            raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, subject, name)


def _check_nothing_added(value: Any) -> None:
    """Refuses attributes that an undecorated subclass adds: a frozen dataclass guards only its own fields."""
    cls = type(value)
    if "__dataclass_params__" in cls.__dict__:
        return
    names = field_names(cls) or ()
    for name, _ in attributes_of(value):
        if name not in names and not name.startswith("_"):
            raise Refused(Reason.ASSIGNABLE_ATTRIBUTE, class_name(cls), name)


def _refuses_assignment(value: Any) -> bool:
    """Returns whether a hand-written `__setattr__` refuses to set an attribute even to its current value."""
    cls: Any = type(value)
    if cls.__setattr__ is object.__setattr__:
        return False
    for name, item in attributes_of(value):
        try:
            setattr(value, name, item)
        except Exception:
            return True
        return False
    return True


@functools.lru_cache(maxsize=1024)
def _final_names(cls: type) -> frozenset[str]:
    """Returns the attributes declared `Final`, in the body of a class or in its `__init__`."""
    return frozenset(name for base in cls.__mro__ for name in _final_names_in(base))


def _final_names_in(cls: type) -> Iterator[str]:
    for name, annotation in annotations_of(cls).items():
        if is_qualified_by("Final", annotation):
            yield name
    init = cls.__dict__.get("__init__")
    node = find_function(init.__code__) if isinstance(init, FunctionType) else None
    for statement in ast.walk(node) if node is not None else ():
        match statement:
            case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=annotation):
                if is_qualified_by("Final", ast.unparse(annotation)):
                    yield name


def is_qualified_by(qualifier: str, annotation: object) -> bool:
    """Returns whether an annotation is `Final`, `ClassVar[...]` or the like, however it is kept and spelled."""
    return render(annotation).partition("[")[0].rpartition(".")[2] == qualifier


# Hashed by value


def check_hash(value: Any) -> None:
    """Refuses a value whose class hashes or compares it by identity, or not at all."""
    cls = type(value)
    if (reason := _hash_fault(cls)) is not None:
        raise Refused(reason, class_name(cls))


def keeps_contract(cls: Any) -> bool:
    """Returns whether the class's own decorator makes every value frozen, and hashed and compared by value."""
    parameters = cls.__dict__.get("__dataclass_params__")
    return parameters is not None and parameters.frozen and _hash_fault(cls) is None


def is_hashed_by_identity(cls: Any) -> bool:
    """Returns whether the class has `object`'s own `__eq__` and `__hash__`."""
    return cls.__hash__ is object.__hash__ and cls.__eq__ is object.__eq__


def _hash_fault(cls: Any) -> Reason | None:
    if cls is object:
        return Reason.BARE_OBJECT
    if cls.__hash__ is None:
        owner = next(base for base in cls.__mro__ if "__hash__" in base.__dict__)
        return Reason.EQ_WITHOUT_HASH if "__eq__" in owner.__dict__ else Reason.HASH_IS_NONE
    if cls.__eq__ is object.__eq__:
        if cls.__hash__ is not object.__hash__:
            return Reason.HASH_WITHOUT_EQ
        parameters = cls.__dict__.get("__dataclass_params__")
        switched_off = parameters is not None and not parameters.eq
        return Reason.EQ_SWITCHED_OFF if switched_off else Reason.NEITHER_EQ_NOR_HASH
    return Reason.HASH_OF_OBJECT if cls.__hash__ is object.__hash__ else None


# Not traced

_flatten_one_level: Final = jax.tree_util.default_registry.flatten_one_level


def check_no_data(value: Any) -> None:
    """Refuses a registered pytree that holds arrays. One that holds plain numbers is judged by its attributes.

    Any `dynamic_dataclass` with data fields is refused: what they are declared as does not matter to JAX.
    """
    flattened = _flatten_one_level(value)
    children = tuple(flattened[0]) if flattened is not None else ()
    if not children:
        return
    is_dynamic = hasattr(type(value), "__dynamic_tree__")
    found = next((index for index, child in enumerate(children) if is_dynamic or _holds_arrays(child)), None)
    if found is not None:
        raise Refused(Reason.PYTREE_DATA, class_name(type(value)), _data_field(value, found))


def _holds_arrays(child: Any) -> bool:
    return any(isinstance(leaf, (jax.Array, np.ndarray)) for leaf in jax.tree.leaves(child))


def _data_field(value: Any, index: int) -> str:
    paths, _ = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda part: part is not value)
    step = paths[index][0][0] if index < len(paths) and paths[index][0] else "?"
    return str(getattr(step, "name", getattr(step, "key", step)))
