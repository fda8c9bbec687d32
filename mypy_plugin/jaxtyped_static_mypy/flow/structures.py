"""What surely is the outermost structure of a value as a pytree: None, a tuple of two, a dict with these keys.

Two that differ are different trees to JAX, whatever their leaves are. Where nothing is sure, nothing is said.
"""

from collections.abc import Iterator
from enum import Enum, auto
from functools import reduce
from typing import Final, NamedTuple

from mypy.nodes import (
    Block,
    CallExpr,
    ComplexExpr,
    ConditionalExpr,
    DictExpr,
    EllipsisExpr,
    Expression,
    ExpressionStmt,
    FloatExpr,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    StrExpr,
    TryStmt,
    TupleExpr,
    UnaryExpr,
    Var,
    WhileStmt,
    WithStmt,
)

from ..knowledge.jax_functions import jax_name, returns_one_array
from ..knowledge.members import UNAMBIGUOUS_METHODS
from ..source.bindings import UPDATED, bindings_of
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..syntax.changes import updated_by_index
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.trees import last_statement, statements
from .handed_functions import counted, handed

_MAX_DEPTH: Final = 6  # of names and functions that are followed
_LEAVING: Final = (RaiseStmt, ReturnStmt)
_UNSURE: Final = (ForStmt, MatchStmt, TryStmt, WhileStmt, WithStmt)
_ITEMWISE: Final = ("-", "/", "//", "**", "@")  # no tuple, list or dict has these


class Form(Enum):
    NOTHING = auto()  # None
    TUPLE = auto()
    LIST = auto()
    DICT = auto()
    COMPUTED = auto()  # none of these: an array, or an object of some class


class Structure(NamedTuple):
    form: Form
    parts: tuple["Structure | None", ...] | None = None  # None if their number is not known
    keys: frozenset[str] | None = None

    @property
    def shown(self) -> str:
        """As messages say it."""
        if self.form is Form.DICT and self.keys is not None:
            return f"a dict with the keys {', '.join(sorted(self.keys)) or '(none)'}"
        if self.form in _DISPLAYED and self.parts is not None:
            return f"a {_DISPLAYED[self.form]} of {counted(len(self.parts), 'item')}"
        return _SHOWN[self.form]


_DISPLAYED: Final = {Form.TUPLE: "tuple", Form.LIST: "list"}
_SHOWN: Final = {
    Form.NOTHING: "None",
    Form.TUPLE: "a tuple",
    Form.LIST: "a list",
    Form.DICT: "a dict",
    Form.COMPUTED: "a single value",
}
NOTHING: Final = Structure(Form.NOTHING)
COMPUTED: Final = Structure(Form.COMPUTED)


def differ(one: Structure | None, other: Structure | None) -> tuple[Structure, Structure] | None:
    """Where two structures surely differ: the outermost parts that do; None if they may be the same."""
    if one is None or other is None:
        return None
    if one.form is not other.form or _is_other(one.keys, other.keys):
        return one, other
    if one.parts is None or other.parts is None:
        return None
    if len(one.parts) != len(other.parts):
        return one, other
    found = (differ(*pair) for pair in zip(one.parts, other.parts, strict=True))
    return next((pair for pair in found if pair is not None), None)


def _is_other(one: frozenset[str] | None, other: frozenset[str] | None) -> bool:
    return one is not None and other is not None and one != other


def structure(node: Expression, file: CheckedFile, depth: int = _MAX_DEPTH) -> Structure | None:
    """That of an expression; None if it is not sure."""
    if is_none(node):
        return NOTHING
    if isinstance(node, (IntExpr, FloatExpr, ComplexExpr)) or _is_truth(node):
        return COMPUTED
    if isinstance(node, (TupleExpr, ListExpr)):
        return _of_display(node, file, depth)
    if isinstance(node, DictExpr):
        keys = [key.value if isinstance(key, StrExpr) else None for key, _ in node.items]
        return Structure(Form.DICT, None, frozenset(key for key in keys if key) if None not in keys else None)
    if isinstance(node, (OpExpr, UnaryExpr)):
        return _of_operation(node, file, depth)
    if depth == 0:
        return None
    if isinstance(node, ConditionalExpr):
        return _only([structure(one, file, depth - 1) for one in (node.if_expr, node.else_expr)])
    if isinstance(node, NameExpr):
        return _of_name(node, file, depth - 1)
    return _of_call(node, file, depth - 1) if isinstance(node, CallExpr) else None


