"""Finds attributes that equal objects may have different values of, by what the constructor computes them from.

This reads the source of `__init__` and `__post_init__`, as the checker does: the sources of an attribute are all names
in its assignments and in the conditions around them, in any order. Nothing is found without source.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from types import FunctionType
from typing import Final

from jaxtyped_static._annotations.syntax import find_function

_CONSTRUCTORS: Final = ("__init__", "__post_init__", "__attrs_post_init__")
_SETTER: Final = "setattr"  # In the names of all functions that set an attribute.
_SHOWING: Final = frozenset({"__repr__", "__str__", "__format__"})


def varying_attributes(cls: type, compared: Collection[str]) -> frozenset[str]:
    """Returns the attributes that a constructor computes from parameters on which nothing compared depends.

    Args:
        cls: the class.
        compared: the fields that its `==` compares.
    """
    flows = [_Flow(node) for node in _constructors(cls)]
    return frozenset(
        name
        for flow in flows
        for name in flow.attributes
        if name not in compared and flow.varies(name, compared) and not _is_only_shown(cls, name)
    )


def _constructors(cls: type) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for base in cls.__mro__[:-1]:
        for name in _CONSTRUCTORS:
            method = base.__dict__.get(name)
            node = find_function(method.__code__) if isinstance(method, FunctionType) else None
            if node is not None and node.args.posonlyargs + node.args.args:
                yield node


def _is_only_shown(cls: type, name: str) -> bool:
    """Returns whether only `__repr__` and the like read a private attribute."""
    readers = {
        called
        for base in cls.__mro__[:-1]
        for called, member in list(vars(base).items())
        if name in getattr(getattr(member, "fget", member), "__code__", _is_only_shown.__code__).co_names
    }
    return name.startswith("_") and bool(readers) and readers <= _SHOWING


class _Flow:
    """One constructor: from each local name, and each attribute with a dot before its name, to its sources."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = node.args
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        rest = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
        self._self = names[0]
        self._parameters = {*names[1:], *(argument.arg for argument in (*arguments.kwonlyargs, *rest))}
        self._edges: dict[str, set[str]] = {}
        self._passed_on: set[str] = set()
        self._setters: set[str] = set()
        self._read_block(node.body, frozenset())

    @property
    def attributes(self) -> list[str]:
        """The attributes that it sets."""
        return [name[1:] for name in self._edges if name.startswith(".")]

    def varies(self, attribute: str, compared: Collection[str]) -> bool:
        """Returns whether an attribute depends on a parameter that neither what is compared nor other code does."""
        covered = self._behind({f".{name}" for name in compared} | self._passed_on)
        return bool(self._behind({f".{attribute}"}) & self._parameters - covered)

    def _behind(self, names: Iterable[str]) -> set[str]:
        reached: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                pending += self._edges.get(name, ())
        return reached

    def _read_block(self, statements: Iterable[ast.AST], under: frozenset[str]) -> None:
        for statement in statements:
            self._read_statement(statement, under)

    def _read_statement(self, node: ast.AST, under: frozenset[str]) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                if _SETTER in getattr(value, "attr", ""):  # `put = object.__setattr__`
                    self._setters.update(target.id for target in targets if isinstance(target, ast.Name))
                self._bind_all(targets, value, under)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                self._bind_all([target], value, under)
            case ast.Expr(value=ast.Call() as call):
                self._read_call(call, under)
            case (
                ast.For(target=target, iter=value)
                | ast.withitem(optional_vars=ast.expr() as target, context_expr=value)
            ):
                self._bind_all([target], value, under)
        header = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        inside = under.union(*(self._sources(child) for child in header))
        self._read_block((child for child in ast.iter_child_nodes(node) if child not in header), inside)

    def _bind_all(self, targets: Iterable[ast.expr], value: ast.expr, under: frozenset[str]) -> None:
        for target in targets:
            items = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            pairs = zip(items, values if len(items) == len(values) > 1 else [value] * len(items), strict=True)
            for item, its_value in pairs:
                self._bind(self._stem(item), self._sources(its_value) | under)

    def _bind(self, name: str | None, sources: Iterable[str]) -> None:
        if name is not None:
            self._edges.setdefault(name, set()).update(sources)

    def _stem(self, node: ast.expr) -> str | None:
        """Returns the local name, or the attribute of `self`, that an assignment to `a.b[c]` changes."""
        match node:
            case ast.Subscript(value=ast.Attribute(attr="__dict__"), slice=ast.Constant(value=str() as name)):
                return f".{name}"
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self._self:
                return f".{attribute}"
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                return self._stem(inner)
        return node.id if isinstance(node, ast.Name) else None

    def _read_call(self, call: ast.Call, under: frozenset[str]) -> None:
        """Reads a call: it sets an attribute, passes its arguments to other code, or changes what it is called on."""
        sources = under.union(*(self._sources(argument) for argument in (*call.args, *call.keywords)))
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        match call.args[-2:]:
            case [ast.Constant(value=str() as attribute), value] if _SETTER in name or name in self._setters:
                self._bind(f".{attribute}", self._sources(value) | under)
                return
        if self._self in sources or self._is_own(call.func):
            self._passed_on |= sources
        elif isinstance(call.func, ast.Attribute):
            self._bind(self._stem(call.func.value), sources)

    def _is_own(self, called: ast.expr) -> bool:
        """Returns whether a method of the object itself is called, or one of its bases by `super()`."""
        inner = called.value if isinstance(called, ast.Attribute) else called
        is_super = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "super"
        return is_super or getattr(inner, "id", "") == self._self

    def _sources(self, node: ast.AST) -> frozenset[str]:
        """Returns the names, and attributes of `self`, that are read anywhere below; also follows `:=`."""
        found: set[str] = set()
        wholes = 0
        for child in ast.walk(node):
            match child:
                case ast.NamedExpr(target=target, value=value):
                    self._bind(target.id, self._sources(value))
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self._self:
                    found.add(f".{attribute}")
                    wholes -= 1  # The `self` in it is not a use of the object itself.
                case ast.Name(id=name):
                    wholes += name == self._self
                    found |= {name} - {self._self}
        return frozenset(found | {self._self} if wholes else found)
