"""static-traced: a function of JAX itself that `jax.jit` compiles gets a tracer for what has to be concrete."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, IntExpr, ListExpr, NameExpr, RefExpr, TupleExpr, UnaryExpr

from ..flow.declared_types import positions_with
from ..flow.traced.shapes import STATIC_OPTIONS
from ..knowledge.jax_functions import jax_function, jax_name
from ..reach.traced_calls import TracedCall, traced_calls
from ..reporting.errors import report
from ..reporting.finding import Place
from ..reporting.messages import Message
from ..reporting.positions import STATIC_ARGUMENT
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..syntax.arguments import named_arguments, unpacks
from . import CODES

_CODE: Final = CODES["static-traced"]
_TRACED: Final = Message(
    "jit traces this argument, and {function}() needs its concrete value, so this call raises",
    ('list it in static_argnames="{parameter}"', "compile a function that calls {function}() with it"),
    kind="traced-by-jit",
)
_DISPLAYS: Final = (ListExpr, TupleExpr)


class _Passed(NamedTuple):
    """An argument that has to be concrete."""

    argument: Expression
    parameter: str
    function: str


def check_compiled_functions(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no type decides, and no hook is called for some of them."""
    for passed in _found(file):
        place = Place(STATIC_ARGUMENT, passed.parameter, passed.function)
        statement = _TRACED.fill(function=passed.function, parameter=passed.parameter)
        report(file, passed.argument, statement, _CODE, position=place)
    return bool(_found(file))


@once_per_file
def _found(file: CheckedFile) -> tuple[_Passed, ...]:
    calls = file.calls
    return tuple(passed for call in calls for passed in _passed(call, file))


def _passed(call: CallExpr, file: CheckedFile) -> Iterator[_Passed]:
    """`jax.jit(jnp.split)(x, 2)`, also where a name holds what `jit` returns."""
    traced = _compiled(call, file)
    if traced is None or unpacks(call) or is_error_expected(call, file):
        return
    function = traced.function
    name = jax_name(function.fullname) if isinstance(function, RefExpr) else None
    if not isinstance(function, RefExpr) or name is None:
        return
    shapes = jax_function(function.fullname).shapes.union(STATIC_OPTIONS)
    names = positions_with(function.node, shapes, call)
    for parameter, argument in named_arguments(call, names).items():
        index = names.index(parameter) if parameter in names else len(names)
        if parameter in shapes and traced.traces(index, parameter) and _is_number(made_by(argument, file)):
            yield _Passed(argument, parameter, name.rpartition(".")[2])


def _compiled(call: CallExpr, file: CheckedFile) -> TracedCall | None:
    """How plain `jit` traces what the call runs."""
    made = made_by(call.callee, file) if isinstance(call.callee, (CallExpr, NameExpr)) else None
    traced = traced_calls(file, made) if isinstance(made, CallExpr) else ()
    return traced[0] if len(traced) == 1 and traced[0].transformation is None else None


def _is_number(node: Expression) -> bool:
    """Whether JAX makes a tracer of an argument, or of the items of a tuple, for sure."""
    if isinstance(node, _DISPLAYS):
        return bool(node.items) and all(map(_is_number, node.items))
    return isinstance(node.expr if isinstance(node, UnaryExpr) else node, IntExpr)
