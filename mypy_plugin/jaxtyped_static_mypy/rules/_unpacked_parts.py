"""jax-call: a statement takes another number of parts from a result of JAX, or from a carry, than that has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, ListExpr, NameExpr, StarExpr, TupleExpr, Var

from ..flow.handed_functions import handed
from ..flow.structures import COMPUTED, Form, Structure, structure
from ..flow.written_values import written_value
from ..knowledge.function_rows import Derives
from ..knowledge.jax_functions import JAX_FUNCTIONS
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.literals import integers, is_none
from ..syntax.names import last_name
from ._refused import JaxCall, Refused, is_expected, name_of

_WRONG_PARTS: Final = Message(
    "This takes {count} parts of what {function} returns, which is {returned}, so it raises",
    "name the parts that it has",
    kind="parts-of-result",
)
_WRONG_CARRY: Final = Message(
    "This takes {count} parts of {parameter}, which {loop} passes as {returned}, so it raises",
    "name the parts that it has",
    kind="parts-of-carry",
)
_PAIR: Final = Structure(Form.TUPLE, (None, None))
_TRIPLE: Final = Structure(Form.TUPLE, (None, None, None))
_HAS_AUX: Final = "has_aux"
# Functions that return a pair at once, and a triple with auxiliary data.
_AT_ONCE: Final = ("api.jvp", "api.linearize", "api.vjp")


class _Given(NamedTuple):
    """A parameter of a body, by position, and the argument of the call that becomes it."""

    body: tuple[int, str]
    position: int
    value: tuple[int, str]


_CARRIES: Final[Mapping[str, Sequence[_Given]]] = {
    "lax.scan": (_Given((0, "f"), 0, (1, "init")), _Given((0, "f"), 1, (2, "xs"))),
    "lax.while_loop": (_Given((0, "cond_fun"), 0, (2, "init_val")), _Given((1, "body_fun"), 0, (2, "init_val"))),
    "lax.fori_loop": (_Given((2, "body_fun"), 1, (3, "init_val")),),
    "lax.map": (_Given((0, "f"), 0, (1, "xs")),),
}
_FIRST_CARRY: Final = {"lax.while_loop": (2, "init_val"), "lax.fori_loop": (3, "init_val")}


def unpacked_results(file: CheckedFile) -> Iterator[Refused]:
    """`loss, aux, grads = jax.value_and_grad(f, has_aux=True)(x)`."""
    for statement in file.by_kind.of(AssignmentStmt):
        for target in statement.lvalues:
            made = written_value(statement.rvalue, file) if isinstance(target, (TupleExpr, ListExpr)) else None
            if not isinstance(made, CallExpr) or is_expected(made, file):
                continue
            returned = _returned(made, file)
            wrong = _misfit(target, returned) if returned is not None else None
            if wrong is not None:
                parts = {"count": str(wrong[0]), "returned": wrong[1].shown}
                yield Refused(statement.rvalue, _WRONG_PARTS.fill(function=_shown(made, file), **parts))


def _misfit(target: Expression, value: Structure | None) -> tuple[int, Structure] | None:
    """Where a target has another number of items than the value that it gets."""
    if not isinstance(target, (TupleExpr, ListExpr)) or value is None:
        return None
    if any(isinstance(item, StarExpr) for item in target.items):
        return None
    if value == _NUMBER:
        return len(target.items), value
    if value.form not in (Form.TUPLE, Form.LIST) or value.parts is None:
        return None
    if len(value.parts) != len(target.items):
        return len(target.items), value
    found = (_misfit(*pair) for pair in zip(target.items, value.parts, strict=True))
    return next((one for one in found if one is not None), None)


_NUMBER: Final = Structure(Form.COMPUTED, ())  # an array without dimensions, which has no parts


def _returned(call: CallExpr, file: CheckedFile) -> Structure | None:
    """The structure of what a call of JAX returns, or of what JAX has made."""
    name = name_of(call.callee, file)
    if name is not None:
        return _of_call(call, name, file)
    made = _unwrapped(call.callee, file)
    return _of_derivative(made, file) if made is not None and not unpacks(made) else None


def _unwrapped(callee: Expression, file: CheckedFile) -> CallExpr | None:
    """The call that makes what is called, without the `jit` around it."""
    made = written_value(callee, file)
    while isinstance(made, CallExpr) and made.args:
        row = JAX_FUNCTIONS.get(name_of(made.callee, file) or "")
        if row is None or row.compiles is None or row.compiles.maps or not row.compiles.compiles:
            return made
        made = written_value(made.args[0], file)
    return None


def _of_call(call: CallExpr, name: str, file: CheckedFile) -> Structure | None:
    if unpacks(call):
        return None
    if name in _AT_ONCE:
        has_aux = keyword_argument(call, _HAS_AUX)
        return _PAIR if has_aux is None else _TRIPLE if _is_true(has_aux) else None
    if name == "lax.scan":
        return Structure(Form.TUPLE, (_sized(argument(call, 1, "init"), file), None))
    return _sized(argument(call, *_FIRST_CARRY[name]), file) if name in _FIRST_CARRY else None


def _sized(node: Expression | None, file: CheckedFile) -> Structure | None:
    return structure(node, file) if node is not None else None


def _of_derivative(made: CallExpr, file: CheckedFile) -> Structure | None:
    """`grad(f)` returns a part for each of its argnums, `value_and_grad(f)` the value in front of them."""
    derives = JAX_FUNCTIONS[name].derives if (name := name_of(made.callee, file) or "") in JAX_FUNCTIONS else None
    has_aux = keyword_argument(made, _HAS_AUX) or argument(made, 2, _HAS_AUX)
    if has_aux is not None and not _is_true(has_aux):
        return None
    gradients = _gradients(argument(made, 1, "argnums"))
    if derives is Derives.VALUE_AND_GRADIENT:
        return Structure(Form.TUPLE, (_PAIR if has_aux is not None else _NUMBER, gradients))
    if derives is Derives.GRADIENT:
        return Structure(Form.TUPLE, (gradients, None)) if has_aux is not None else gradients
    return None


def _gradients(argnums: Expression | None) -> Structure | None:
    """One for each of several; that of one argument has its structure."""
    if not isinstance(argnums, (TupleExpr, ListExpr)) or len(integers(argnums)) != len(argnums.items):
        return None
    return Structure(Form.TUPLE, (None,) * len(argnums.items))


def _is_true(node: Expression) -> bool:
    return isinstance(node, NameExpr) and node.fullname == "builtins.True"


def _shown(call: CallExpr, file: CheckedFile) -> str:
    made = call if name_of(call.callee, file) is not None else _unwrapped(call.callee, file)
    return last_name(made.callee) if made is not None else ""


def unpacked_carries(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    """`a, b, c = carry` in a body of a loop whose carry begins as a tuple of two."""
    for given in _CARRIES.get(found.name, ()) if found.made_by is None and not unpacks(found.call) else ():
        body, value = argument(found.call, *given.body), argument(found.call, *given.value)
        function = handed(body, file) if body is not None else None
        begun = structure(value, file) if value is not None and not is_none(value) else None
        definition = function.function if function is not None and not function.is_transformed else None
        if function is None or begun in (None, COMPUTED) or not isinstance(definition, FuncDef):
            continue
        if not file.defines(definition) or len(function.parameters) <= given.position:
            continue
        name = function.parameters[given.position].name
        variable = next((one.variable for one in definition.arguments if one.variable.name == name), None)
        if variable is None:
            continue
        for target, node in _unpackings(definition, variable, file):
            wrong = _misfit(target, begun)
            if wrong is not None:
                parts = {"count": str(wrong[0]), "parameter": f'"{name}"', "returned": wrong[1].shown}
                yield Refused(node, _WRONG_CARRY.fill(loop=last_name(found.call.callee), **parts))


def _unpackings(function: FuncDef, variable: Var, file: CheckedFile) -> Iterator[tuple[Expression, Expression]]:
    """The statements that a function surely reaches, and that take a parameter apart which has its first value."""
    for node in function.body.body:
        if not isinstance(node, AssignmentStmt) or not isinstance(node.rvalue, NameExpr):
            continue
        if node.rvalue.node is variable:
            bindings = reaching_bindings(file, node.rvalue, variable)
            if len(bindings) == 1 and bindings[0].binding.is_parameter:
                yield from ((target, node.rvalue) for target in node.lvalues)
