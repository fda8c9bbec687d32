"""jax-call: a function that is differentiated by a parameter that it does not read: the derivative is zero.

Mostly it reads a variable around it in place of the parameter. One that reads none is constant on purpose.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    EllipsisExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    NameExpr,
    PassStmt,
    RaiseStmt,
    StrExpr,
    SymbolNode,
    Var,
)

from ..flow.handed_functions import Handed, handed
from ..knowledge.function_rows import Derives
from ..libraries import known_function
from ..reach.file_program import is_in_test
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import integers
from ..syntax.names import last_name
from ..syntax.trees import nodes_below
from ._refused import Refused

_ARGNUMS: Final = "argnums"
# These differentiate the positional arguments that `argnums` says, by default the first.
_DERIVES: Final = frozenset({Derives.GRADIENT, Derives.VALUE_AND_GRADIENT, Derives.JACOBIAN})
_READING_ALL: Final = frozenset({"locals", "eval", "exec"})
_UNUSED: Final = "_"  # how names of what is not read begin

_UNREAD: Final = Message(
    '{derivative} differentiates {function} by "{parameter}", which it does not read, so the derivative is zero',
    'compute the result from "{parameter}", and not from what holds the same outside',
    kind="unread-parameter",
)


def unread_parameters(call: CallExpr, file: CheckedFile) -> Iterator[Refused]:
    """At most one for a call."""
    if not _derives(call.callee, file) or not call.args or unpacks(call) or is_in_test(call.line, file):
        return
    function, numbers = handed(call.args[0], file), _argnums(call)
    if function is None or numbers is None or len(numbers) != 1 or not 0 <= numbers[0] < len(function.parameters):
        return
    name = function.parameters[numbers[0]].name
    variable = _variable(function, name or "")
    if variable is None or variable.name.startswith(_UNUSED) or not _reads_others_alone(function.function, variable):
        return
    derivative = last_name(call.callee)
    yield Refused(call.args[0], _UNREAD.fill(derivative=derivative, function=function.name, parameter=variable.name))


def _derives(callee: Expression, file: CheckedFile) -> bool:
    return known_function(full_name(callee, file.tree)).derives in _DERIVES


def _argnums(call: CallExpr) -> list[int] | None:
    """None if they are not written out."""
    given = keyword_argument(call, _ARGNUMS) or argument(call, 1, _ARGNUMS)
    return [0] if given is None else integers(given) or None


def _variable(function: Handed, name: str) -> Var | None:
    """The parameter of a function with a body; a lambda is short enough to leave one out on purpose."""
    definition = function.function
    if not isinstance(definition, FuncDef) or function.is_method or all(map(_says_nothing, definition.body.body)):
        return None
    return next((one.variable for one in definition.arguments if one.variable.name == name), None)


def _says_nothing(statement: object) -> bool:
    if isinstance(statement, ExpressionStmt):
        return isinstance(statement.expr, (EllipsisExpr, StrExpr))
    return isinstance(statement, (PassStmt, RaiseStmt))


def _reads_others_alone(function: FuncItem, variable: Var) -> bool:
    """Whether a function reads a variable from outside, and this parameter nowhere."""
    nodes = nodes_below(function)
    names = [node for node in nodes if isinstance(node, NameExpr)]
    if any(node.node is variable or node.name in _READING_ALL for node in names):
        return False
    inner = [function, *(node for node in nodes if isinstance(node, FuncItem))]
    own: set[SymbolNode | None] = {argument.variable for one in inner for argument in one.arguments}
    own |= {node.node for node in names if node.is_new_def or node.is_inferred_def}
    return any(isinstance(node.node, Var) and node.node not in own and not _is_builtin(node) for node in names)


def _is_builtin(node: NameExpr) -> bool:
    return node.fullname.startswith("builtins.")
