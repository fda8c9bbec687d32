"""Finds arrays that are as long as their data says: `x[x > 0]`, `jnp.unique(x)`, `x[:n]` of a counted `n`.

JAX compiles for each length. What an option fixes (`size=`), and what is padded, has one length.
"""

from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    ReturnStmt,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance

from ...classes.array_holders import is_array_like
from ...knowledge.full_names import NUMPY
from ...knowledge.function_rows import KnownFunction, Result
from ...knowledge.jax_functions import JAX_FUNCTIONS, jax_name
from ...knowledge.members import AS_ARRAY, SIZED_METHODS, TO_NUMBER, UNAMBIGUOUS_METHODS
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...syntax.arguments import keyword_argument, named_arguments, unpacks
from ...syntax.imports import full_name
from ...syntax.names import last_name
from ...syntax.trees import statements
from ..declared_types import TypeOf
from .data import Place, bound_to, data_in, is_of_numpy, place_in, place_of_call

_MAX_DEPTH: Final = 8
_NO_ROW: Final = KnownFunction()
_COMPARING: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_OF_MASKS: Final = frozenset({"&", "|", "^"})
_TO_INTEGER: Final = "builtins.int"
_LENGTH: Final = "builtins.len"
_COUNTING: Final = frozenset({"count_nonzero", "sum"})
_SPREADING: Final = "repeat"  # mostly by a number that does not change
_TUPLES: Final = frozenset({"nonzero", "where"})  # they return one array for each axis
_RETURNING: Final = "return_"  # the options of `unique`, which then returns a tuple


class _Search(NamedTuple):
    file: CheckedFile
    type_of: TypeOf
    place: Place
    depth: int = _MAX_DEPTH


def selected_array(argument: Expression, call: Expression, file: CheckedFile, type_of: TypeOf) -> str | None:
    """The data whose values decide how long an argument is, if a loop gives the call other data on each pass."""
    place = place_of_call(call, file)
    return _selected(argument, _Search(file, type_of, place)) if place.loops or place.given else None


def counted_number(argument: Expression, call: Expression, file: CheckedFile, type_of: TypeOf) -> str | None:
    """The data of which a number counts something, if a loop gives the call other data on each pass."""
    place = place_of_call(call, file)
    made = made_by(argument, file)
    inner = made.args[0] if isinstance(made, CallExpr) and made.args else None
    is_number = full_name(made.callee, file.tree) == _TO_INTEGER if isinstance(made, CallExpr) else False
    if inner is None or not is_number or not (place.loops or place.given):
        return None
    inner = made_by(inner, file)
    counts = isinstance(inner, CallExpr) and last_name(inner.callee) in _COUNTING
    return _counted(made, _Search(file, type_of, place)) if counts else None


def _selected(node: Expression, search: _Search) -> str | None:
    search = search._replace(depth=search.depth - 1)
    if not search.depth:
        return None
    if isinstance(node, NameExpr):
        return _of_name(node, search)
    if isinstance(node, IndexExpr):
        return _of_item(node, search)
    if isinstance(node, OpExpr):
        return _selected(node.left, search) or _selected(node.right, search)
    return _of_call(node, search) if isinstance(node, CallExpr) and not unpacks(node) else None


def _of_name(node: NameExpr, search: _Search) -> str | None:
    bound = bound_to(node, search.file)
    if bound is None or bound.value is None:
        return None
    if not bound.binding.path:
        return _selected(bound.value, search)
    is_items = isinstance(bound.value, CallExpr) and all(step[1:-1].isdecimal() for step in bound.binding.path)
    return _of_part(bound.value, bound.binding.path, search) if is_items else None


def _of_part(node: Expression, path: tuple[str, ...], search: _Search) -> str | None:
    """An item of what a call returns: `values, counts = jnp.unique(x, return_counts=True)`."""
    if not isinstance(node, CallExpr) or unpacks(node):
        return None
    if (sized := _sized_by(node, search)) is not None:
        return sized if _returns_tuple(node) else None
    returned = _returned(node, search)
    value, inside = returned if returned is not None else (None, search)
    items = value.items if isinstance(value, TupleExpr) and len(path) == 1 else []
    index = int(path[0][1:-1])
    return _as_named(_selected(items[index], inside), node, search) if index < len(items) else None


# `x[mask]`, `x[:n]`, `jnp.where(mask)[0]`


def _of_item(node: IndexExpr, search: _Search) -> str | None:
    index = node.index
    if isinstance(index, IntExpr) and isinstance(node.base, CallExpr):
        return _of_part(node.base, (f"[{index.value}]",), search)
    for part in index.items if isinstance(index, TupleExpr) else [index]:
        if isinstance(part, SliceExpr):
            found = _bound_of(part, node.base, search)
        elif _is_mask(part, search) and _may_be_array(node.base, part, search):
            found = data_in(part, search.place) or data_in(node.base, search.place)
        else:
            found = _selected(part, search) if isinstance(part, NameExpr | CallExpr) else None
        if found is not None:
            return found
    return None


def _bound_of(part: SliceExpr, base: Expression, search: _Search) -> str | None:
    if part.stride is not None or part.begin_index is not None or part.end_index is None:
        return None
    return _counted(part.end_index, search) if _is_array(base, search) else None


def _is_mask(node: Expression, search: _Search) -> bool:
    if isinstance(node, NameExpr):
        bound = bound_to(node, search.file)
        return bound is not None and bound.binding.whole is not None and _is_mask(bound.binding.whole, search)
    if isinstance(node, ComparisonExpr):
        return _COMPARING.issuperset(node.operators)
    if isinstance(node, UnaryExpr):
        return node.op == "~" and _is_mask(node.expr, search)
    if isinstance(node, OpExpr):
        return node.op in _OF_MASKS and _is_mask(node.left, search) and _is_mask(node.right, search)
    return isinstance(node, CallExpr) and _row(node, search).result is Result.MASK


