"""Finds calls of what a library makes of a function, with an object that it takes apart: `nnx.grad(loss)(model)`.

Below a trace that captures the object, the library refuses it, whether the function changes it or not.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, FuncItem, LambdaExpr, NameExpr, Node, RefExpr

from ...knowledge.function_rows import Effect
from ...libraries import known_function, lifted_by, lifting_library
from ...reach.description import named_function
from ...source.nested_functions import Functions
from ...syntax.changes import Change, ChangeKind, written
from ...syntax.trees import nodes_below
from ..written_values import written_value
from .refused import class_of

_LEAVING_ALONE: Final = frozenset({"graph", "graph_updates"})  # options that take no object apart
_ARGNUMS: Final = "argnums"


def handed_to_library(nodes: Iterable[Node], functions: Functions) -> Iterator[Change]:
    """The calls among these nodes, each with the first object of the library among its arguments."""
    for node in nodes:
        if isinstance(node, CallExpr):
            yield from _handed(node, functions)


def _handed(call: CallExpr, functions: Functions) -> Iterator[Change]:
    made = written_value(call.callee, functions.file)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or not call.args:
        return
    name = made.callee.fullname
    if Effect.REFUSES_CAPTURED not in known_function(name).effects or not _LEAVING_ALONE.isdisjoint(made.arg_names):
        return
    library = lifting_library(name)
    target = next((one for one in call.args if _is_of_library(one, library, functions)), None)
    if target is None and _is_model(call, made, functions):
        target = call.args[0]
    if target is not None:
        shown = f"{written(made.callee)}(...)({written(target)}{', ...' if len(call.args) > 1 else ''})"
        yield Change(call, ChangeKind.LIFTED, target, shown, (), library=library)


def _is_of_library(argument: Expression, library: str, functions: Functions) -> bool:
    info = class_of(argument, functions)
    if info is None or lifted_by(info) != library:
        return False
    functions.consulted.update(info.mro)
    return True


def _is_model(call: CallExpr, made: CallExpr, functions: Functions) -> bool:
    """Whether a function is differentiated by something that it calls, so that this is a model of the library."""
    function = _function(made, functions)
    is_first = call.arg_names[0] is None and not call.arg_kinds[0].is_star() and _ARGNUMS not in made.arg_names
    if known_function(getattr(made.callee, "fullname", "")).derives is None or function is None or not is_first:
        return False
    if class_of(call.args[0], functions) is not None or not function.arguments:
        return False
    model = function.arguments[0].variable
    called = (node.callee for node in nodes_below(function) if isinstance(node, CallExpr))
    return any(isinstance(callee, NameExpr) and callee.node is model for callee in called)


def _function(made: CallExpr, functions: Functions) -> FuncItem | None:
    given = made.args[0] if made.args else None
    if isinstance(given, LambdaExpr):
        return given
    return named_function(given, functions.file) if isinstance(given, NameExpr) else None
