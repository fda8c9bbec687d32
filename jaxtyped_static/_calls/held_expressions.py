"""Finds what the expressions of a traced function read of the objects that it holds."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterable, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any, Final, Protocol

from jaxtyped_static._annotations.functions import call_method
from jaxtyped_static._annotations.within_reach import is_compiled
from jaxtyped_static._calls.flows import CHANGES
from jaxtyped_static._calls.held_arguments import NO_ARGUMENTS, UNKNOWN_ARGUMENTS, HeldArguments
from jaxtyped_static._calls.held_messages import has_default, is_logging, reads_types
from jaxtyped_static._calls.held_scopes import HeldMethod, HeldObjects, HeldScope, HeldValue, each_of, known_test
from jaxtyped_static._calls.read_names import is_of_user
from jaxtyped_static._parts.held import HeldPath, Step, StepKind

# Their result depends on every item of a container.
_READ_ALL: Final = frozenset({"sum", "max", "min", "tuple", "list", "sorted", "any", "all", "set"})
# Their result depends on no value that could be compiled in, or there is none.
_READ_NOTHING: Final = frozenset({"print", "len", "id", "repr", "next", "isinstance", "hasattr", "type", "callable"})
# What these say of a condition that holds only as long as both sides are what they are.
_IF_SAME: Final[Mapping[type[ast.cmpop], bool]] = {ast.Eq: True, ast.Is: True, ast.NotEq: False, ast.IsNot: False}
_ARRAYS: Final = ("jax", "numpy")


class Following(Protocol):
    """What the walks through the functions of one trace have in common.

    Attributes:
        read: the paths that are read.
        changed: those that the traced code assigns, or to which it adds.
        codes: the code that ran.
        is_certain: whether what is visited now surely ran.
    """

    read: set[HeldPath]
    changed: set[HeldPath]
    codes: frozenset[CodeType]
    is_certain: bool

    def call(self, callee: HeldValue, arguments: HeldArguments, depth: int) -> None:
        """Follows a call of what may be several functions."""


class HeldExpressions:
    """Visits the expressions of one function."""

    def __init__(self, following: Following, scope: HeldScope, depth: int) -> None:
        self.following = following
        self.scope = scope
        self.depth = depth

    def nested(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Visits the body of a nested function."""
        raise NotImplementedError

    def use(self, node: ast.AST, *, reads_all: bool = False) -> None:
        """Visits an expression that results may depend on; `reads_all`: on each item, if it is a container."""
        match node:
            case ast.Call() if (found := self.scope.resolve(node)) is not None:
                self.mark(found)
            case ast.Call():
                self.call(node, is_used=True)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = self.test(test)
                if known is None:
                    self.uncertain([body, orelse])
                else:
                    self.use(body if known else orelse)
            case ast.BoolOp():
                self.test(node)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                self._use_place(node, reads_all=reads_all)
            case ast.Lambda():
                self.nested(node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node)
            case ast.Starred(value=value):
                self.use(value, reads_all=True)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], left=left):
                self.use(left)
            case _:
                for child in ast.iter_child_nodes(node):
                    self.use(child, reads_all=reads_all)

    def uncertain(self, nodes: Iterable[ast.expr]) -> None:
        """Visits expressions of which is not known whether they ran."""
        was_certain, self.following.is_certain = self.following.is_certain, False
        for node in nodes:
            self.use(node)
        self.following.is_certain = was_certain

    def test(self, test: ast.expr) -> bool | None:
        """Returns whether a condition held, if that is known; it may still hold when the numbers in it change."""
        known = known_test(test, self.scope)
        if known is None:
            self.uncertain([test])
            return None
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.test(operand)
            case ast.BoolOp(op=op, values=values):
                for value in values:
                    if self.test(value) is isinstance(op, ast.Or):
                        break
            case ast.Compare(left=left, ops=[op], comparators=[right]) if known is _IF_SAME.get(type(op)):
                self.mark(self.scope.resolve(left))
                self.mark(self.scope.resolve(right))
            case _ if type(self.scope.atom(test)) is bool:
                self.mark(self.scope.resolve(test))
        return known

    def mark(self, found: HeldValue) -> None:
        """Notes what is read; a function that goes somewhere is called there, if it ran."""
        if isinstance(found, HeldMethod):
            self.following.call(found, NO_ARGUMENTS if found.is_getter else UNKNOWN_ARGUMENTS, self.depth + 1)
            return
        if found is None:
            return
        self._reads(found.path)
        for value in found.objects:
            if isinstance(value, FunctionType | MethodType | functools.partial) and not is_compiled(value):
                self.following.call(found._replace(objects=(value,)), UNKNOWN_ARGUMENTS, self.depth + 1)

    def iterate(self, target: ast.expr, iterable: ast.expr) -> None:
        """Binds what a loop goes over."""
        match target, iterable:
            case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="enumerate" | "zip" as name), args=args):
                inner = [None, *args[:1]] if name == "enumerate" else list(args)
                for part, items in zip(parts, itertools.chain(inner, itertools.repeat(None)), strict=False):
                    if items is None:
                        self.unbind(part)
                    else:
                        self.iterate(part, items)
                return
            case ast.Tuple(elts=[key, item]), ast.Call(func=ast.Attribute(value=table, attr="items"), args=[]):
                self.unbind(key)
                found = self.scope.resolve(table)
                self._bind_each(item, each_of(found) if isinstance(found, HeldObjects) else None, table)
                return
        self._bind_each(target, self.scope.elements(iterable), iterable)

    def unbind(self, target: ast.expr) -> None:
        """Forgets what the names in a target stood for."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.scope.bind(node.id, None)

    def change(self, holder: ast.expr, *steps: Step) -> bool:
        """Notes that the traced code changes an object that it holds; returns whether it does hold it."""
        found = self.scope.resolve(holder)
        if not isinstance(found, HeldObjects) or found.path is None:
            return False
        self.following.changed.add((*found.path, *steps))
        return True

    def call(self, node: ast.Call, *, is_used: bool) -> None:
        """Visits a call, and follows it into functions of the program."""
        callee = self.scope.resolve(node.func)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        is_global = isinstance(callee, HeldObjects) and callee.path is None
        if _is_followed(callee):
            self._follow(node, callee, is_used=is_used)
            return
        if is_logging(node.func) or (is_global and name in _READ_NOTHING):
            return
        changed = _changed_by(node) if callee is None else None
        if changed is not None and self.change(changed) and not is_used:
            return
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if has_default(node, name) or reads_types(node) or not (is_used or changed is not None):
            self.uncertain([node.func, *arguments])
            return
        if callee is not None:
            self.mark(callee)
        elif changed is None:
            self.use(node.func.value if isinstance(node.func, ast.Attribute) else node.func)
        reads_all = is_global and _is_of_arrays(callee)
        for argument in arguments:
            if is_global and name in _READ_ALL:
                self._iterate_over(argument)
            else:
                self.use(argument, reads_all=reads_all)

    def _follow(self, node: ast.Call, callee: HeldValue, *, is_used: bool) -> None:
        if isinstance(callee, HeldMethod) and callee.holder.path is not None and is_used:
            self._reads((*callee.holder.path, Step(StepKind.METHOD, callee.name)))
        elif isinstance(callee, HeldObjects) and is_used:
            self._reads(callee.path)
        self.following.call(callee, self._arguments(node), self.depth + 1)

    def _arguments(self, node: ast.Call) -> HeldArguments:
        stars = [isinstance(argument, ast.Starred) for argument in node.args]
        known = stars.index(True) if any(stars) else len(stars)
        positional = tuple(map(self._argument, node.args[:known]))
        for argument in node.args[known:]:
            self.use(argument)
        is_complete = not any(stars)
        named: dict[str, HeldValue] = {}
        for keyword in node.keywords:
            if keyword.arg is not None:
                named[keyword.arg] = self._argument(keyword.value)
            elif (items := self.scope.items_of(keyword.value)) is not None:
                named |= items
            else:
                is_complete = False
                self.use(keyword.value)
        return HeldArguments(positional, named, is_complete)

    def _argument(self, node: ast.expr) -> HeldValue:
        """Returns what an argument stands for; it is read where the function reads its parameter."""
        found = self.scope.resolve(node)
        if found is None or (isinstance(found, HeldMethod) and found.is_getter):
            self.use(node)
            return None
        return found

    def _reads(self, path: HeldPath | None) -> None:
        if path and self.following.is_certain:
            self.following.read.add(path)

    def _use_place(self, node: ast.Name | ast.Attribute | ast.Subscript, *, reads_all: bool) -> None:
        found = self.scope.resolve(node)
        self.mark(found)
        if found is None and not isinstance(node, ast.Name):
            self.use(node.value)
        if reads_all and isinstance(found, HeldObjects) and (items := each_of(found)) is not None:
            self.mark(items)
            self.mark(each_of(items))
        if isinstance(node, ast.Subscript):
            self.use(node.slice)

    def _bind_each(self, target: ast.expr, found: HeldValue, iterable: ast.expr) -> None:
        if found is None or not isinstance(target, ast.Name):
            self._iterate_over(iterable)
            self.unbind(target)
        else:
            self.mark(found)
            self.scope.bind(target.id, found)

    def _iterate_over(self, iterable: ast.expr) -> None:
        """Visits what is iterated over: of a dict, that reads the keys alone."""
        found = self.scope.resolve(iterable)
        if not isinstance(found, HeldObjects) or not any(isinstance(item, dict) for item in found.objects):
            self.use(iterable, reads_all=True)

    def _comprehension(self, node: Any) -> None:
        outer = self.scope
        self.scope = outer.inside(())
        for generator in node.generators:
            self.iterate(generator.target, generator.iter)
        tests = [test for generator in node.generators for test in generator.ifs]
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        if tests:
            self.uncertain([*tests, *results])
        else:
            for result in results:
                self.use(result)
        self.scope = outer


def _is_followed(callee: HeldValue) -> bool:
    if isinstance(callee, HeldMethod):
        return True
    return callee is not None and any(map(_is_function_of_user, callee.objects))


def _is_function_of_user(value: Any) -> bool:
    if is_compiled(value) or isinstance(value, type):
        return False
    if isinstance(value, functools.partial):
        return _is_function_of_user(value.func)
    function = value.__func__ if isinstance(value, MethodType) else value
    function = function if isinstance(function, FunctionType) else call_method(value)
    return isinstance(function, FunctionType) and is_of_user(function.__code__)


def _changed_by(node: ast.Call) -> ast.expr | None:
    """Returns the list, set or dict that a call changes, by the method's name."""
    function = node.func
    return function.value if isinstance(function, ast.Attribute) and function.attr in CHANGES else None


def _is_of_arrays(callee: HeldValue) -> bool:
    functions = callee.objects if isinstance(callee, HeldObjects) else ()
    modules = [getattr(function, "__module__", None) or type(function).__module__ for function in functions]
    return all(isinstance(module, str) and module.partition(".")[0] in _ARRAYS for module in modules)
