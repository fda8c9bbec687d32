"""Walks through the statements of a traced function, as far as it is known which of them ran."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType
from typing import Final

from jaxtyped_static._annotations.syntax import FunctionNode, own_nodes
from jaxtyped_static._calls.flows import mangled
from jaxtyped_static._calls.held_expressions import Following, HeldExpressions
from jaxtyped_static._calls.held_messages import only_notifies, only_says
from jaxtyped_static._calls.held_scopes import HeldObjects, HeldScope, bound_names, known_test
from jaxtyped_static._parts.held import Step, StepKind

_LEAVE: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class HeldStatements(HeldExpressions):
    """Visits the body of one function."""

    def __init__(self, following: Following, scope: HeldScope, code: CodeType, depth: int) -> None:
        super().__init__(following, scope, depth)
        self._code = code
        self._bound: Counter[str] = Counter()
        self._parameters: frozenset[str] = frozenset()

    def function(self, node: FunctionNode) -> None:
        """Visits the body of a function."""
        was_certain = self.following.is_certain
        if isinstance(node, ast.Lambda):
            self.use(node.body)
        else:
            self._bound, self._parameters = _bound_in(node), frozenset(_parameters(node))
            self._statements(node.body)
        self.following.is_certain = was_certain

    def nested(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Visits the body of a nested function if it ran: a callback runs later, and reads what is there then."""
        if self.following.codes.isdisjoint(_codes_of(node, self._code)):
            return
        own = () if isinstance(node, ast.Lambda) else _bound_in(node)
        HeldStatements(self.following, self.scope.inside([*_parameters(node), *own]), self._code, self.depth).function(
            node
        )

    def _statements(self, body: Iterable[ast.stmt]) -> bool:
        """Visits statements up to one that leaves them; returns whether there is one."""
        return any(map(self._statement, body))

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.If():
                return self._if(node)
            case ast.Return(value=ast.expr() as value):
                self.use(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign(target=target, value=value):
                self._store(target)
                self.use(value)
            case ast.Expr(value=ast.Call() as call):
                self.call(call, is_used=False)
            case ast.For() | ast.While():
                self._loop(node)
            case ast.With(items=items, body=body):
                self.uncertain([item.context_expr for item in items])  # Most are labels, for profilers and messages.
                return self._statements(body)
            case ast.Try(body=body, orelse=orelse, finalbody=finalbody):
                is_left = self._statements(body) or self._statements(orelse)
                return self._statements(finalbody) or is_left
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.nested(node)
            case ast.Expr(value=value):
                self.use(value)
            case ast.Match():
                self._leave_out(node)
        return isinstance(node, _LEAVE)

    def _if(self, node: ast.If) -> bool:
        if only_says([*node.body, *node.orelse]):
            return False
        known = self.test(node.test)
        if known is not None:
            outer, self.scope = self.scope, self.scope.inside(())
            self._maybe(node.orelse if known else node.body)  # Another trace may run it, and change something.
            self.scope = outer
            return self._statements(node.body if known else node.orelse)
        left = [self._maybe(body) for body in (node.body, node.orelse)]
        self.following.is_certain &= not _may_leave([*node.body, *node.orelse])
        return all(left)

    def _maybe(self, body: Iterable[ast.stmt]) -> bool:
        was_certain, self.following.is_certain = self.following.is_certain, False
        is_left = self._statements(body)
        self.following.is_certain = was_certain
        return is_left

    def _leave_out(self, node: ast.Match) -> None:
        """Reads nothing in a statement of which is not known what ran."""
        for name in bound_names(ast.walk(node)):
            self.scope.bind(name, None)
        self.following.is_certain &= not _may_leave([node])

    def _loop(self, node: ast.For | ast.While) -> None:
        was_certain = self.following.is_certain
        self.following.is_certain &= not only_notifies(node.body)
        if isinstance(node, ast.For):
            self.iterate(node.target, node.iter)
        else:
            self.uncertain([node.test])
        self._statements(node.body)
        # Only the rest of this loop is uncertain, if nothing but the loop was left.
        returns = any(isinstance(found, ast.Return) for found in own_nodes(node.body))
        self.following.is_certain = was_certain and (self.following.is_certain or not returns)
        self._statements(node.orelse)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        match targets, value:
            case [ast.Tuple(elts=parts)], ast.Tuple(elts=values) if len(parts) == len(values):
                for part, item in zip(parts, values, strict=True):
                    self._assign([part], item)
                return
        value = self._taken(value)
        found = self.scope.resolve(value)
        is_held = isinstance(found, HeldObjects) and found.path is not None
        if not is_held or any(isinstance(target, ast.Tuple | ast.List) for target in targets):
            self.use(value)  # Another name for an object is read where that is; in an attribute, by who reads that.
        for target in targets:
            self._store(target)
            if isinstance(target, ast.Name) and (self.following.is_certain or self._is_bound_once(target.id)):
                self.scope.bind(target.id, found)

    def _is_bound_once(self, name: str) -> bool:
        return self._bound[name] == 1 and name not in self._parameters

    def _taken(self, value: ast.expr) -> ast.expr:
        """Returns the arm of `a if test else b` that was taken, if that is known."""
        while isinstance(value, ast.IfExp) and (known := known_test(value.test, self.scope)) is not None:
            self.test(value.test)
            value = value.body if known else value.orelse
        return value

    def _store(self, target: ast.expr) -> None:
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._store(part)
            case ast.Attribute(value=holder, attr=name):
                self.change(holder, Step(StepKind.ATTRIBUTE, mangled(name, self._code)))
            case ast.Subscript(value=holder):
                self.change(holder)
            case _:
                self.unbind(target)


def _parameters(node: FunctionNode) -> Iterator[str]:
    return (argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg))


@functools.lru_cache(maxsize=1 << 12)
def _bound_in(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Counter[str]:
    """Returns how often a function binds each name."""
    return Counter(bound_names(own_nodes(node.body)))


def _may_leave(body: Iterable[ast.AST]) -> bool:
    """Returns whether statements may leave what is around them, other than by an exception."""
    return any(isinstance(node, ast.Return | ast.Continue | ast.Break) for node in own_nodes(body))


def _codes_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, code: CodeType) -> Iterator[CodeType]:
    """Yields the code that a nested definition was compiled to; two lambdas in one line are not told apart."""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    first = node.lineno if isinstance(node, ast.Lambda) else min(part.lineno for part in (node, *node.decorator_list))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if (inner.co_name, inner.co_firstlineno) == (name, first):
                yield inner
            yield from _codes_of(node, inner)
