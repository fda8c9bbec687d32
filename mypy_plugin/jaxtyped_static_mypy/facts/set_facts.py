"""Reads which attributes the constructors of a class set on the object, by themselves and in the methods they call."""

from collections.abc import Collection, Iterator
from typing import Final, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    StrExpr,
    SuperExpr,
)

from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import ASSIGNMENTS, assignment_targets, kinds_below, statements
from .class_body import ClassBody, read_reached, self_name

CONSTRUCTORS: Final[tuple[str, ...]] = ("__init__", "__post_init__", "__attrs_post_init__")
# Starts of tokens for calls of methods: on the object, and of the next class in the MRO.
CALLED: Final = "()"
CALLED_ABOVE: Final = "super()"
_SETTER: Final = "setattr"  # in the names of all functions that set an attribute: `setattr`, `__setattr__`, `_setattr`


class SetFacts(TypedDict, total=False):
    """Facts of the methods that run while an object is made."""

    sets: dict[str, list[str]]  # method -> the attributes that it sets, and tokens for the methods that it calls


def read_sets(body: ClassBody) -> SetFacts:
    methods = {CALLED + name: function for name, function in body.methods.items()}

    def read(token: str) -> list[str]:
        return sorted({*(name for name, _ in attributes_set(methods[token])), *_calls(methods[token])})

    found = read_reached([CALLED + name for name in CONSTRUCTORS], methods, read)
    return {"sets": {token.removeprefix(CALLED): tokens for token, tokens in found.items() if tokens}}


def attributes_set(function: FuncDef) -> Iterator[tuple[str, Node]]:
    """The attributes that a method sets on its object, each with the statement."""
    own = self_name(function)
    aliases: set[str] = set()
    for node in statements(function.body.body, into_definitions=False):
        if isinstance(node, ASSIGNMENTS):
            names = [attribute_in(target, own) for target in assignment_targets(node)]
            aliases |= setters_named(node)
        elif isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr):
            names = [_set_by_call(node.expr, own, aliases), *_updated(node.expr, own)]
        else:
            continue
        yield from ((name, node) for name in names if name is not None)


def setters_named(node: Node) -> set[str]:
    """The local names in `put = object.__setattr__`."""
    if not isinstance(node, AssignmentStmt) or not is_setter(getattr(node.rvalue, "name", "")):
        return set()
    return {target.name for target in node.lvalues if isinstance(target, NameExpr)}


def is_setter(name: str) -> bool:
    """Whether a function of this name, such as `object.__setattr__` under another one, sets an attribute."""
    return _SETTER in name


def _updated(call: CallExpr, own: str) -> list[str | None]:
    """The attributes in `self.__dict__.update(x=...)`, also with `vars(self)` or a literal dictionary."""
    if not isinstance(call.callee, MemberExpr) or call.callee.name != "update":
        return []
    table = call.callee.expr
    is_vars = isinstance(table, CallExpr) and dotted_name(table.callee) == "vars" and len(table.args) == 1
    holder = f"{dotted_name(table.args[0])}.__dict__" if isinstance(table, CallExpr) and is_vars else dotted_name(table)
    if holder != f"{own}.__dict__":
        return []
    keys = [key for argument in call.args if isinstance(argument, DictExpr) for key, _ in argument.items]
    return [*call.arg_names, *(key.value for key in keys if isinstance(key, StrExpr))]


def attribute_in(target: Expression, own: str) -> str | None:
    """The attribute in `self.x = ...` or `self.__dict__["x"] = ...`."""
    if isinstance(target, IndexExpr) and isinstance(target.index, StrExpr):
        return target.index.value if dotted_name(target.base) == f"{own}.__dict__" else None
    return attribute_of(target, own)


def _set_by_call(call: CallExpr, own: str, aliases: Collection[str]) -> str | None:
    """The attribute in `object.__setattr__(self, "x", ...)`, or in one of its other spellings."""
    called = getattr(call.callee, "name", "")
    if not (is_setter(called) or called in aliases) or len(call.args) < 2:
        return None
    name = call.args[-2]
    on_self = len(call.args) == 3 and dotted_name(call.args[0]) == own
    bound = isinstance(call.callee, SuperExpr) or dotted_name(call.callee) == f"{own}.__setattr__"
    return name.value if isinstance(name, StrExpr) and (on_self or (bound and len(call.args) == 2)) else None


def _calls(function: FuncDef) -> Iterator[str]:
    own = self_name(function)
    for callee in (call.callee for call in kinds_below(function.body).of(CallExpr)):
        if isinstance(callee, SuperExpr):  # one node for `super().name` (mypy 2.4.1)
            yield CALLED_ABOVE + callee.name
        elif (name := attribute_of(callee, own)) is not None:
            yield CALLED + name
