"""Finds the call or decorator that compiles a function, and edits the lists in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from jaxtyped_static_mypy.libraries import JIT_FUNCTIONS

from ..editing.documents import Document
from ..editing.edits import Edit
from ..editing.imports import Import, spelling
from ..editing.keywords import argument, with_keyword, without_keyword
from .proposals import Spot

_NAMES: Final = frozenset(name.rpartition(".")[2] for name in JIT_FUNCTIONS)
_PARTIAL: Final = "functools.partial"


def site_of(spot: Spot, options: Iterable[str]) -> cst.BaseExpression | None:
    """What compiles the function that a finding is about: the call or decorator that has one of these options, if any.

    `options`: of `jit` and its relatives, such as `static_argnames`.
    """
    options = tuple(options)
    candidates = list(_candidates(spot))
    written = (one for one in candidates if isinstance(one, cst.Call) and any(argument(one, name) for name in options))
    found = next(written, None)
    if found is not None:
        return found
    compiling = [one for one in candidates if compiles(one)]
    return compiling[0] if len(compiling) == 1 else None


def _candidates(spot: Spot) -> Iterator[cst.BaseExpression]:
    document = spot.document
    parameter = document.starting_at(spot.place, cst.Param)
    function = document.parent(parameter, cst.FunctionDef) if parameter is not None else None
    if function is not None:
        yield from (one.decorator for one in function.decorators)
        return
    call = document.starting_at(spot.place, cst.Call) or document.around(spot.place, cst.Call)
    if call is not None:
        yield call
        yield from (one for one in document.ancestors(call) if isinstance(one, cst.Call))
    elif (name := document.starting_at(spot.place, cst.Decorator)) is not None:
        yield name.decorator


def compiles(node: cst.BaseExpression) -> bool:
    """Whether this is `jax.jit`, a call of it, or a partial of it."""
    if isinstance(node, cst.Call):
        return compiles(node.func) or (_is_partial(node) and bool(node.args) and compiles(node.args[0].value))
    return (get_full_name_for_node(node) or "").rpartition(".")[2] in _NAMES


def jitting_decorator(function: cst.FunctionDef) -> cst.BaseExpression | None:
    """The decorator that compiles a function."""
    return next((one.decorator for one in function.decorators if compiles(one.decorator)), None)


def with_lists(
    document: Document, site: cst.BaseExpression, lists: Mapping[str, str], dropped: Iterable[str]
) -> Edit | None:
    """Sets options of what compiles a function, and drops others."""
    imports: tuple[Import, ...] = ()
    if isinstance(site, cst.Call):
        call = site
    elif (partial := spelling(document, _PARTIAL)) is not None:
        call = cst.Call(cst.parse_expression(partial.text), [cst.Arg(site)])
        imports = partial.imports
    else:
        return None
    for option in dropped:
        call = without_keyword(call, option)
    for option, value in lists.items():
        call = with_keyword(call, option, value)
    new, unneeded = _without_idle_partial(call)
    return Edit({site: new}, imports=imports, unneeded=unneeded)


def _without_idle_partial(call: cst.Call) -> tuple[cst.BaseExpression, tuple[Import, ...]]:
    """`jax.jit` for `partial(jax.jit)`."""
    if _is_partial(call) and len(call.args) == 1:
        return call.args[0].value, (Import("functools", "partial"), Import("functools"))
    return call, ()


def _is_partial(call: cst.Call) -> bool:
    return (get_full_name_for_node(call.func) or "").rpartition(".")[2] == "partial"


def read_lists(text: str) -> dict[str, str] | None:
    """`static_argnames="n", static_argnums=1`: each option and its value."""
    call = cst.parse_expression(f"f({text})")
    if not isinstance(call, cst.Call) or any(one.keyword is None for one in call.args):
        return None
    code = cst.Module([]).code_for_node
    return {one.keyword.value: code(one.value) for one in call.args if one.keyword is not None}


def items(value: cst.BaseExpression) -> list[str | int] | None:
    """The names and numbers in a list that is written out."""
    if isinstance(value, cst.Tuple | cst.List | cst.Set):
        found = [items(element.value) for element in value.elements]
        return None if None in found else [item for part in found for item in part or ()]
    if isinstance(value, cst.SimpleString) and isinstance(text := value.evaluated_value, str):
        return [text]
    return [value.evaluated_value] if isinstance(value, cst.Integer) else None