def _may_be_array(base: Expression, mask: Expression, search: _Search) -> bool:
    """Whether a mask selects from an array: by its type, or because it is a mask of what it selects from."""
    compared = mask.operands if isinstance(mask, ComparisonExpr) else mask.args if isinstance(mask, CallExpr) else []
    own = base.node if isinstance(base, NameExpr) else None
    is_own = own is not None and any(isinstance(part, NameExpr) and part.node is own for part in compared[:1])
    return is_own or _is_array(base, search) or _is_of_arrays_alone(base) or _joins_masks(mask, search)


def _joins_masks(mask: Expression, search: _Search) -> bool:
    """Whether a mask is `(x > 0) & (y > 0)`, or the like: nobody writes that of numbers."""
    bound = bound_to(mask, search.file) if isinstance(mask, NameExpr) else None
    made = bound.binding.whole if bound is not None else mask
    return isinstance(made, OpExpr) or (isinstance(made, UnaryExpr) and made.op == "~")


def _is_of_arrays_alone(node: Expression) -> bool:
    callee = node.callee if isinstance(node, CallExpr) else None
    return isinstance(callee, MemberExpr) and callee.name in UNAMBIGUOUS_METHODS


def _is_array(node: Expression, search: _Search) -> bool:
    typ = search.type_of(node)
    return isinstance(typ, Instance) and is_array_like(typ.type)


# `n = int(mask.sum())`


def _counted(node: Expression, search: _Search) -> str | None:
    """The data that a number counts, or is taken from: `int(mask.sum())`, `jnp.sum(mask)`, `len(selected)`."""
    if isinstance(node, NameExpr):
        bound = bound_to(node, search.file)
        value = bound.binding.whole if bound is not None else None
        return node.name if value is not None and _counted(value, search) is not None else None
    if not isinstance(node, CallExpr) or unpacks(node):
        return None
    callee, name = node.callee, full_name(node.callee, search.file.tree)
    if name == _LENGTH and node.args:
        return _selected(node.args[0], search)
    if name == _TO_INTEGER and len(node.args) == 1:
        inner = node.args[0]
        is_number_of_array = _is_array(inner, search) or _counted(inner, search) is not None
        return data_in(inner, search.place) if is_number_of_array else None
    if isinstance(callee, MemberExpr) and callee.name == TO_NUMBER and not node.args:
        return data_in(callee.expr, search.place) if _is_array(callee.expr, search) else None
    return data_in(node, search.place) if last_name(callee) in _COUNTING and _is_of_arrays(node, search) else None


def _is_of_arrays(call: CallExpr, search: _Search) -> bool:
    """Whether a call is one of a function of arrays, or of a method of one."""
    is_function = is_of_numpy(full_name(call.callee, search.file.tree))
    return is_function or (isinstance(call.callee, MemberExpr) and _is_array(call.callee.expr, search))


# `jnp.unique(x)`, `valid(x)`


def _of_call(call: CallExpr, search: _Search) -> str | None:
    if (sized := _sized_by(call, search)) is not None:
        return sized
    if call.args and last_name(call.callee) in AS_ARRAY and _is_of_arrays(call, search):
        return _selected(call.args[0], search)
    returned = _returned(call, search)
    return _as_named(_selected(*returned), call, search) if returned is not None else None


def _row(call: CallExpr, search: _Search) -> KnownFunction:
    """What is known of a function of `jax.numpy`, also where NumPy has it."""
    name = full_name(call.callee, search.file.tree)
    last = name.rpartition(".")[2]
    return JAX_FUNCTIONS.get(jax_name(name) or f"{NUMPY}.{last}", _NO_ROW) if is_of_numpy(name) else _NO_ROW


def _sized_by(call: CallExpr, search: _Search) -> str | None:
    """The data whose values decide how long the result of a library's function is."""
    callee, name = call.callee, last_name(call.callee)
    is_method = isinstance(callee, MemberExpr) and _is_array(callee.expr, search)
    sized = SIZED_METHODS.get(name) if is_method and name is not None else _row(call, search).sized_by
    if sized is None or name == _SPREADING or keyword_argument(call, sized.option) is not None:
        return None
    if sized.alone and len(call.args) > 1:
        return None
    return data_in(call, search.place)


def _returns_tuple(call: CallExpr) -> bool:
    is_asked = any(name is not None and name.startswith(_RETURNING) for name in call.arg_names)
    return is_asked or last_name(call.callee) in _TUPLES


def _returned(call: CallExpr, search: _Search) -> tuple[Expression, _Search] | None:
    """What a function of the file returns, if it is one that gets other data on each pass."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef) or not search.file.defines(function):
        return None
    returned = [node for node in statements(function.body.body, into_definitions=False) if isinstance(node, ReturnStmt)]
    value = returned[0].expr if len(returned) == 1 else None
    if value is None:
        return None
    own = {argument.variable.name: argument.variable for argument in function.arguments}
    passed = named_arguments(call, list(own))
    given = {own[name] for name, one in passed.items() if name in own and data_in(one, search.place) is not None}
    return (value, search._replace(place=place_in(search.file, (), frozenset[Var](given)))) if given else None


def _as_named(found: str | None, call: CallExpr, search: _Search) -> str | None:
    """The data as the code with the loop calls it."""
    return data_in(call, search.place) if found is not None else None
