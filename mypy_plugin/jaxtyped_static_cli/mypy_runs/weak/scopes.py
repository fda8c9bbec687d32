"""The names of a function while it runs, and what the run of a program keeps."""

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from .values import Compiled, Function, Leaf, Object, Value

if TYPE_CHECKING:
    from .classes import Class


@dataclass(eq=False)
class Scope:
    """The names of a function, or of the expressions of a module."""

    module: str
    names: dict[str, Value] = field(default_factory=dict)
    outer: "Scope | None" = None
    function: ast.FunctionDef | ast.Lambda | None = None
    cls: "Class | None" = None  # whose method it is
    returned: list[Value] = field(default_factory=list)

    def find(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None


class Given(NamedTuple):
    """The arguments of a call."""

    args: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = {}
    is_open: bool = False  # more may be given, which nobody sees

    def get(self, position: int, name: str) -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.args[position] if 0 <= position < len(self.args) else None


class Passed(NamedTuple):
    """What a call passes to a compiled function, on one pass of a loop."""

    call: ast.Call
    function: Compiled
    loop: int  # each run of a loop has its own
    leaves: Mapping[tuple[int | str, str], Leaf]  # by the parameter, and where they are in the argument
    bound: int  # arguments that are no arguments of the call itself
    is_method: bool
    name: str  # of the function
    is_costly: bool  # to compile


class Running(Protocol):
    """A program that is being followed."""

    @property
    def is_traced(self) -> bool: ...

    @property
    def is_uncertain(self) -> bool:
        """Whether what runs may not run."""

    @property
    def is_deep(self) -> bool: ...

    def value(self, node: ast.expr | None, scope: Scope) -> Value: ...

    def call(self, function: Value, given: Given, node: ast.AST) -> Value: ...

    def call_method(self, owner: Object, name: str, given: Given, node: ast.AST) -> Value: ...

    def execute(self, body: list[ast.stmt], scope: Scope) -> bool:
        """Whether the end of the body may be reached."""

    def loop(self, node: ast.For | ast.While, begin: Callable[[], None], scope: Scope) -> bool: ...

    def truth(self, test: ast.expr, scope: Scope) -> bool | None: ...

    def assumed(self, node: ast.If, scope: Scope) -> bool | None:
        """Which branch is followed although nobody sees which one runs."""

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None: ...

    def attribute(self, value: Value, name: str) -> Value: ...

    def resolve(self, name: str, scope: Scope) -> Value: ...

    def imported(self, name: str) -> Value: ...

    def is_package(self, module: str) -> bool: ...

    def decorated(self, function: Function, scope: Scope) -> Value: ...

    def class_value(self, node: ast.ClassDef, scope: Scope) -> Value: ...

    def class_named(self, annotation: ast.expr, scope: Scope) -> "Class | None": ...

    def instance(self, cls: "Class") -> Value: ...

    def tracing(self) -> AbstractContextManager[None]: ...

    def uncertain(self) -> AbstractContextManager[None]: ...


def parameters(node: ast.FunctionDef | ast.Lambda) -> Iterator[ast.arg]:
    """Those that take one argument each, in their order."""
    yield from (*node.args.posonlyargs, *node.args.args)
