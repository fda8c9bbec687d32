"""jax-missing: a method of `FrozenDict`, of what `init` and `apply` of Flax Linen return: a dict, since Flax 0.7.1.

mypy finds some of them, where Flax declares both types. Only the command reports them: a project may be for an older
Flax, which it knows.
"""

from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    StarExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    Var,
)
from mypy.types import Instance, Type

from ..reporting.errors import is_for_tools, report
from ..reporting.finding import OF_FROZEN_DICT
from ..reporting.messages import Message
from ..source.bindings import Binding
from ..source.checked_file import CheckedFile, once_per_file
from ..source.expected import is_error_expected
from ..source.functions import functions_around
from ..source.local_bindings import LocalBinding, bindings_of_name, reaching_attributes
from ..syntax.arguments import keyword_argument
from ..syntax.literals import literal
from ..syntax.names import base_of, is_self, last_name
from ..syntax.type_parts import all_parts
from . import CODES

_CODE: Final = CODES["jax-missing"]
_DICT: Final = "builtins.dict"
_RETURNING: Final = "init"
_RETURNING_BESIDE: Final = frozenset({"apply", "init_with_output"})  # the variables are the second of two
_SECOND: Final = 1
_PART: Final = f"[{_SECOND}]"
_MAX_DEPTH: Final = 6  # of names and items
_ALWAYS_PAIRS: Final = "init_with_output"
_MUTABLE: Final = "mutable"
# Methods of `FrozenDict` that a dict has not, or has with other arguments.
_METHODS: Final = ("copy", "pop", "pretty_repr", "unfreeze")
# What a program asks that may get either of the two.
_ASKING: Final = frozenset({"hasattr", "isinstance", "type"})

# What each of these methods raises today, and what stands for it.
_TODAY: Final = {
    "copy": ("TypeError", "write flax.core.copy(x, {...})"),
    "pop": ("ValueError, or takes the names of two layers apart", "write flax.core.pop(x, key)"),
    "pretty_repr": ("AttributeError", "write flax.core.pretty_repr(x)"),
    "unfreeze": ("AttributeError", "leave it out, or write flax.core.unfreeze(x)"),
}
_FROZEN: Final = Message(
    'This "{method}" is that of FrozenDict, and "{function}" of flax.linen returns a dict since Flax 0.7.1: '
    "it raises {error}",
    (),
    kind=OF_FROZEN_DICT,
)


class _Variables(NamedTuple):
    """What an expression is of the result of a call."""

    call: CallExpr
    is_all: bool = True  # and not one of its collections, or a part of one


def check_frozen_variables(call: CallExpr, returned: Type, file: CheckedFile) -> None:
    """Looks at what the function around does with the variables that a call of a module returns."""
    if not is_for_tools(file) or not _may_be_dict(returned):
        return
    function = functions_around(call.line, file)[:1]
    for used in _uses(file):
        variables = _variables(used.callee.expr, file, _MAX_DEPTH) if isinstance(used.callee, MemberExpr) else None
        if variables is None or variables.call is not call or functions_around(used.line, file)[:1] != function:
            continue
        if _fails(used, variables, file) and not is_error_expected(used, file) and not _is_asked(used, file):
            method = last_name(used.callee)
            error, instead = _TODAY[method]
            statement = _FROZEN.also("{instead}").fill(
                method=method, function=last_name(call.callee), error=error, instead=instead
            )
            report(file, used, statement, _CODE)


def _may_be_dict(returned: Type) -> bool:
    """Whether this Flax says that it may return a dict: one before 0.7 does not."""
    return any(isinstance(part, Instance) and part.type.fullname == _DICT for part in all_parts(returned))


@once_per_file
def _uses(file: CheckedFile) -> tuple[CallExpr, ...]:
    return tuple(
        call for name in _METHODS for call in file.calls_by_name.get(name, ()) if isinstance(call.callee, MemberExpr)
    )


def _variables(node: Expression, file: CheckedFile, depth: int) -> _Variables | None:
    """The call that returned what an expression stands for, as the function around it shows."""
    if not depth:
        return None
    if isinstance(node, IndexExpr):
        return _of_item(node, file, depth)
    if isinstance(node, CallExpr):
        return _Variables(node) if last_name(node.callee) == _RETURNING else None
    bindings = _bindings(node, file)
    if len(bindings) != 1 or not isinstance(bindings[0].statement, AssignmentStmt):
        return None
    return _of_binding(bindings[0].binding, file, depth - 1)


def _of_item(node: IndexExpr, file: CheckedFile, depth: int) -> _Variables | None:
    if isinstance(node.index, StrExpr):
        outer = _variables(node.base, file, depth - 1)
        return outer._replace(is_all=False) if outer is not None else None
    is_second = isinstance(node.index, IntExpr) and node.index.value == _SECOND
    return _Variables(node.base) if is_second and isinstance(node.base, CallExpr) and _is_pair(node.base) else None


def _of_binding(binding: Binding, file: CheckedFile, depth: int) -> _Variables | None:
    value = binding.value
    if value is None or not binding.path:
        return _variables(value, file, depth) if value is not None else None
    is_second = binding.path == (_PART,) and isinstance(value, CallExpr) and _is_pair(value)
    return _Variables(value) if is_second and isinstance(value, CallExpr) else None


def _is_pair(call: CallExpr) -> bool:
    """Whether a call returns a result and the variables, as it is written."""
    if last_name(call.callee) not in _RETURNING_BESIDE:
        return False
    mutable = keyword_argument(call, _MUTABLE)
    if mutable is None:
        return last_name(call.callee) == _ALWAYS_PAIRS
    return isinstance(mutable, (ListExpr, StrExpr, TupleExpr)) or literal(mutable) is True


def _bindings(node: Expression, file: CheckedFile) -> list[LocalBinding]:
    if isinstance(node, MemberExpr):
        owner = node.expr.node if isinstance(node.expr, NameExpr) else None
        return reaching_attributes(file, node, owner) if isinstance(owner, Var) else []
    return bindings_of_name(file, node) if isinstance(node, NameExpr) else []


def _fails(used: CallExpr, variables: _Variables, file: CheckedFile) -> bool:
    name = last_name(used.callee)
    if name == "copy":
        return bool(used.args)
    return name != "pop" or (variables.is_all and len(used.args) == 1 and used in _unpacked_in_two(file))


@once_per_file
def _unpacked_in_two(file: CheckedFile) -> frozenset[Expression]:
    """The calls whose results two names share: the dict of one collection has no two parts."""
    return frozenset(
        node.rvalue
        for node in file.nodes
        if isinstance(node, AssignmentStmt) and all(map(_is_pair_of_names, node.lvalues))
    )


def _is_pair_of_names(target: Expression) -> bool:
    if not isinstance(target, (ListExpr, TupleExpr)) or len(target.items) != 2:
        return False
    return not any(isinstance(item, StarExpr) for item in target.items)


def _is_asked(used: CallExpr, file: CheckedFile) -> bool:
    """Whether the program asks what the variable holds, anywhere."""
    root = base_of(used.callee)
    return isinstance(root, NameExpr) and root.node in _asked_about(file)


@once_per_file
def _asked_about(file: CheckedFile) -> frozenset[SymbolNode | None]:
    calls = (call for call in file.calls if last_name(call.callee) in _ASKING and call.args)
    roots = (base_of(call.args[0]) for call in calls)
    return frozenset(root.node for root in roots if isinstance(root, NameExpr) and not is_self(root))
