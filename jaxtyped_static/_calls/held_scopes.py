"""Finds what expressions in a traced function stand for among the objects that it holds, without running them."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import jax

from jaxtyped_static._calls.flows import mangled
from jaxtyped_static._calls.opaque import ATOMS
from jaxtyped_static._calls.read_names import is_of_user
from jaxtyped_static._parts.contents import assigned_cells, is_constant
from jaxtyped_static._parts.held import (
    NOTHING,
    HeldPath,
    Step,
    StepKind,
    attribute_in,
    elements_of,
    getter_in,
    method_in,
    static_method_in,
    step_into,
    super_method_in,
)

# A longer container is data; so many of its items show what the code does with each.
_MAX_ELEMENTS: Final = 32
# These lead to other objects; and JAX's arrays, which may be large, are not compared as a whole.
_FOLLOWED: Final = (FunctionType, functools.partial, jax.Array)


class HeldObjects(NamedTuple):
    """Objects that a name may stand for.

    Attributes:
        objects: the objects, as they are now.
        path: how the compiled function leads to them; None if it does not, as for globals.
    """

    objects: tuple[Any, ...]
    path: HeldPath | None = None

    def then(self, step: Step, objects: Iterable[Any]) -> HeldObjects | None:
        """Returns what a step leads to; None if nothing is known."""
        found = tuple(item for item in objects if item is not NOTHING)
        return HeldObjects(found, None if self.path is None else (*self.path, step)) if found else None


class HeldMethod(NamedTuple):
    """Methods or property getters of known objects."""

    holder: HeldObjects
    name: str
    functions: tuple[FunctionType, ...]
    is_getter: bool = False


HeldValue: TypeAlias = HeldObjects | HeldMethod | None


def held_by(function: Any, path: HeldPath | None, kind: StepKind, name: Any = None) -> HeldObjects | None:
    """Returns what a function holds. Constants are compared as a whole, so what is read of them is not followed."""
    step = Step(kind, name)
    found = step_into(function, step)
    if found is NOTHING:
        return None
    is_followed = path is not None and (isinstance(found, _FOLLOWED) or not is_constant(found))
    return HeldObjects((found,), (*(path or ()), step) if is_followed else None)


class HeldScope:
    """The names of a function's body."""

    def __init__(self, function: FunctionType, path: HeldPath | None) -> None:
        self._function = function
        self._path = path
        self._names: dict[str, HeldValue] = {}
        self._hidden: set[str] = set()

    def inside(self, hidden: Iterable[str]) -> HeldScope:
        """Returns the scope of a nested function or comprehension, with names of its own."""
        inner = HeldScope(self._function, self._path)
        inner._names = {**self._names, **dict.fromkeys(hidden)}
        return inner

    def bind(self, name: str, value: HeldValue) -> None:
        """Says what a name stands for from here on."""
        self._names[name] = value

    def name(self, name: str) -> HeldValue:
        """Returns what a name stands for."""
        if name in self._names:
            return self._names[name]
        code = self._function.__code__
        if name in code.co_freevars:
            return (
                None if name in assigned_cells(code) else held_by(self._function, self._path, StepKind.CAPTURED, name)
            )
        for names in (self._function.__globals__, vars(builtins)):
            if name in names:
                return HeldObjects((names[name],))
        return None

    def resolve(self, node: ast.AST) -> HeldValue:
        """Returns what an expression stands for, if it leads from a name to an object."""
        match node:
            case ast.Constant(value=constant):
                return HeldObjects((constant,))
            case ast.Name(id=name):
                return self.name(name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                return self._of_super(name)
            case ast.Attribute(value=holder, attr=name):
                found = self.resolve(holder)
                name = mangled(name, self._function.__code__)
                return attribute_of(found, name) if isinstance(found, HeldObjects) else None
            case ast.Subscript(value=holder, slice=key):
                return self._item(self.resolve(holder), self.atom(key))
            case ast.NamedExpr(value=value):
                return self.resolve(value)
            case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *_]):
                found = self.resolve(holder)
                is_dict = isinstance(found, HeldObjects) and all(isinstance(item, dict) for item in found.objects)
                return self._item(found, self.atom(key)) if is_dict else None
        return None

    def atom(self, node: ast.AST) -> Any:
        """Returns the number or text that an expression stands for; `NOTHING` if that is not known."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.atom(node.operand)
            return -number if type(number) in (int, float) else NOTHING
        found = self.resolve(node)
        if isinstance(found, HeldObjects) and len(found.objects) == 1 and type(found.objects[0]) in ATOMS:
            return found.objects[0]
        return NOTHING

    def elements(self, node: ast.AST) -> HeldValue:
        """Returns what the items of an iterable stand for."""
        match node:
            case ast.Call(func=ast.Attribute(value=holder, attr="values"), args=[]):
                found = self.resolve(holder)
                return each_of(found) if isinstance(found, HeldObjects) else None
            case ast.Call(func=ast.Name(id="reversed" | "list" | "tuple"), args=[iterable]):
                return self.elements(iterable)
        found = self.resolve(node)
        if not isinstance(found, HeldObjects) or any(isinstance(item, dict) for item in found.objects):
            return None
        return each_of(found)

    def _of_super(self, name: str) -> HeldValue:
        parameters = self._function.__code__.co_varnames
        owner = step_into(self._function, Step(StepKind.CAPTURED, "__class__"))
        holder = self.name(parameters[0]) if parameters and owner is not NOTHING else None
        if not isinstance(holder, HeldObjects):
            return None
        functions = [super_method_in(item, owner, name) for item in holder.objects]
        known = tuple(function for function in functions if function is not None and is_of_user(function.__code__))
        return HeldMethod(holder, name, known) if known and len(known) == len(functions) else None

    def items_of(self, node: ast.expr) -> dict[str, HeldValue] | None:
        """Returns the items of a dict by name, as `**` hands them on; None if they are not known."""
        found = self.resolve(node)
        if not isinstance(found, HeldObjects) or len(found.objects) != 1 or type(found.objects[0]) is not dict:
            return None
        return {name: self._item(found, name) for name in list(found.objects[0]) if isinstance(name, str)}

    def _item(self, holder: HeldValue, key: Any) -> HeldValue:
        if not isinstance(holder, HeldObjects) or type(key) not in (int, str):
            return None
        step = Step(StepKind.ITEM, key)
        return holder.then(step, (step_into(item, step) for item in holder.objects))


def each_of(holder: HeldObjects) -> HeldObjects | None:
    """Returns what the items of containers stand for."""
    found = [elements_of(item) for item in holder.objects]
    if None in found:
        return None
    items = [element for elements in found for _, element in (elements or ())[:_MAX_ELEMENTS]]
    return holder.then(Step(StepKind.EACH), items)


def attribute_of(holder: HeldObjects, name: str) -> HeldValue:
    """Returns what an attribute of known objects stands for."""
    if all(isinstance(item, ModuleType | type) for item in holder.objects):
        untracked = holder._replace(path=None)
        inside = [static_method_in(item, name) or attribute_in(item, name) for item in holder.objects]
        return untracked.then(Step(StepKind.ATTRIBUTE, name), inside)
    for of_class, is_getter in ((method_in, False), (getter_in, True)):
        functions = tuple(found for item in holder.objects if (found := of_class(item, name)) is not None)
        if functions:
            is_followed = all(is_of_user(function.__code__) for function in functions)
            return HeldMethod(holder, name, functions, is_getter) if is_followed else None
    functions = tuple(found for item in holder.objects if (found := static_method_in(item, name)) is not None)
    if functions:
        return HeldObjects(functions)
    step = Step(StepKind.ATTRIBUTE, name)
    return holder.then(step, (step_into(item, step) for item in holder.objects))


def known_test(test: ast.expr, scope: HeldScope) -> bool | None:
    """Returns whether a condition held while the function was traced; None if that cannot be told."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = known_test(operand, scope)
            return None if found is None else not found
        case ast.BoolOp(op=op, values=values):
            known = [known_test(value, scope) for value in values]
            deciding = isinstance(op, ast.Or)
            if deciding in known[: known.index(None) if None in known else None]:
                return deciding
            return None if None in known else not deciding
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            held = scope.resolve(left)
            if not isinstance(held, HeldObjects):
                return None
            kinds = {item is None for item in held.objects}
            return None if len(kinds) > 1 else kinds.pop() is isinstance(op, ast.Is)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(scope.atom(left), op, scope, right)
    atom = scope.atom(test)
    return None if atom is NOTHING else bool(atom)


def _compared(left: Any, op: ast.cmpop, scope: HeldScope, right: ast.expr) -> bool | None:
    if isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set):
        items = [scope.atom(item) for item in right.elts]
        known = left is not NOTHING and NOTHING not in items
        return (left in items) is isinstance(op, ast.In) if known else None
    other = scope.atom(right)
    compare = _COMPARISONS.get(type(op))
    if NOTHING in (left, other) or compare is None:
        return None
    try:
        return bool(compare(left, other))
    except TypeError:
        return None


_COMPARISONS: Final[Mapping[type[ast.cmpop], Any]] = {
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
    ast.Lt: lambda left, right: left < right,
    ast.LtE: lambda left, right: left <= right,
    ast.Gt: lambda left, right: left > right,
    ast.GtE: lambda left, right: left >= right,
}


def bound_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields each name as often as code binds it."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)) | ast.alias(name=name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
