"""What the functions of libraries do with the functions and trees that they get, as far as weak types go."""

import ast
from collections.abc import Mapping
from typing import Final

from jaxtyped_static_mypy.knowledge.full_names import CACHES, PARTIAL, TREE_MAPS
from jaxtyped_static_mypy.knowledge.function_rows import Derives, Effect, Updates
from jaxtyped_static_mypy.libraries import known_function

from . import arrays
from .python_functions import OF_MATH, PYTHON, Handler
from .scopes import Given, Running
from .values import (
    STRONG,
    STRONG_FLOAT,
    UNKNOWN,
    Compiled,
    Gradient,
    Kind,
    Leaf,
    Library,
    Object,
    Partial,
    Text,
    Tuple,
    Value,
    as_array,
    joined,
    mapped,
    number,
    promoted,
    strengthened,
)

_SAME_FUNCTION: Final = frozenset(
    ["checkpoint", "filter_checkpoint", "filter_vmap", "jaxtyped", "named_call", "remat", "typechecked", "vmap"]
)
_SAME: Final = "<same>"  # a decorator that returns the function
_MAKING_DECORATORS: Final = frozenset({"functools.wraps", "jax.named_scope"})  # they get something else first
_COMPILERS: Final = frozenset({"filter_jit", "filter_pmap", "jit", "pmap"})
_STATIC_LISTS: Final = ("static_argnums", "static_argnames", "static_broadcasted_argnums")
_FILTERS: Final = frozenset({"filter_jit", "filter_pmap"})
_LIBRARIES_OF_JAX: Final = frozenset({"jax", "equinox", "flax", "jaxtyped_static", "haliax"})
_GRADIENTS: Final = {"filter_grad": False, "filter_value_and_grad": True}
_KEPT: Final = frozenset(
    {"jax.block_until_ready", "jax.device_get", "jax.device_put", "jax.lax.with_sharding_constraint", "typing.cast"}
)
_TWO: Final = 2  # arguments: a tree, and what is added to it, or a function and a tree


def of_library(name: str, given: Given, node: ast.AST, running: Running) -> Value:
    """What a function of a library returns."""
    if (handler := _HANDLERS.get(name)) is not None:
        return handler(given, node, running)
    package, _, rest = name.partition(".")
    last = rest.rpartition(".")[2] or package
    row = known_function(name)
    if package in _LIBRARIES_OF_JAX and (row.compiles is not None or last in _COMPILERS):
        return _compiled(name, given)
    if package in _LIBRARIES_OF_JAX and last in _SAME_FUNCTION:
        return _same_function(given)
    if Effect.SAME_FUNCTION in row.effects or name in CACHES or name in _MAKING_DECORATORS:
        return Library(_SAME) if name in _MAKING_DECORATORS else _same_function(given)
    if (differentiated := _differentiated(name, given)) is not None:
        return differentiated
    if Effect.COPIES in row.effects and given.args:
        return copied(given.args[0], given)
    if row.updates is Updates.TYPED and given.args:
        return mapped([given.args[0]], _typed)
    if row.updates is Updates.SUMMED and len(given.args) == _TWO:
        return mapped(list(given.args), promoted)
    if name in _KEPT:
        return given.args[-1] if given.args else UNKNOWN
    return arrays.of_function(name, given) or _of_other(package, last, given)


def _of_other(package: str, last: str, given: Given) -> Value:
    if package == "math":
        kind = OF_MATH.get(last, Kind.FLOAT)
        return number(kind) if kind is not None else UNKNOWN
    if package == "numpy" and "random" not in last:
        return _of_host_numpy(last, given)
    return UNKNOWN


def _of_host_numpy(last: str, given: Given) -> Value:
    """NumPy's arrays, and its numbers, have strong types."""
    found = arrays.of_numpy(last, given)
    return found._replace(is_weak=False, is_array=True, constant=None) if isinstance(found, Leaf) else UNKNOWN


def _typed(leaves: list[Value]) -> Value:
    first = leaves[0]
    return Leaf(is_weak=False, kind=first.kind) if isinstance(first, Leaf) else STRONG


def _same_function(given: Given) -> Value:
    """A decorator with options returns another one."""
    return given.args[0] if given.args else Library(_SAME)


def _compiled(name: str, given: Given) -> Value:
    last = name.rpartition(".")[2]
    function = given.get(0, "fun") or given.get(0, "f")
    if function is None:
        return Partial(Library(name), (), given.keywords)
    written = [given.keywords[name] for name in _STATIC_LISTS if name in given.keywords]
    if UNKNOWN in written or given.is_open:
        return UNKNOWN
    numbers = [one for value in written for one in _constants(value)]
    names = [one for one in numbers if isinstance(one, str)]
    of_numbers = frozenset(one for one in numbers if isinstance(one, int))
    return Compiled(function, of_numbers, frozenset(names), filters=last in _FILTERS)


def _constants(value: Value | None) -> list[int | str]:
    items = value.items if isinstance(value, Tuple) else (value,)
    texts: list[int | str] = [item.text for item in items if isinstance(item, Text)]
    return texts + [item.constant for item in items if isinstance(item, Leaf) and item.constant is not None]


def _differentiated(name: str, given: Given) -> Value | None:
    derives, last = known_function(name).derives, name.rpartition(".")[2]
    if derives not in (Derives.GRADIENT, Derives.VALUE_AND_GRADIENT) and last not in _GRADIENTS:
        return None
    function = given.get(0, "fun")
    if function is None:
        return Partial(Library(name), (), given.keywords)
    is_of_first = given.get(1, "argnums") is None
    has_value = derives is Derives.VALUE_AND_GRADIENT or _GRADIENTS.get(last, False)
    return Gradient(function, is_of_first, has_value, "has_aux" in given.keywords)