def _is_truth(node: Expression) -> bool:
    return isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")


def _of_display(node: TupleExpr | ListExpr, file: CheckedFile, depth: int) -> Structure:
    form = Form.TUPLE if isinstance(node, TupleExpr) else Form.LIST
    if any(isinstance(item, StarExpr) for item in node.items):
        return Structure(form)
    return Structure(form, tuple(structure(item, file, max(depth - 1, 0)) for item in node.items))


def _of_operation(node: OpExpr | UnaryExpr, file: CheckedFile, depth: int) -> Structure | None:
    if isinstance(node, UnaryExpr) or node.op in _ITEMWISE:
        return COMPUTED
    sides = [structure(side, file, max(depth - 1, 0)) for side in (node.left, node.right)]
    if node.op == "+":
        return COMPUTED if COMPUTED in sides else None
    is_number = any(isinstance(side, FloatExpr) for side in (node.left, node.right))
    return COMPUTED if node.op == "*" and (is_number or sides == [COMPUTED, COMPUTED]) else None


def _of_name(node: NameExpr, file: CheckedFile, depth: int) -> Structure | None:
    """That of all values which a local name may have there. Lists and dicts may have been changed since."""
    if not isinstance(node.node, Var) or any(UPDATED in one.path for one in bindings_of(node.node, file)):
        return None
    found: list[Structure | None] = []
    for binding in reaching_bindings(file, node, node.node):
        value = binding.binding.whole
        found.append(structure(value, file, depth) if value is not None else None)
    only = _only(found)
    if only is None or only.form is Form.TUPLE:
        return only
    return Structure(only.form)


def _of_call(call: CallExpr, file: CheckedFile, depth: int) -> Structure | None:
    name = jax_name(full_name(call.callee, file.tree))
    if name is not None:
        return COMPUTED if returns_one_array(name, len(call.args)) else None
    is_method = isinstance(call.callee, MemberExpr) and call.callee.name in UNAMBIGUOUS_METHODS
    if is_method or updated_by_index(call) is not None:
        return COMPUTED
    called = handed(call.callee, file)
    if called is None or called.is_transformed or called.is_method:
        return None
    return outcome(called.function, file, depth)


def outcome(function: FuncItem, file: CheckedFile, depth: int = _MAX_DEPTH) -> Structure | None:
    """That of what a function returns, if all its returns agree; None of one whose body is not here."""
    if depth <= 0:
        return None
    if isinstance(function, LambdaExpr):
        returned = function.body.body[0] if function.body.body else None
        value = returned.expr if isinstance(returned, ReturnStmt) else None
        return structure(value, file, depth) if value is not None else None
    if not isinstance(function, FuncDef) or not file.defines(function):
        return None
    if function.is_generator or function.is_coroutine or _is_stub(function):
        return None
    returns = list(_returns(function))
    values = [structure(one.expr, file, depth) if one.expr is not None else NOTHING for one in returns]
    ends = _may_end(function.body)
    if ends is None or (not ends and not values):
        return None
    return _only([*values, NOTHING] if ends else values)


def _is_stub(function: FuncDef) -> bool:
    """Whether the body is an ellipsis, so that another one takes its place."""
    last = last_statement(function.body)
    return isinstance(last, ExpressionStmt) and isinstance(last.expr, EllipsisExpr)


def _returns(function: FuncDef) -> Iterator[ReturnStmt]:
    own = statements(function.body.body, into_definitions=False)
    return (node for node in own if isinstance(node, ReturnStmt))


def _may_end(block: Block) -> bool | None:
    """Whether code may run past the end of a block; None if it is not sure."""
    last = last_statement(block)
    if isinstance(last, IfStmt) and last.else_body is not None:
        ends = {_may_end(part) for part in (*last.body, last.else_body)}
        return True if True in ends else None if None in ends else False
    if isinstance(last, _LEAVING):
        return False
    return None if isinstance(last, _UNSURE) else last is not None


def _only(found: list[Structure | None]) -> Structure | None:
    """The one structure of all of these, as far as they share it."""
    return reduce(_shared, found) if found else None


def _shared(one: Structure | None, other: Structure | None) -> Structure | None:
    if one is None or other is None or one.form is not other.form:
        return None
    if one.parts is None or other.parts is None or len(one.parts) != len(other.parts):
        return one if one == other else Structure(one.form)
    return one._replace(parts=tuple(_shared(*pair) for pair in zip(one.parts, other.parts, strict=True)))
