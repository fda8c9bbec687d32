"""jax-call: JAX calls a `functools.partial` that binds what its function does not take, so that each call raises."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, ListExpr, TupleExpr

from ..flow.handed_functions import Handed, handed
from ..flow.written_values import written_value
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import JAX_FUNCTIONS
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, unpacks
from ..syntax.partials import is_partial
from ._compiled_arguments import unfit
from ._refused import JaxCall, Refused

_WRONG_PARTIAL: Final = Message(
    "This partial of {function} {does}, so each call of it raises",
    "bind what the function takes",
    kind="bound-arguments",
)
_CALLING: Final = Effect.WRAPS | Effect.CALLS_FIRST
_FIRST: Final = ((0, "fun"),)


def misfit_partials(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    for given in _functions(found) if found.made_by is None else ():
        made = written_value(given, file)
        if not is_partial(made) or not made.args or unpacks(made):
            continue
        function = handed(made.args[0], file)
        does = _misfit(made, function) if function is not None else None
        if function is not None and does is not None:
            yield Refused(given, _WRONG_PARTIAL.fill(does=does, function=function.name))


def _functions(found: JaxCall) -> Iterator[Expression]:
    """What a call hands over as functions."""
    row = JAX_FUNCTIONS.get(found.name)
    if row is None:
        return
    callbacks = row.calls.callbacks if row.calls is not None else ()
    if not callbacks and (row.compiles is not None or row.effects & _CALLING):
        callbacks = _FIRST
    for position, name in callbacks:
        given = argument(found.call, position, name)
        if given is not None:
            yield from given.items if isinstance(given, (ListExpr, TupleExpr)) else (given,)


def _misfit(partial: CallExpr, function: Handed) -> str | None:
    parameters = [(one.name, one.kind) for one in function.parameters]
    return unfit(partial.arg_names[1:], parameters)
