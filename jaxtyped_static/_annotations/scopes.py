"""Finds what the names and expressions in a function's body stand for when it is called with traced arguments."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType

from jaxtyped_static._annotations.surroundings import closure_of
from jaxtyped_static._annotations.syntax import FunctionNode, own_nodes
from jaxtyped_static._annotations.values import (
    UNKNOWN,
    Bound,
    GivenArguments,
    Known,
    Named,
    Several,
    Traced,
    Value,
    join,
)
from jaxtyped_static._annotations.within_reach import MAX_ITEMS


class BodyScope:
    """The names of one function body, and of the enclosing ones.

    Attributes:
        nodes: the nodes of the body, without those of nested functions.
    """

    def __init__(self, node: FunctionNode, given: Mapping[str, Value], around: BodyScope | FunctionType) -> None:
        self.nodes = list(own_nodes([node.body] if isinstance(node, ast.Lambda) else node.body))
        self._given = given
        self._around = around
        self._bound = _bindings(self.nodes)
        self._tested = frozenset(_tested_names(self.nodes))
        self._within: set[str] = set()

    def name(self, name: str) -> Value:
        """Returns what a name stands for."""
        if name in self._tested or name in self._within:
            return UNKNOWN  # A test may ensure that it is not traced where it matters.
        bound = self._bound.get(name, [])
        if name not in self._given and not bound:
            return self._outer(name)
        self._within.add(name)
        try:
            given = [self._given[name]] if name in self._given else []
            return join([*given, *(UNKNOWN if binding is None else binding.value(self) for binding in bound)])
        finally:
            self._within.discard(name)

    def _outer(self, name: str) -> Value:
        if isinstance(self._around, BodyScope):
            return self._around.name(name)
        captured = closure_of(self._around)
        if name in captured:
            return Known((captured[name],))
        namespace = self._around.__globals__
        return Known((namespace[name],), is_global=True) if name in namespace else UNKNOWN

    def expression(self, node: ast.expr) -> Value:
        """Returns what an expression stands for."""
        match node:
            case ast.Constant(value=constant):
                return Known((constant,))
            case ast.Name(id=name):
                return self.name(name)
            case ast.Attribute(value=base, attr=name):
                return _attribute(self.expression(base), name)
            case ast.Subscript(
                value=base, slice=ast.Slice(lower=ast.Constant(value=int(start)), upper=None, step=None)
            ):
                values = self.expression(base)
                return values.behind(start) if isinstance(values, Several) and start >= 0 else UNKNOWN
            case ast.Subscript(value=base, slice=key):
                return _item(self.expression(base), self.expression(key))
            case ast.BinOp(left=left, right=right):
                return _computed(self.expression(left), self.expression(right))
            case ast.UnaryOp(operand=operand) if not isinstance(node.op, ast.Not):
                return _computed(self.expression(operand))
            case ast.IfExp(body=body, orelse=orelse):
                return join([self.expression(body), self.expression(orelse)])
            case ast.NamedExpr(value=value):
                return self.expression(value)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return self._several(elements)
            case ast.Call():
                return self._result(node)
            case _:
                return UNKNOWN

    def arguments(self, call: ast.Call) -> GivenArguments:
        """Returns the arguments of a call."""
        known: dict[str, Value] = {}
        rest: Value | None = None
        for keyword in call.keywords:
            value = self.expression(keyword.value)
            if keyword.arg is not None:
                known[keyword.arg] = value
            elif isinstance(value, Named):
                known |= value.known
                rest = value.rest
            else:
                rest = UNKNOWN
        return GivenArguments(self._several(call.args), Named(known, rest))

    def _several(self, elements: list[ast.expr]) -> Several:
        found = Several()
        for element in elements:
            if isinstance(element, ast.Starred):
                values = self.expression(element.value)
                found = found.followed_by(values if isinstance(values, Several) else Several((), UNKNOWN))
            else:
                found = found.followed_by(Several((self.expression(element),)))
        return found

    def _result(self, call: ast.Call) -> Value:
        """Returns the result of a call, if the function's effect is known."""
        match call.func, call.args:
            case ast.Attribute(value=base, attr="get" | "pop"), [ast.Constant(value=str(name)), *_]:
                values = self.expression(base)
                return (values.get(name) or UNKNOWN) if isinstance(values, Named) else UNKNOWN
            case ast.Attribute(value=base, attr="values"), []:
                values = self.expression(base)
                return _elements(values) if isinstance(values, Known) else UNKNOWN
        function = self.expression(call.func)
        if isinstance(function, Known) and function.objects == (functools.partial,) and call.args:
            given = self.arguments(call)
            return Bound(self.expression(call.args[0]), GivenArguments(given.positional.behind(1), given.named))
        return UNKNOWN


