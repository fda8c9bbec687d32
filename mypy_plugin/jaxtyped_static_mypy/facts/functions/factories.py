"""Factories: functions of the program that return a new callable with each call."""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    NameExpr,
    ReturnStmt,
    Statement,
    TupleExpr,
)

from ...knowledge.full_names import COMPUTING, MEMOISING
from ...syntax.decorators import decorator_name
from ...syntax.names import dotted_name
from ...syntax.trees import assignment_targets, last_statement, statements
from .scope import ModuleNames
from .steps import NESTED, FunctionFacts

_DEPTH: Final = 8  # names that are bound to each other
_MAY_MAKE: Final = (CallExpr, ConditionalExpr, LambdaExpr, NameExpr, TupleExpr)


def read_factory(function: FuncDef, names: ModuleNames) -> FunctionFacts | None:
    """What a function makes anew with each call: a nested function, or what other functions return."""
    last = last_statement(function.body)
    if not isinstance(last, ReturnStmt) or not isinstance(last.expr, _MAY_MAKE):
        return None
    if function.is_generator or function.is_coroutine:
        return None
    body = statements(function.body.body, into_definitions=False)
    local = _Local(function, body, names)
    returned = [node.expr for node in body if isinstance(node, ReturnStmt) and node.expr is not None]
    makes = _made_by_any(returned, local)
    facts: FunctionFacts = {"makes": makes}
    if (items := _items(returned)) is not None:
        facts["items"] = {str(number): _made_by_any(values, local) for number, values in enumerate(items)}
    return facts if makes else None


def _made_by_any(values: Iterable[Expression], local: "_Local") -> list[str]:
    return list(dict.fromkeys(name for value in values for name in local.made(value)))


def _items(returned: list[Expression]) -> list[list[Expression]] | None:
    """The values of each item, if a function only returns tuples of one length."""
    tuples = [value.items for value in returned if isinstance(value, TupleExpr)]
    if len(tuples) != len(returned) or len({len(items) for items in tuples}) != 1:
        return None
    return [list(values) for values in zip(*tuples, strict=True)]


class _Local:
    """The names of a function."""

    def __init__(self, function: FuncDef, body: list[Statement], names: ModuleNames) -> None:
        self._module = names
        self._functions = {node.name for node in body if isinstance(node, FuncDef)}
        decorated = [node for node in body if isinstance(node, Decorator)]
        self._functions -= {node.name for node in decorated if _is_memoised(node, names)}
        # A parameter has another value already.
        self._bound: dict[str, list[Expression]] = {
            argument.variable.name: [NameExpr("")] for argument in function.arguments
        }
        for node in body:
            if isinstance(node, AssignmentStmt):
                for target in assignment_targets(node):
                    self._bound.setdefault(dotted_name(target) or "", []).append(node.rvalue)

    def made(self, node: Expression, depth: int = _DEPTH) -> Iterator[str]:
        """The functions that make the callables in a value; `NESTED` for one that is defined here."""
        if isinstance(node, LambdaExpr) or (isinstance(node, NameExpr) and node.name in self._functions):
            yield NESTED
        elif isinstance(node, NameExpr) and depth:
            values = self._bound.get(node.name, [])
            yield from self.made(values[0], depth - 1) if len(values) == 1 else ()
        elif isinstance(node, TupleExpr):
            yield from (name for item in node.items for name in self.made(item, depth))
        elif isinstance(node, ConditionalExpr):
            yield from (*self.made(node.if_expr, depth), *self.made(node.else_expr, depth))
        elif isinstance(node, CallExpr) and (name := self._full_name(node.callee)) is not None:
            yield name

    def _full_name(self, callee: Expression) -> str | None:
        name = dotted_name(callee)
        if name is None or name.partition(".")[0] in self._bound.keys() | self._functions:
            return None
        full = self._module.full_name(name)
        return full if not full.startswith(COMPUTING) else None


def _is_memoised(node: Decorator, names: ModuleNames) -> bool:
    return any(names.full_name(decorator_name(found) or "") in MEMOISING for found in node.original_decorators)
