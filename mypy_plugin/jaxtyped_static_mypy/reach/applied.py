"""What runs where JAX is not handed a function: an object that is called, or what a library makes `apply` of.

`jax.vmap(metric)` runs `__call__` of its class. So does `jax.jit(net.apply)` of a module of Flax Linen; that of
`net = hk.transform(f)` of Haiku runs `f`.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, MemberExpr

from ..compat.dependencies import record_dependency
from ..knowledge.full_names import CALL_METHOD, LINEN_MODULE
from ..libraries.haiku import LEADING_ARGUMENTS, WITHOUT_KEY
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.returned_functions import returned_function
from ..syntax.arguments import argument
from ..syntax.names import function_of
from .layers import name_called
from .receiving import class_made, classes_of
from .traced_calls import TracedCall, traced_calls, unwrapped

_APPLY: Final = "apply"
_METHOD: Final = "method"  # by which `apply` of Flax runs another one
_FIRST: Final = range(8)  # positions


class Applied(NamedTuple):
    """The function or method that runs, and how JAX traces it."""

    function: FuncItem
    traced: TracedCall


@once_per_file
def applied_in(file: CheckedFile) -> Mapping[FuncItem, list[tuple[CallExpr, TracedCall]]]:
    """The functions that run where the file hands something else to JAX, with the calls that hand it over."""
    found: dict[FuncItem, list[tuple[CallExpr, TracedCall]]] = {}
    for call in file.calls:
        for traced in traced_calls(file, call):
            if (applied := what_applies(traced, file)) is not None:
                found.setdefault(applied.function, []).append((call, applied.traced))
    return found


def what_applies(traced: TracedCall, file: CheckedFile) -> Applied | None:
    """What runs in place of what a call hands to JAX; None if that is a function itself, or not seen."""
    handed = traced.function
    if isinstance(handed, MemberExpr) and handed.name == _APPLY:
        return _of_module(handed.expr, traced, file) or _of_transformed(handed.expr, traced, file)
    if traced.is_later and (kept := _kept(traced, file)) is not None:
        return kept
    method = _called_method(handed, file)
    return Applied(method, traced.of_method()) if method is not None else None


def _kept(traced: TracedCall, file: CheckedFile) -> Applied | None:
    """The function that a variable holds, with the arguments that a partial binds, or that a function returns."""
    made = made_by(traced.function, file)
    if made is not traced.function:
        traced = unwrapped(traced._replace(function=made), file)
    elif not isinstance(made, CallExpr):
        return None
    named = traced.function
    function = returned_function(named, file) if isinstance(named, CallExpr) else function_of(named)
    return Applied(function, traced) if function is not None else None


def _of_module(owner: Expression, traced: TracedCall, file: CheckedFile) -> Applied | None:
    """`apply` gets the variables in place of the object, and then the arguments of `__call__`."""
    method = _called_method(owner, file)
    is_told = any(traced.traces(index, _METHOD) for index in _FIRST)  # else a partial, or a static argument, names it
    if method is None or not is_told or not any(base.fullname == LINEN_MODULE for base in method.info.mro):
        return None
    return Applied(method, traced._replace(traces=lambda index, name: index > 0 and traced.traces(index, name)))


def _of_transformed(owner: Expression, traced: TracedCall, file: CheckedFile) -> Applied | None:
    """`apply` gets the parameters, perhaps a state and a key, and then the arguments of the function."""
    made, without_key = made_by(owner, file), 0
    while isinstance(made, CallExpr) and made.args and name_called(made.callee, file.tree) in WITHOUT_KEY:
        made, without_key = made_by(made.args[0], file), 1
    leading = LEADING_ARGUMENTS.get(name_called(made.callee, file.tree)) if isinstance(made, CallExpr) else None
    given = argument(made, 0, "f") if isinstance(made, CallExpr) else None
    function = function_of(given) if given is not None else None
    if leading is None or function is None:
        return None
    count = leading - without_key
    return Applied(function, traced._replace(traces=lambda index, name: traced.traces(index + count, name)))


def _called_method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """`__call__` of the object that an expression stands for, which no class of the file below its own replaces."""
    infos = [info for info in [class_made(node)] if info is not None] or classes_of(node, file)
    if len(infos) != 1 or infos[0].is_protocol or infos[0].fallback_to_any:
        return None
    record_dependency(file.api, infos[0].mro)
    symbol = infos[0].get(CALL_METHOD)
    found = symbol.node if symbol is not None else None
    method = found.func if isinstance(found, Decorator) else found
    return method if isinstance(method, FuncDef) and not file.overriding(method, infos[0]) else None