class _Binding:
    """What is assigned to a name: an expression, or a part of it."""

    def __init__(self, node: ast.expr, part: int | slice | None = None) -> None:
        self._node = node
        self._part = part

    def value(self, scope: BodyScope) -> Value:
        whole = scope.expression(self._node)
        if self._part is None:
            return whole
        if isinstance(self._part, slice):
            return whole.behind(self._part.start) if isinstance(whole, Several) else UNKNOWN
        return _item(whole, Known((self._part,))) if isinstance(whole, Several | Known) else UNKNOWN


class _Element(_Binding):
    """What a loop assigns to a name."""

    def value(self, scope: BodyScope) -> Value:
        whole = scope.expression(self._node)
        elements = _elements(whole, of_keys=True) if isinstance(whole, Known) else whole
        if not isinstance(elements, Several):
            return UNKNOWN
        values = elements.values()
        return join(values) if values else UNKNOWN


def _bindings(nodes: list[ast.AST]) -> dict[str, list[_Binding | None]]:
    """Returns what a body assigns to its names; None for what is not followed."""
    bound: dict[str, list[_Binding | None]] = {}
    understood: set[int] = set()

    def bind(target: ast.expr, binding: _Binding | None) -> None:
        if isinstance(target, ast.Name):
            understood.add(id(target))
            bound.setdefault(target.id, []).append(binding)

    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    bind(target, _Binding(value))
                    for inner, part in _parts(target):
                        bind(inner, _Binding(value, part))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                bind(target, _Binding(value))
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                bind(target, _Binding(ast.BinOp(ast.Name(target.id, ast.Load()), op, value)))
            case ast.For(target=target, iter=iterable) | ast.comprehension(target=target, iter=iterable):
                bind(target, _Element(iterable))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.setdefault(name, []).append(None)
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)) | ast.alias(name=name):
                bound.setdefault(name, []).append(None)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound.setdefault(name, []).append(None)
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in understood:
            bound.setdefault(node.id, []).append(None)
    return bound


def _parts(target: ast.expr) -> Iterator[tuple[ast.expr, int | slice]]:
    """Yields the names in `x, n, *rest = ...`, up to the one with a star."""
    for index, element in enumerate(target.elts if isinstance(target, ast.Tuple | ast.List) else ()):
        if isinstance(element, ast.Starred):
            yield element.value, slice(index, None)
            return
        yield element, index


def _tested_names(nodes: list[ast.AST]) -> Iterator[str]:
    """Returns the names whose kind the body tests, as in `isinstance(n, int)`."""
    for node in nodes:
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            asked = (call for call in ast.walk(node.test) if isinstance(call, ast.Call))
            yield from (name.id for call in asked for name in ast.walk(call) if isinstance(name, ast.Name))
        elif isinstance(node, ast.Match):
            yield from (name.id for name in ast.walk(node.subject) if isinstance(name, ast.Name))


def _computed(*operands: Value) -> Value:
    """Returns the result of arithmetic, which is traced if an operand is."""
    traced = [operand for operand in operands if isinstance(operand, Traced)]
    return join(traced) if traced else UNKNOWN


def _attribute(base: Value, name: str) -> Value:
    if not isinstance(base, Known):
        return UNKNOWN
    found = [_attribute_of(value, name) for value in base.objects]
    return join([UNKNOWN if value is None else Known((value,), base.is_global) for value in found])


def _attribute_of(value: object, name: str) -> object | None:
    """Returns an attribute without running any code for it."""
    own = getattr(value, "__dict__", {})
    if isinstance(value, type | ModuleType) or name in own:
        return own.get(name)
    found = next((base.__dict__[name] for base in type(value).__mro__ if name in base.__dict__), None)
    return found.__get__(value) if isinstance(found, FunctionType) else None


def _item(base: Value, key: Value) -> Value:
    keys = key.objects if isinstance(key, Known) else ()
    match base, keys:
        case Several(), [int(index)]:
            return base.at(index) or UNKNOWN
        case Named(), [str(name)]:
            return base.get(name) or UNKNOWN
        case Known(), [only] if all(isinstance(container, dict | list | tuple) for container in base.objects):
            try:
                return Known(tuple(container[only] for container in base.objects), base.is_global)  # type: ignore[index]
            except (LookupError, TypeError):
                return UNKNOWN
        case Known(), _:
            elements = _elements(base)
            return join(elements.first) if isinstance(elements, Several) and elements.first else UNKNOWN
        case _:
            return UNKNOWN


def _behind(base: Value, part: ast.Slice) -> Value:
    """Returns what `args[1:]` stands for."""
    match part:
        case ast.Slice(lower=ast.Constant(value=int(start)), upper=None, step=None) if start >= 0:
            return base.behind(start) if isinstance(base, Several) else UNKNOWN
        case _:
            return UNKNOWN


def _elements(base: Known, *, of_keys: bool = False) -> Value:
    """Returns the items of a small container."""
    match base.objects:
        case [dict() as items] if not of_keys:
            elements = list(itertools.islice(items.values(), MAX_ITEMS))
        case [list() | tuple() as items]:
            elements = list(items[:MAX_ITEMS])
        case _:
            return UNKNOWN
    return Several(tuple(Known((element,), base.is_global) for element in elements))
