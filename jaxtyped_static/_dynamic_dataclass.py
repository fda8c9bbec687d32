"""`dynamic_dataclass` makes a frozen dataclass that is a pytree; its fields marked `Static[...]` are the metadata."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal, TypeVar, cast, dataclass_transform, overload

from jaxtyped_static._classes.copying import add_copying
from jaxtyped_static._classes.dataclass_habits import (
    abstract_fields,
    check_default_values,
    check_frozen_option,
    implement,
)
from jaxtyped_static._classes.field_markers import static_fields
from jaxtyped_static._classes.pytree_definitions import check_definition, check_fields
from jaxtyped_static._classes.sealing import own_code, seal_when_made
from jaxtyped_static._classes.trees import Tree, make_pytree, register
from jaxtyped_static._fields import field

__all__ = ["dynamic_dataclass"]

T = TypeVar("T")


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(cls: type[T], /) -> type[T]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(
    *, frozen: Literal[True] = ..., repr: bool = ..., eq: bool = ..., match_args: bool = ..., kw_only: bool = ...
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(
    cls: type[T] | None = None,
    /,
    *,
    frozen: Literal[True] = True,
    repr: bool = True,
    eq: bool = True,
    match_args: bool = True,
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Makes a class a frozen dataclass and a pytree; the fields marked `Static[...]` are its metadata.

    Use it bare (`@dynamic_dataclass`) or with the options of `dataclasses.dataclass`. The values of static fields are
    verified when an object is made, and compared exactly, as in a static class: `1`, `1.0` and `True` get different
    programs. All other fields hold what JAX traces, and are not verified. When JAX unflattens an object, neither
    `__init__` nor `__post_init__` runs.

    `__post_init__` may still set fields, with `object.__setattr__`. Decorate every subclass, too.

    Raises:
        MarkerError: a marker cannot be read or has no effect (`Static[int] | None`, an unresolvable annotation, ...).
        StaticContractError: the class has a cached property; or, when an object is made, the value of a static field
            can change, has no hash by value, is or holds an array or a tracer, or is a callable that is not a
            singleton.
        TypeError: the class defines what `dynamic_dataclass` generates, such as `tree_flatten`.
    """
    options = {"repr": repr, "eq": eq, "match_args": match_args, "kw_only": kw_only}
    check_frozen_option(frozen, "@dynamic_dataclass")
    if cls is None:
        return lambda cls: _make_dynamic(cls, sys._getframe(1), options)
    return _make_dynamic(cls, sys._getframe(1), options)


def _make_dynamic(cls: type[T], caller: FrameType, options: dict[str, bool]) -> type[T]:
    check_definition(cls)
    check_default_values(cls, is_static=False)
    abstract = abstract_fields(cls)
    own = own_code(cls)
    made: Any = dataclasses.dataclass(frozen=True, **options)(cls)
    implement(made, abstract)
    fields = dataclasses.fields(made)
    static = static_fields(made, caller)
    check_fields(made, fields, static)
    tree = Tree(tuple(declared.name for declared in fields if declared.name not in static), static)
    seal_when_made(made, own, tree, late=not all(declared.init for declared in fields))
    add_copying(made)
    make_pytree(made, tree)
    register(made, tree)
    return cast(type[T], made)
