"""What calls of functions of Python and JAX return."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    FuncDef,
    RefExpr,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, ProperType, TupleType, UnionType, get_proper_type

from ...classes.array_holders import is_array
from ...knowledge.function_rows import Result
from ...knowledge.jax_functions import VALUE_AREAS, jax_function
from ...libraries import known_function
from ..declared_types import return_types
from .declared import returned_value
from .frame import Frame
from .joining import element
from .values import Each, Entries, Items, Source, Traced, Value, array_from, computed

_DICT: Final = "builtins.dict"
_LIST: Final = "builtins.list"


def builtin_value(fullname: str, call: CallExpr, values: Sequence[Value]) -> Value:
    first = values[0] if values else None
    names = [name for name in call.arg_names if name is not None]
    if fullname == _DICT and len(names) == len(values):
        return Entries(tuple(zip(names, values, strict=True)), is_closed=True)
    if fullname == _LIST and not values:
        return Items(())
    match known_function(fullname).result:
        case Result.ITEMS_NUMBERED:
            return Each(Items((None, element(first))))
        case Result.ITEMS_ZIPPED:
            return Each(Items(tuple(element(value) for value in values)))
        case Result.SAME_ITEMS:
            return first if isinstance(first, Items) else Each(element(first))
        case Result.ITEMS_REORDERED:
            return Each(element(first))
        case Result.ITEMS_SUMMED:
            summed = element(first)
            return summed if isinstance(summed, Traced) and first != Items(()) else None
        case Result.TRACED:
            return next((value for value in values if isinstance(value, Traced)), None)
    return None


def jax_value(name: str, callee: RefExpr, source: Source | None, frame: Frame) -> Value:
    """JAX's results are traced if an argument is; while a program is staged, all of them are.

    So `if jnp.zeros(3).sum() == 0` raises under `jit`, but not under `vmap` alone (JAX 0.10.2).
    """
    area, _, short = name.partition(".")
    row, function = jax_function(callee.fullname), callee.node
    returns_function = row.calls is not None and area != "lax"
    is_value = area in VALUE_AREAS or row.result is Result.TRACED
    if not is_value or row.result is Result.CONCRETE or returns_function:
        return None
    declared = return_types(function)
    if declared and all(_is_concrete(typ) for typ in declared):
        return None
    computed_from = computed(source) if source is not None and frame.staged else source
    known = computed_from or (frame.result_of(short) if frame.staged else None)
    if declared and all(_holds_array(typ) for typ in declared):
        return returned_value(function, known, frame.walk.file.settings) if known is not None else None
    if declared and all(_is_list_of_arrays(typ) for typ in declared):
        return Each(array_from(known)) if known is not None else None
    is_seen = isinstance(function, (FuncDef, Var)) or bool(declared)
    return Traced(computed_from) if computed_from is not None and is_seen else None


def _holds_array(typ: ProperType) -> bool:
    if isinstance(typ, TupleType):
        return any(_holds_array(get_proper_type(part)) for part in typ.items)
    return isinstance(typ, Instance) and is_array(typ.type)


def _is_list_of_arrays(typ: ProperType) -> bool:
    """Whether a function returns a list, as `jnp.split` does: its items are traced, and it can be changed."""
    return (
        isinstance(typ, Instance)
        and typ.type.fullname == "builtins.list"
        and _holds_array(get_proper_type(typ.args[0]))
    )


def _is_concrete(typ: ProperType) -> bool:
    """Whether a type is a number, shape, dtype or function, and cannot hold an array."""
    if isinstance(typ, (TupleType, UnionType)):
        return all(_is_concrete(get_proper_type(part)) for part in typ.items)
    if isinstance(typ, Instance):
        return not is_array(typ.type) and all(_is_concrete(get_proper_type(part)) for part in typ.args)
    return isinstance(typ, CallableType) and not isinstance(typ, AnyType)
