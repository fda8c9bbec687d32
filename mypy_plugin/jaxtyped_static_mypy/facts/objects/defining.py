"""Reads which functions a module defines: what decorates each, what it makes and learns, and what it compiles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import Decorator, Expression, FuncDef, NameExpr

from ...knowledge import naming
from ...source.compiled_in import CompiledIn
from ...source.host_code import is_of_host
from ...source.learning import learning
from ...source.making_functions import makes_functions
from ...source.request_handlers import handles_requests
from ...syntax.decorators import applying
from ...syntax.names import attribute_of
from ...syntax.trees import nodes_below
from .bodies import Body
from .conditions import parameters_of
from .owners import Owners
from .uses import Function


def read_functions(found: list[Body], owners: Owners, compiled_in: CompiledIn) -> Mapping[str, Function]:
    """The functions of a module, by their names with those around them. `compiled_in`: what each compiles."""
    functions: dict[str, Function] = {}
    for name, function in _Reader(found, owners, compiled_in).functions():
        same = functions.get(name, function)  # a property and its setter, overloads
        functions[name] = same._replace(decorators=same.decorators | function.decorators)
    return functions


@dataclass(frozen=True)
class _Reader:
    """One module."""

    found: list[Body]
    owners: Owners
    compiled_in: CompiledIn

    def functions(self) -> Iterator[tuple[str, Function]]:
        for body in self.found:
            if isinstance(body.function, FuncDef):
                yield body.name, self._facts(body.function, body)

    def _facts(self, function: FuncDef, body: Body) -> Function:
        decorators, is_handler = self._decoration(function)
        learns, loops = learning(nodes_below(function))
        return Function(
            function.line,
            body.cls,
            decorators,
            is_of_host(function, body.nodes, lambda callee: self.owners.full_name(callee, body)),
            learns,
            loops,
            parameters_of(function),
            makes_functions(function),
            tuple(sorted(self.compiled_in.parameters(function))),
            is_handler,
            is_replaced=body.name in self._replaced,
            compiles_argument=self._compiles_argument(function, body),
        )

    def _compiles_argument(self, function: FuncDef, body: Body) -> bool:
        """Whether it is a compiler of the program's own."""
        first = function.arguments[0].variable.name if function.arguments else ""
        compiled = (call.args[0] for call in body.calls if call.args and self._compiles(call.callee, body))
        return any(isinstance(node, NameExpr) and node.name == first for node in compiled)

    def _compiles(self, callee: Expression, body: Body) -> bool:
        return naming.compiles(self.owners.full_name(callee, body) or "")

    @cached_property
    def _replaced(self) -> frozenset[str]:
        """The attributes that methods set on their objects, each behind the class."""
        set_by = ((body, target) for body in self.found if body.own for target in body.assigned)
        names = ((body.cls, attribute_of(target, body.own)) for body, target in set_by)
        return frozenset(f"{cls}.{name}" for cls, name in names if name is not None)

    def _decoration(self, function: FuncDef) -> tuple[frozenset[str], bool]:
        """The full names of the decorators of a function, and whether they give it to a server."""
        if function not in self._decorated:
            return frozenset(), False
        node, body = self._decorated[function]
        is_handler = handles_requests(node.original_decorators, lambda named: self.owners.full_name(named, body))
        return frozenset(self._decorators(node, body)), is_handler

    @cached_property
    def _decorated(self) -> dict[FuncDef, tuple[Decorator, Body]]:
        """The decorators of functions, and in which function they stand."""
        found = ((node, body) for body in self.found for node in body.by_kind.of(Decorator))
        return {node.func: (node, body) for node, body in found}

    def _decorators(self, node: Decorator, body: Body) -> Iterator[str]:
        """Their full names; an empty one for a decorator that has none: `@(jax.jit if is_fast else plain)`."""
        for decorator in node.original_decorators:
            for named in applying(decorator):
                yield self.owners.full_name(named, body) or ""
