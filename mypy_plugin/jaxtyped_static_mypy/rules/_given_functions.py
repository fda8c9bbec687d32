"""jax-call: JAX calls a function with another number of arguments than it takes, or gets none where it takes one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mypy.errorcodes import CALL_ARG
from mypy.nodes import CallExpr, Expression, ListExpr, StarExpr, TupleExpr

from ..flow.handed_functions import Handed, counted, handed
from ..flow.structures import structure
from ..knowledge.function_rows import Effect, KnownFunction, Receives
from ..knowledge.jax_functions import JAX_FUNCTIONS
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, keyword_argument, positional, unpacks
from ..syntax.literals import integers
from ..syntax.names import last_name
from ._compiled_arguments import misfit
from ._refused import JaxCall, Refused

_WRONG_COUNT: Final = Message(
    "{loop} calls {function} with {given}, and it takes {taken}, so this call raises",
    "give it the parameters that JAX passes ({parameters})",
    kind="number-of-arguments",
)
_WRONG_CALL: Final = Message(
    "This call passes {given} to {function}, which takes {taken}, so it raises",
    "pass what the function takes",
    kind="arguments-of-call",
)
_WRONG_NAMES: Final = Message(
    "This call of {function} {does}, so it raises", "pass what the function takes", kind="names-of-call"
)
_NO_ARGUMENT: Final = Message(
    "{derivative} differentiates positional argument {number}, and {function} takes {taken}, so every call raises",
    "make what is differentiated a parameter of it, and count that in argnums",
    kind="no-such-argument",
)
_NOT_CALLABLE: Final = Message(
    "{loop} calls its branches, and gets a value here, so this call raises",
    "hand over the function that computes it (lambda: ...)",
    kind="called-branch",
)


class _Body(NamedTuple):
    """A parameter of a function of JAX that takes a function, and what that is called with."""

    position: int
    name: str
    given: Sequence[str]  # what messages call the arguments


_BODIES: Final[Mapping[str, Sequence[_Body]]] = {
    "lax.scan": (_Body(0, "f", ("carry", "x")),),
    "lax.fori_loop": (_Body(2, "body_fun", ("i", "carry")),),
    "lax.while_loop": (_Body(0, "cond_fun", ("carry",)), _Body(1, "body_fun", ("carry",))),
    "lax.map": (_Body(0, "f", ("x",)),),
    "lax.associative_scan": (_Body(0, "fn", ("a", "b")),),
}
# These call it with a leaf of each tree that they get.
_MAPS: Final = ("tree.map", "tree_util.tree_map")
# These call what they get at once, with the arguments behind it, or with those in a tuple.
_AT_ONCE: Final = ("api.eval_shape", "api.linearize", "api.vjp")
_BY_TUPLE: Final = "api.jvp"
_COND: Final = "lax.cond"
_BRANCHING: Final = (_COND, "lax.switch")
_OLD_LENGTH: Final = 5  # `cond(pred, true_operand, true_fun, false_operand, false_fun)`


def given_functions(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    if found.made_by is not None:
        yield from _of_made(found, found.made_by, file)
    elif found.name in _BODIES:
        for body in _BODIES[found.name]:
            yield from _of_function(found, argument(found.call, body.position, body.name), body.given, file)
    elif found.name in _BRANCHING:
        yield from _of_branches(found, file)
    elif found.name in _MAPS:
        count = found.call.arg_names.count(None) - 1
        if count > 0 and not unpacks(found.call):
            yield from _of_function(found, found.call.args[0], _numbered("leaf", count), file)
    elif found.name in (*_AT_ONCE, _BY_TUPLE):
        yield from _at_once(found, file)
    else:
        yield from _of_derivative(found, file)


def _of_function(
    found: JaxCall, given: Expression | None, arguments: Sequence[str], file: CheckedFile
) -> Iterator[Refused]:
    function = handed(given, file) if given is not None else None
    if given is None or function is None or function.fits(len(arguments)):
        return
    statement = _WRONG_COUNT.fill(
        loop=last_name(found.call.callee),
        function=function.name,
        given=counted(len(arguments), "argument"),
        taken=function.taken,
        parameters=", ".join(arguments) or "none",
    )
    yield Refused(given, statement)


def branches_of(found: JaxCall) -> Sequence[tuple[Expression, Sequence[Expression]]]:
    """The branches of `cond` or `switch`, each with its operands; none if these are not written out."""
    call = found.call
    if unpacks(call):
        return ()
    if found.name == _COND:
        branches, first = [argument(call, 1, "true_fun"), argument(call, 2, "false_fun")], 3
    else:
        listed = argument(call, 1, "branches")
        branches, first = [*listed.items] if isinstance(listed, (ListExpr, TupleExpr)) else [], 2
    operand = keyword_argument(call, "operand")
    operands = [operand] if operand is not None else positional(call)[first:]
    if any(isinstance(one, StarExpr) for one in branches):
        return ()
    return [(branch, operands) for branch in branches if branch is not None]


def is_old_form(found: JaxCall, file: CheckedFile) -> bool:
    """Whether a call may be `cond(pred, x, f, y, g)`, with an operand for each branch."""
    args = found.call.args
    return found.name == _COND and len(args) == _OLD_LENGTH and handed(args[1], file) is None


def _of_branches(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    if is_old_form(found, file):
        return
    for branch, operands in branches_of(found):
        if structure(branch, file) is not None:  # it is what code computes, or a function that is called too early
            yield Refused(branch, _NOT_CALLABLE.fill(loop=last_name(found.call.callee)))
        yield from _of_function(found, branch, _numbered("operand", len(operands)), file)


def _numbered(name: str, count: int) -> Sequence[str]:
    return [name] if count == 1 else [f"{name}{number}" for number in range(1, count + 1)]


def _at_once(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    """`jax.vjp(f, x, y)`, `jax.jvp(f, (x, y), (dx, dy))`."""
    given: Sequence[Expression] = found.call.args[1:]
    if found.name == _BY_TUPLE:
        primals = argument(found.call, 1, "primals")
        given = primals.items if isinstance(primals, (TupleExpr, ListExpr)) else ()
        is_known = bool(given) and not any(isinstance(one, StarExpr) for one in given)
    else:
        is_known = not unpacks(found.call) and all(name is None for name in found.call.arg_names)
    if is_known and found.call.args:
        yield from _of_function(found, found.call.args[0], _numbered("x", len(given)), file)


def _of_made(found: JaxCall, made: CallExpr, file: CheckedFile) -> Iterator[Refused]:
    """`jax.grad(f)(x, y)`, `jax.jit(f)(x, k=y)`: what these make takes the arguments of the function."""
    row = JAX_FUNCTIONS.get(found.name)
    if row is None or not _keeps_arguments(row, file) or unpacks(found.call) or unpacks(made) or not made.args:
        return
    function, names = handed(made.args[0], file), found.call.arg_names
    count, axes = names.count(None), keyword_argument(made, "in_axes") or argument(made, 1, "in_axes")
    if function is None or (isinstance(axes, (TupleExpr, ListExpr)) and len(axes.items) != count):
        return  # jit-argnames says so
    if row.derives is not None and not _argnums_fit(made, function):
        return
    does = misfit(names, [(one.name, one.kind) for one in function.parameters])
    if does is not None and count < len(names):
        yield Refused(found.call, _WRONG_NAMES.fill(function=function.name, does=does))
    elif does is not None:
        given = counted(count, "argument") if count else "no argument"
        statement = _WRONG_CALL.fill(given=given, function=function.name, taken=function.taken)
        yield Refused(found.call, statement)


def _keeps_arguments(row: KnownFunction, file: CheckedFile) -> bool:
    """Whether what a function makes takes the arguments of the function that it gets, and mypy does not check them."""
    if row.compiles is not None and not row.compiles.maps:
        return not file.settings.shows(CALL_ARG.code, file.options)
    return row.calls is not None and bool(row.effects & Effect.WRAPS)


def _of_derivative(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    row = JAX_FUNCTIONS.get(found.name)
    is_by_number = row is not None and row.calls is not None and row.calls.receives is Receives.ARGNUMS
    if not is_by_number or not found.call.args or unpacks(found.call):
        return
    function = handed(found.call.args[0], file)
    if function is not None and not _argnums_fit(found.call, function):
        name, number = last_name(found.call.callee), str(max(_argnums(found.call), default=0))
        statement = _NO_ARGUMENT.fill(derivative=name, number=number, function=function.name, taken=function.taken)
        yield Refused(found.call.args[0], statement)


def _argnums_fit(call: CallExpr, function: Handed) -> bool:
    """Whether a function takes the positional arguments that a derivative is taken by."""
    return function.most is None or all(-function.most <= number < function.most for number in _argnums(call))


def _argnums(call: CallExpr) -> list[int]:
    given = argument(call, 1, "argnums")
    return integers(given) if given is not None else [0]
