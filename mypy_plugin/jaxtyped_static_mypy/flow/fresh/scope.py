"""What the decorators of the functions around an expression make of it."""

from collections.abc import Iterable

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    RefExpr,
    Var,
)

from ...jit.sites import read_site
from ...knowledge.full_names import MEMOISING
from ...knowledge.function_rows import Effect, JitFunction
from ...knowledge.jax_functions import JAX_JIT
from ...libraries import JIT_FUNCTIONS, known_function
from ...markers.marker import Marker, marker_of
from ...source.checked_file import CheckedFile
from ...source.functions import functions_around
from ...syntax.decorators import applied
from ...syntax.trees import callee_name


def is_static_parameter(var: Var, line: int, file: CheckedFile) -> bool:
    """Whether a parameter is marked static, or listed by a jit decorator."""
    for function in functions_around(line, file):
        for index, argument in enumerate(function.node.arguments):
            if argument.variable is var:
                marked = marker_of(var.type, file.settings.static_markers) is Marker.STATIC
                return marked or any(_lists(node, index, function.node, file) for node in function.decorators)
    return False


def _lists(decorator: Expression, index: int, function: FuncDef, file: CheckedFile) -> bool:
    """Whether `@jit(static_argnames=...)` or `@partial(jit, ...)` makes a parameter static."""
    call = applied(decorator)
    row = _jit_function(callee_name(call), file)
    if row is None or len(call.args) == 1:
        return False
    site = read_site(callee_name(call), row, list(zip(call.arg_names, call.args, strict=True)), file.tree)
    count = len(function.arguments)
    numbers = {number % count for number in site.nums if -count <= number < count}
    return not site.known or function.arg_names[index] in site.names or index in numbers


def _jit_function(name: str, file: CheckedFile) -> JitFunction | None:
    return JAX_JIT if name in file.settings.jit_functions else JIT_FUNCTIONS.get(name)


def is_evaluated_once(line: int, file: CheckedFile) -> bool:
    """Whether code at this line runs once for each cache key: under a memoising decorator, or in a trace.

    A jitted function that another one calls is traced together with that, and compiled as a part of it.
    """
    functions = functions_around(line, file)
    if functions and is_memoised(functions[-1].decorators):
        return True
    names = (callee_name(applied(decorator)) for function in functions for decorator in function.decorators)
    return any(
        _jit_function(name, file) is not None and Effect.TRACED_EACH_TIME not in known_function(name).effects
        for name in names
    )


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)
