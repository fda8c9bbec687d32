"""Reads which parameters of a method end up as arguments of a constructor: of a base class, or of the class itself."""

from typing import Any, Final, TypedDict

from mypy.nodes import (
    ARG_STAR2,
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    FuncDef,
    IndexExpr,
    NameExpr,
    ReturnStmt,
    SuperExpr,
)

from ..syntax.decorators import last_names
from ..syntax.literals import text_or_number
from ..syntax.names import is_named
from ..syntax.stand_ins import is_text
from ..syntax.trees import last_statement, names_assigned, statements
from .class_body import ClassBody, self_name

_CLASS_METHOD: Final = "classmethod"
_OF_TREES: Final = 3  # parameters of a class method that rebuilds a pytree


class PassedOn(TypedDict):
    """The arguments of a constructor that are parameters of the method that calls it."""

    positional: list[str]  # in order; an empty name stands for anything else
    named: dict[str, str]  # the same by the name of the constructor's parameter
    others: bool  # the method's `**options` are passed on, too


class ConstructorFacts(TypedDict, total=False):
    """Facts of the methods that call constructors."""

    passed_up: PassedOn  # by `__init__` to that of the base class
    makers: dict[str, PassedOn]  # class methods that return a new object, by name
    # Those of two arguments that only return `cls(...)`, with its arguments: their kind, name, and which parameter of
    # the method, or item of one, they are (0: something else).
    rebuilders: dict[str, list[list[Any]]]


def read_constructors(body: ClassBody) -> ConstructorFacts:
    """What `__init__` passes up, and what class methods pass to the constructor."""
    facts: ConstructorFacts = {}
    init = body.methods.get("__init__")
    if init is not None and (call := call_of_super(init)) is not None and (passed_on := _passed_on(call, init)):
        facts["passed_up"] = passed_on
    class_methods = [node.func for node in body.decorated.values() if _CLASS_METHOD in last_names(node)]
    rebuilders = ((function.name, _rebuilt(function)) for function in class_methods)
    facts["rebuilders"] = {name: arguments for name, arguments in rebuilders if arguments is not None}
    makers = ((function.name, _made(function)) for function in class_methods)
    facts["makers"] = {name: made for name, made in makers if made is not None}
    return facts


def call_of_super(init: FuncDef) -> CallExpr | None:
    """The only `super().__init__(...)` in a constructor."""
    calls = [
        call
        for node in statements(init.body.body, into_definitions=False)
        if isinstance(node, ExpressionStmt) and isinstance(call := node.expr, CallExpr)
        if isinstance(call.callee, SuperExpr) and call.callee.name == "__init__"
    ]
    return calls[0] if len(calls) == 1 else None


def _made(function: FuncDef) -> PassedOn | None:
    """What a class method passes to the constructor, if all it returns is `cls(...)`."""
    body = statements(function.body.body, into_definitions=False)
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    call = returned[0] if len(returned) == 1 else None
    if isinstance(call, CallExpr) and is_named(call.callee, self_name(function)):
        return _passed_on(call, function)
    return None


def _rebuilt(function: FuncDef) -> list[list[Any]] | None:
    """The arguments of `return cls(*children, **aux_data)`, if the method does nothing else."""
    last = last_statement(function.body)
    call = last.expr if isinstance(last, ReturnStmt) else None
    if (
        not isinstance(call, CallExpr)
        or len(function.arguments) != _OF_TREES
        or not all(map(_does_nothing, function.body.body[:-1]))
    ):
        return None
    if not is_named(call.callee, self_name(function)):
        return None
    own = [argument.variable.name for argument in function.arguments]
    arguments = zip(call.arg_kinds, call.arg_names, call.args, strict=True)
    return [[kind.value, name, *_part(value, own)] for kind, name, value in arguments]


def _does_nothing(node: object) -> bool:
    """`del aux_data`, a docstring."""
    return is_text(node) or (isinstance(node, DelStmt) and isinstance(node.expr, NameExpr))


def _part(node: Expression, names: list[str]) -> tuple[int, str | int | None]:
    """Which of these names a value is, or an item of; 0 for any other value."""
    base = node.base if isinstance(node, IndexExpr) else node
    key = text_or_number(node.index) if isinstance(node, IndexExpr) else None
    is_known = isinstance(base, NameExpr) and base.name in names[1:] and (key is not None or base is node)
    return (names.index(base.name), key) if is_known and isinstance(base, NameExpr) else (0, None)


def _passed_on(call: CallExpr, method: FuncDef) -> PassedOn | None:
    """The arguments of a call that are parameters of the method, which it does not bind again."""
    options = next((argument.variable.name for argument in method.arguments if argument.kind is ARG_STAR2), None)
    bound = {name for node in statements(method.body.body, into_definitions=False) for name in names_assigned(node)}
    own = {argument.variable.name for argument in method.arguments[1:] if not argument.kind.is_star()} - bound
    found: PassedOn = {"positional": [], "named": {}, "others": False}
    knows_positions = True
    for kind, name, value in zip(call.arg_kinds, call.arg_names, call.args, strict=True):
        given = value.name if isinstance(value, NameExpr) else ""
        if kind is ARG_STAR2:
            found["others"] = found["others"] or (given == options and given not in bound)
        elif kind.is_star():
            knows_positions = False
        elif name is None and knows_positions:
            found["positional"].append(given if given in own else "")
        elif name is not None:
            found["named"][name] = given if given in own else ""
    return found if found["others"] or any(found["named"].values()) or any(found["positional"]) else None
