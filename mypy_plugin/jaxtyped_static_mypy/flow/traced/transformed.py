"""What compiled code passes to a function of the file through a transformation: `jax.grad(loss)(params, batch)`."""

from collections.abc import Iterator, Sequence

from mypy.nodes import CallExpr, Expression, FuncDef, MemberExpr

from ...knowledge.function_rows import Effect
from ...libraries import known_function
from ...reach.description import reach_of
from ...reach.traced_calls import TracedCall, traced_calls
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...syntax.names import callee_name, function_of
from ...syntax.trees import self_parameter
from .frame import Frame, PassedValues
from .helpers import helper_named
from .parameters import passed_values, traced_values
from .values import Value


def record_transformed(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records the use of the function: in a program, what is differentiated or mapped gets tracers without values."""
    walk = frame.walk
    for traced in _transformed(call, frame):
        helper = helper_named(traced.function, walk) or _nested(traced.function, frame)
        if helper is None or not _keep_values(helper, walk.file):
            continue
        own = self_parameter(helper) if isinstance(traced.function, MemberExpr) else None
        of_call = passed_values(helper, call, values, bound=own.name if own is not None else None)
        by_jax = traced_values(helper, traced.of_method() if own is not None else traced, walk.file, staged=True)
        passed = by_jax | {name: value for name, value in of_call.items() if value is not None}
        walk.record_helper(helper, PassedValues(passed, staged=True))


def _nested(named: Expression, frame: Frame) -> FuncDef | None:
    """A function beside the one being walked, which it calls by the name of a derivative: `slope = jax.grad(loss)`."""
    function = function_of(named)
    is_beside = isinstance(function, FuncDef) and function in frame.walk.nested and not function.is_decorated
    return function if isinstance(function, FuncDef) and is_beside else None


def _transformed(call: CallExpr, frame: Frame) -> Iterator[TracedCall]:
    """How what is called traces a function that it was made of, and that takes the same arguments."""
    file = frame.walk.file
    made = made_by(call.callee, file)
    if isinstance(made, CallExpr) and known_function(callee_name(made)).effects & (Effect.WRAPS | Effect.PASSES_ON):
        yield from (traced for traced in traced_calls(file, made) if traced.function is made.args[0])


def _keep_values(function: FuncDef, file: CheckedFile) -> bool:
    """Whether nothing is known of the function's tracers but that they have values, where it is checked by itself."""
    return all(traced.keeps_values for traced in reach_of(file, function).traced)
