"""What surely is the outermost structure of a value as a pytree: None, a tuple of two, a dict with these keys.

Two that differ are different trees to JAX, whatever their leaves are. Where nothing is sure, nothing is said.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import reduce
from typing import Any, Final, NamedTuple

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
from ..syntax.arguments import positional, unpacks
from ..syntax.changes import updated_by_index
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.trees import last_statement, statements
from .handed_functions import Handed, counted, handed

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


class _Reader(NamedTuple):
    """Reads the structure of expressions: what is known of parameters, and how much more is followed."""

    file: CheckedFile
    given: Mapping[Var, Structure | None]
    depth: int = _MAX_DEPTH

    @property
    def deeper(self) -> "_Reader":
        return self._replace(depth=self.depth - 1)

    def read(self, node: Expression) -> Structure | None:
        if is_none(node):
            return NOTHING
        if isinstance(node, (IntExpr, FloatExpr, ComplexExpr)) or _is_truth(node):
            return COMPUTED
        if self.depth <= 0:
            return None
        read = _READ.get(type(node))
        return read(self.deeper, node) if read is not None else None

    def only(self, nodes: Iterable[Expression]) -> Structure | None:
        return _only([self.read(node) for node in nodes])


def structure(node: Expression, file: CheckedFile) -> Structure | None:
    """That of an expression; None if it is not sure."""
    return _Reader(file, {}).read(node)


def outcome(called: Handed, given: Sequence[Structure | None], file: CheckedFile) -> Structure | None:
    """That of what a function returns for arguments with these structures, if all its returns agree."""
    return _outcome(called, given, _Reader(file, {}))


def _is_truth(node: Expression) -> bool:
    return isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")


def _of_display(reader: _Reader, node: TupleExpr | ListExpr) -> Structure:
    form = Form.TUPLE if isinstance(node, TupleExpr) else Form.LIST
    if any(isinstance(item, StarExpr) for item in node.items):
        return Structure(form)
    return Structure(form, tuple(reader.read(item) for item in node.items))


def _of_dict(reader: _Reader, node: DictExpr) -> Structure:
    keys = [key.value for key, _ in node.items if isinstance(key, StrExpr)]
    return Structure(Form.DICT, None, frozenset(keys) if len(keys) == len(node.items) else None)


def _of_operation(reader: _Reader, node: OpExpr | UnaryExpr) -> Structure | None:
    if isinstance(node, UnaryExpr) or node.op in _ITEMWISE:
        return COMPUTED
    sides = [reader.read(side) for side in (node.left, node.right)]
    if node.op == "+":
        return COMPUTED if COMPUTED in sides else None
    is_number = any(isinstance(side, FloatExpr) for side in (node.left, node.right))
    return COMPUTED if node.op == "*" and (is_number or sides == [COMPUTED, COMPUTED]) else None


def _of_name(reader: _Reader, node: NameExpr) -> Structure | None:
    """That of all values which a local name may have there. Lists and dicts may have been changed since."""
    variable = node.node
    if not isinstance(variable, Var):
        return None
    found: list[Structure | None] = []
    for binding in reaching_bindings(reader.file, node, variable):
        value = binding.binding.whole
        is_given = binding.binding.is_parameter
        found.append(reader.given.get(variable) if is_given else reader.read(value) if value is not None else None)
    only = _only(found)
    is_updated = any(UPDATED in one.path for one in bindings_of(variable, reader.file))
    if only is None or (is_updated and only.form is not Form.COMPUTED):
        return None
    return Structure(only.form) if only.form in (Form.LIST, Form.DICT) else only


def _of_call(reader: _Reader, call: CallExpr) -> Structure | None:
    name = jax_name(full_name(call.callee, reader.file.tree))
    if name is not None:
        return COMPUTED if returns_one_array(name, len(call.args)) else None
    is_method = isinstance(call.callee, MemberExpr) and call.callee.name in UNAMBIGUOUS_METHODS
    if is_method or updated_by_index(call) is not None:
        return COMPUTED
    called = handed(call.callee, reader.file)
    if called is None or called.is_method:
        return None
    given = [] if unpacks(call) else [reader.read(value) for value in positional(call)]
    return _outcome(called, given, reader)


_READ: Final[Mapping[type[Expression], Callable[[_Reader, Any], Structure | None]]] = {
    TupleExpr: _of_display,
    ListExpr: _of_display,
    DictExpr: _of_dict,
    OpExpr: _of_operation,
    UnaryExpr: _of_operation,
    ConditionalExpr: lambda reader, node: reader.only([node.if_expr, node.else_expr]),
    NameExpr: _of_name,
    CallExpr: _of_call,
}


def _outcome(called: Handed, given: Sequence[Structure | None], reader: _Reader) -> Structure | None:
    function, file = called.function, reader.file
    if called.is_transformed:
        return None
    if isinstance(function, LambdaExpr):
        returned = last_statement(function.body)
        values = [returned.expr] if isinstance(returned, ReturnStmt) else []
        ends: bool | None = False
    elif isinstance(function, FuncDef) and file.defines(function) and not _is_special(function):
        values, ends = [one.expr for one in _returns(function)], _may_end(function.body)
    else:
        return None
    if ends is None or (not ends and not values):
        return None
    inside = reader.deeper._replace(given={**reader.given, **_bound(called, given)})
    found = [inside.read(value) if value is not None else NOTHING for value in values]
    return _only([*found, NOTHING] if ends else found)


def _bound(called: Handed, given: Sequence[Structure | None]) -> dict[Var, Structure | None]:
    """The structures of the parameters that get these arguments; nothing is known of the others."""
    variables = {argument.variable.name: argument.variable for argument in called.function.arguments}
    bound: dict[Var, Structure | None] = dict.fromkeys(variables.values())
    for one, taken in zip(given, called.parameters, strict=False):
        if taken.kind.is_positional() and taken.name in variables:
            bound[variables[taken.name]] = one
    return bound


def _is_special(function: FuncDef) -> bool:
    """Whether a call of it does not simply run its body, or another body takes the place of this one."""
    last = last_statement(function.body)
    is_stub = isinstance(last, ExpressionStmt) and isinstance(last.expr, EllipsisExpr)
    return function.is_generator or function.is_coroutine or is_stub


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
