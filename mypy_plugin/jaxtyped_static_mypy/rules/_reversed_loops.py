"""jax-call: a derivative in reverse of a function that loops a number of times which the trace does not know."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr

from ..flow.handed_functions import Handed, handed
from ..flow.reversed_loops import loop_on_the_way
from ..knowledge.full_names import JAX
from ..knowledge.function_rows import Derives
from ..knowledge.jax_functions import jax_name
from ..libraries import known_function
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.functions import functions_around
from ..syntax.arguments import argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import integers
from ..syntax.names import last_name
from ._refused import Refused

_REVERSED: Final = Message(
    "{derivative} goes through {function} in reverse, and the {loop} in {place} has no fixed number of passes, so "
    "the derivative raises",
    "use lax.scan or lax.fori_loop with static bounds (forwards, with jax.jacfwd or jax.jvp, it works)",
    kind="reversed-loop",
)
_IN_REVERSE: Final = ("api.hessian", "api.jacobian", "api.jacrev")
_BY_ALL: Final = "api.vjp"  # of the arguments behind the function


def reversed_loops(call: CallExpr, file: CheckedFile) -> Iterator[Refused]:
    name = full_name(call.callee, file.tree)
    is_gradient = known_function(name).derives in (Derives.GRADIENT, Derives.VALUE_AND_GRADIENT)
    short = jax_name(name) if name.startswith(JAX) else None
    if not (is_gradient or short in (*_IN_REVERSE, _BY_ALL)) or not call.args or unpacks(call):
        return
    function = handed(call.args[0], file)
    if function is None or function.is_transformed:
        return
    loop = loop_on_the_way(function, _positions(call, function, short), file)
    if loop is not None:
        shown = {"derivative": last_name(call.callee), "function": function.name, "loop": last_name(loop.callee)}
        yield Refused(call.args[0], _REVERSED.fill(place=_place(loop, file), **shown))


def _place(loop: CallExpr, file: CheckedFile) -> str:
    """The function around a loop, as messages name it."""
    around = functions_around(loop.line, file)
    return f'"{around[-1].node.name}"' if around else "the module"


def _positions(call: CallExpr, function: Handed, short: str | None) -> list[int]:
    """The parameters by which a function is differentiated."""
    if short == _BY_ALL:
        return list(range(len(call.args) - 1))
    given = argument(call, 1, "argnums")
    found = [0] if given is None else integers(given)
    return [number % len(function.parameters) for number in found] if function.parameters else []