def copied(value: Value, given: Given) -> Value:
    """`dataclasses.replace(state, x=...)`."""
    if not isinstance(value, Object):
        return UNKNOWN
    others = {} if given.is_open else value.fields
    return Object(value.cls, {**others, **given.keywords})


# Collectives, of trees


def _of_all_devices(given: Given, node: ast.AST, running: Running) -> Value:
    """`psum` makes no array of a number of Python."""
    return mapped([_first(given)], lambda leaves: _typed(leaves) if _is_array(leaves[0]) else leaves[0])


def _mean_of_devices(given: Given, node: ast.AST, running: Running) -> Value:
    return mapped([_first(given)], lambda leaves: STRONG_FLOAT if _is_array(leaves[0]) else UNKNOWN)


def _same_arrays(given: Given, node: ast.AST, running: Running) -> Value:
    return mapped([_first(given)], lambda leaves: as_array(leaves[0]))


def _first(given: Given) -> Value:
    return given.get(0, "x") or UNKNOWN


def _is_array(value: Value) -> bool:
    return isinstance(value, Leaf) and value.is_array


# Control flow of JAX


def _scan(given: Given, node: ast.AST, running: Running) -> Value:
    body, carry = given.get(0, "f"), given.get(1, "init")
    if body is None or carry is None:
        return UNKNOWN
    items = given.get(2, "xs") or UNKNOWN
    with running.tracing():
        found = running.call(body, Given((carry, items)), node)
    return Tuple((_carried(carry, _item(found, 0)), _item(found, 1)))


def _while_loop(given: Given, node: ast.AST, running: Running) -> Value:
    body, carry = given.get(1, "body_fun"), given.get(2, "init_val")
    return _looped(body, carry, (), node, running)


def _fori_loop(given: Given, node: ast.AST, running: Running) -> Value:
    body, carry = given.get(2, "body_fun"), given.get(3, "init_val")
    return _looped(body, carry, (as_array(number(Kind.INTEGER)),), node, running)


def _looped(
    body: Value | None, carry: Value | None, before: tuple[Value, ...], node: ast.AST, running: Running
) -> Value:
    if body is None or carry is None:
        return UNKNOWN
    with running.tracing():
        return _carried(carry, running.call(body, Given((*before, carry)), node))


def _carried(carry: Value, returned: Value) -> Value:
    """What begins weak where the body returns a strong type is strong from the first pass on: JAX looks once."""
    return strengthened(mapped([carry], lambda leaves: as_array(leaves[0])), returned)


def _item(value: Value, index: int) -> Value:
    return value.items[index] if isinstance(value, Tuple) and len(value.items) > index else UNKNOWN


def _cond(given: Given, node: ast.AST, running: Running) -> Value:
    functions, operands = given.args[1:3], given.args[3:]
    return _branches(tuple(reversed(functions)), operands, node, running)


def _switch(given: Given, node: ast.AST, running: Running) -> Value:
    listed = given.args[1] if len(given.args) > 1 else UNKNOWN
    return _branches(listed.items, given.args[2:], node, running) if isinstance(listed, Tuple) else UNKNOWN


def _branches(functions: tuple[Value, ...], operands: tuple[Value, ...], node: ast.AST, running: Running) -> Value:
    """The first branch decides, which is that for a false condition: the others have its types."""
    with running.tracing():
        results = [running.call(function, Given(operands), node) for function in functions]
    if not results:
        return UNKNOWN
    found = mapped(results, _of_branches)
    return found if found is not UNKNOWN else joined(results[0], results[-1])


def _of_branches(leaves: list[Value]) -> Value:
    first = leaves[0]
    kinds = {leaf.kind if isinstance(leaf, Leaf) else None for leaf in leaves}
    return as_array(first) if len(kinds) == 1 and None not in kinds else UNKNOWN


def _map(given: Given, node: ast.AST, running: Running) -> Value:
    function, items = given.get(0, "f"), given.get(1, "xs")
    if function is None or items is None:
        return UNKNOWN
    with running.tracing():
        return running.call(function, Given((items,)), node)


def _tree_map(given: Given, node: ast.AST, running: Running) -> Value:
    if len(given.args) < _TWO or "is_leaf" in given.keywords:
        return UNKNOWN
    function, *trees = given.args
    return mapped(trees, lambda leaves: running.call(function, Given(tuple(leaves)), node))


def _partial(given: Given, node: ast.AST, running: Running) -> Value:
    return Partial(given.args[0], given.args[1:], given.keywords) if given.args else UNKNOWN


def _same(given: Given, node: ast.AST, running: Running) -> Value:
    return given.args[0] if given.args else UNKNOWN


_HANDLERS: Final[Mapping[str, Handler]] = {
    _SAME: _same,
    PARTIAL: _partial,
    **dict.fromkeys((*TREE_MAPS, "jax.tree_map"), _tree_map),
    "jax.lax.scan": _scan,
    **dict.fromkeys(("jax.lax.while_loop", "flax.nnx.while_loop"), _while_loop),
    **dict.fromkeys(("jax.lax.fori_loop", "flax.nnx.fori_loop"), _fori_loop),
    **dict.fromkeys(("jax.lax.cond", "flax.nnx.cond"), _cond),
    **dict.fromkeys(("jax.lax.switch", "flax.nnx.switch"), _switch),
    "jax.lax.map": _map,
    **dict.fromkeys(("jax.lax.pmax", "jax.lax.pmin", "jax.lax.psum"), _of_all_devices),
    "jax.lax.pmean": _mean_of_devices,
    "jax.lax.all_gather": _same_arrays,
    **PYTHON,
}
