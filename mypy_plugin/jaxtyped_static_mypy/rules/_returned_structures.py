"""jax-call: what a function that JAX calls returns has another structure than JAX needs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from mypy.nodes import Expression, NameExpr

from ..flow.dimensions import returns_dimensions
from ..flow.handed_functions import handed
from ..flow.structures import Form, Structure, differ, outcome, structure
from ..knowledge.function_rows import Derives
from ..knowledge.jax_functions import JAX_FUNCTIONS
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.names import last_name
from ._given_functions import branches_of, is_old_form
from ._refused import JaxCall, Refused

_PAIR: Final = 2
_NO_PAIR: Final = Message(
    "The body of scan has to return a pair, the carry and what is stacked, and {function} returns {returned}, so this "
    "call raises",
    "return carry, y (or carry, None)",
    kind="no-pair",
)
_OTHER_CARRY: Final = Message(
    "The carry of this {loop} begins as {first}, and {function} returns {returned} for it, so this call raises",
    "return a carry of the structure that it begins with",
    kind="other-carry",
)
_NO_TRUTH: Final = Message(
    "The condition of while_loop has to return one boolean, and {function} returns {returned}, so this call raises",
    "return the condition alone",
    kind="no-condition",
)
_OTHER_BRANCH: Final = Message(
    "One branch of this {loop} returns {first}, another one {returned}, so this call raises",
    "return the same structure from all branches",
    kind="other-branch",
)
_NO_NUMBER: Final = Message(
    "{derivative} needs a function that returns one number, and {function} returns {returned}, so every call raises",
    "return one number, and all else with has_aux=True",
    kind="no-number",
)
_NO_SUM: Final = Message(
    "{derivative} needs a function that returns one number, and {function} returns an array that has dimensions, so "
    "every call raises",
    "sum it up (jnp.sum, jnp.mean)",
    kind="has-dimensions",
)
_NO_AUXILIARY: Final = Message(
    "With has_aux=True, {derivative} needs a function that returns a pair, the loss and all else, and {function} "
    "returns {returned}, so every call raises",
    "return loss, aux",
    kind="no-auxiliary",
)


class _Loop(NamedTuple):
    """A loop of JAX: where its call has the body, and where the first carry."""

    body: tuple[int, str]
    carry: tuple[int, str]
    before: int = 0  # the arguments of the body before its carry
    is_paired: bool = False  # the body returns a pair, with the carry first


_LOOPS: Final[Mapping[str, _Loop]] = {
    "lax.scan": _Loop((0, "f"), (1, "init"), is_paired=True),
    "lax.fori_loop": _Loop((2, "body_fun"), (3, "init_val"), before=1),
    "lax.while_loop": _Loop((1, "body_fun"), (2, "init_val")),
}
_GRADIENTS: Final = (Derives.GRADIENT, Derives.VALUE_AND_GRADIENT)


def returned_structures(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    if found.made_by is not None:
        return
    if (loop := _LOOPS.get(found.name)) is not None:
        yield from _of_loop(found, loop, file)
        if found.name == "lax.while_loop":
            yield from _of_condition(found, file)
    elif found.name in ("lax.cond", "lax.switch"):
        yield from _of_branches(found, file)
    else:
        yield from _of_gradient(found, file)


def _outcome(
    node: Expression | None, given: Sequence[Structure | None], file: CheckedFile
) -> tuple[str, Structure] | None:
    """What a function surely returns, with its name. A method without a result may be there to be replaced."""
    function = handed(node, file) if node is not None else None
    returned = outcome(function, given, file) if function is not None else None
    if function is None or returned is None or (function.is_method and returned.form is Form.NOTHING):
        return None
    return function.name, returned


def _of_loop(found: JaxCall, loop: _Loop, file: CheckedFile) -> Iterator[Refused]:
    body, first = argument(found.call, *loop.body), argument(found.call, *loop.carry)
    begun = structure(first, file) if first is not None else None
    read = _outcome(body, [None] * loop.before + [begun], file)
    if read is None or body is None:
        return
    name, returned = read
    carry: Structure | None = returned
    if loop.is_paired:
        if not _may_be_pair(returned):
            yield Refused(body, _NO_PAIR.fill(function=name, returned=returned.shown))
            return
        carry = returned.parts[0] if returned.parts is not None else None
    pair = differ(begun, carry)
    if pair is not None:
        shown = {"first": pair[0].shown, "returned": pair[1].shown}
        yield Refused(body, _OTHER_CARRY.fill(loop=last_name(found.call.callee), function=name, **shown))


def _may_be_pair(returned: Structure) -> bool:
    """A dict with two keys is one, too, and so is an object with two parts (JAX 0.10.2)."""
    if returned.form in (Form.TUPLE, Form.LIST):
        return returned.parts is None or len(returned.parts) == _PAIR
    if returned.form is Form.DICT:
        return returned.keys is None or len(returned.keys) == _PAIR
    return False


def _of_condition(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    given, first = argument(found.call, 0, "cond_fun"), argument(found.call, 2, "init_val")
    read = _outcome(given, [structure(first, file) if first is not None else None], file)
    if given is not None and read is not None and read[1].form is not Form.COMPUTED:
        yield Refused(given, _NO_TRUTH.fill(function=read[0], returned=read[1].shown))


def _of_branches(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    if is_old_form(found, file):
        args = found.call.args
        given: Sequence[tuple[Expression, Sequence[Expression]]] = [(args[2], args[1:2]), (args[4], args[3:4])]
    else:
        given = branches_of(found)
    read = (_outcome(branch, [structure(one, file) for one in operands], file) for branch, operands in given)
    outcomes = [one[1] for one in read if one is not None]
    differing = (differ(one, other) for one, other in combinations(outcomes, 2))
    pair = next((pair for pair in differing if pair is not None), None)
    if pair is not None:
        shown = {"first": pair[0].shown, "returned": pair[1].shown}
        yield Refused(found.call, _OTHER_BRANCH.fill(loop=last_name(found.call.callee), **shown))


def _of_gradient(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    row = JAX_FUNCTIONS.get(found.name)
    given = found.call.args[0] if found.call.args else None
    if row is None or row.derives not in _GRADIENTS or given is None or unpacks(found.call):
        return
    read = _outcome(given, [], file)
    if (function := handed(given, file)) is not None and returns_dimensions(function, file):
        named = {"derivative": last_name(found.call.callee), "function": function.name}
        yield Refused(given, _NO_SUM.fill(**named))
        return
    has_aux = keyword_argument(found.call, "has_aux") or argument(found.call, 2, "has_aux")
    if read is None or (has_aux is not None and not _is_constant(has_aux)):
        return
    is_with_aux = isinstance(has_aux, NameExpr) and has_aux.name == "True"
    is_wrong = _is_no_auxiliary_pair(read[1]) if is_with_aux else read[1].form is not Form.COMPUTED
    if is_wrong:
        message = _NO_AUXILIARY if is_with_aux else _NO_NUMBER
        name = last_name(found.call.callee)
        yield Refused(given, message.fill(derivative=name, function=read[0], returned=read[1].shown))


def _is_no_auxiliary_pair(returned: Structure) -> bool:
    is_sequence = returned.form in (Form.TUPLE, Form.LIST)
    return not is_sequence or (returned.parts is not None and len(returned.parts) != _PAIR)


def _is_constant(node: Expression) -> bool:
    return isinstance(node, NameExpr) and node.name in ("True", "False")
