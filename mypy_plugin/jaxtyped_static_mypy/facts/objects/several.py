"""What the expressions of a module may stand for, one or the other, as a text that `resolving` reads.

It goes beyond `owners`, which says what a thing is for sure, by the module alone:

a.Walker()|a.Runner()   one of these: what an `if`, a table or a function gives that returns several
a.train@env             what calls give for the parameter of a function
a.make#0()              the first of the things that a function returns together

Only the command has the calls of a whole program, so only the command asks for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    ReturnStmt,
    TupleExpr,
    YieldExpr,
    YieldFromExpr,
)
from mypy.types import Type

from ...knowledge.full_names import CACHES
from ...syntax.literals import is_none
from ...syntax.names import last_name
from .bodies import Body, Bound
from .owners import ITSELF, Owners, element_of, holder_of, is_own
from .uses import ITEM, OR, PARAMETER

_MOST: Final = 12  # things that a text may stand for
_LOOKING_UP: Final = frozenset({"get", "pop"})
_MAKING: Final = frozenset({"__init__", "__new__"})
# Decorators that leave what a function returns as it is.
_LEAVING: Final = frozenset({"abstractmethod", "classmethod", "override", "property", "staticmethod"})
_LEAVING_RESULTS: Final = _LEAVING | {name.rpartition(".")[2] for name in CACHES}


@dataclass(frozen=True, eq=False)
class SeveralOwners(Owners):
    """What the expressions of a module may stand for."""

    def one_of(self, found: Iterable[str | None]) -> str | None:
        texts = [text for text in found if text != ITSELF]
        parts = sorted({part for text in texts if text is not None for part in text.split(OR)})
        return OR.join(parts) if parts and None not in texts and len(parts) <= _MOST else None

    def _of_union(self, items: Iterable[Type]) -> str | None:
        return self.one_of(text for part in items if (text := super(SeveralOwners, self)._of_union([part])) is not None)

    def _bound_to(self, name: str, body: Body) -> list[str | None]:
        texts = super()._bound_to(name, body)
        bound = body.bound[name]
        parameter = bound[0]
        if not parameter.binding.is_parameter or parameter.is_many or isinstance(body.function, LambdaExpr):
            return texts
        if name == body.own or not _may_be_own(texts[0], parameter):
            return texts
        return [f"{self.file.fullname}.{body.name}{PARAMETER}{name}", *texts[1:]]

    def _of_bound(self, bound: Bound, body: Body) -> str | None:
        value, path = bound.binding.value, bound.binding.path
        if bound.annotation is None and isinstance(value, CallExpr) and len(path) == 1 and path[0][1:-1].isdecimal():
            made = self.of(value, body)
            return _item(made, path[0][1:-1]) if made is not None else None
        return super()._of_bound(bound, body)

    def _of_call(self, node: CallExpr, body: Body, depth: int) -> str | None:
        callee = node.callee
        if isinstance(callee, MemberExpr) and callee.name in _LOOKING_UP and node.args:
            table = self._table(callee.expr, body, depth - 1)
            found = [element_of(table) if table is not None else None]
            found += [self.of(value, body, depth - 1) for value in node.args[1:] if not is_none(value)]
            if (text := self.one_of(found)) is not None:
                return text
        return super()._of_call(node, body, depth)

    def _table(self, node: Expression, body: Body, depth: int) -> str | None:
        """A container, as far as the module shows it."""
        is_constant = isinstance(node, NameExpr) and holder_of(node.name, body) is None
        made = self.names.constants.get(node.name) if isinstance(node, NameExpr) and is_constant else node
        text = self.of(made, body, depth)
        return text if text is not None and text.startswith("*") else None


def read_several(
    found: list[Body], owners: SeveralOwners, known: Mapping[str, str], attributes: Mapping[str, str]
) -> dict[str, str]:
    """What functions, variables, attributes and parameters may stand for. `known`: those of which it is clear."""
    variables = ((name, owners.of_variable(name, found)) for name in found[0].bound)
    pairs = (*variables, *attributes.items(), *_results(found, owners), *_parameters(found, owners))
    return {name: text for name, text in pairs if text is not None and text != known.get(name) and is_own(text)}


def _results(found: list[Body], owners: Owners) -> Iterator[tuple[str, str | None]]:
    """What functions return, by what stands behind `return`."""
    changed = set(_changed_by_decorators(found))
    for body in found:
        if not isinstance(body.function, FuncDef) or body.function in changed or body.function.is_coroutine:
            continue
        if any(isinstance(node, YieldExpr | YieldFromExpr) for node in body.nodes):
            continue
        returned = [node.expr for node in body.nodes if isinstance(node, ReturnStmt)]
        values = [value for value in returned if value is not None and not is_none(value)]
        yield body.name, owners.one_of(owners.of(value, body) for value in values)
        yield from _items(body, values, owners)


def _items(body: Body, values: list[Expression], owners: Owners) -> Iterator[tuple[str, str | None]]:
    """The same for each of what a function returns together."""
    tuples = [value for value in values if isinstance(value, TupleExpr)]
    if not tuples or len(tuples) < len(values):
        return
    for place in range(min(len(value.items) for value in tuples)):
        yield f"{body.name}{ITEM}{place}", owners.one_of(owners.of(value.items[place], body) for value in tuples)


def _changed_by_decorators(found: list[Body]) -> Iterator[FuncDef]:
    for node in (node for body in found for node in body.nodes):
        if isinstance(node, Decorator):
            names = {
                last_name(part.callee if isinstance(part, CallExpr) else part) for part in node.original_decorators
            }
            if not names <= _LEAVING_RESULTS:
                yield node.func


def _parameters(found: list[Body], owners: Owners) -> Iterator[tuple[str, str | None]]:
    """What parameters are declared to be."""
    for body in found:
        for name in body.bound if body.function is not None else ():
            bound = body.bound[name][0]
            if bound.binding.is_parameter and bound.annotation is not None and not bound.is_many:
                yield f"{body.name}{PARAMETER}{name}", owners.of_type(bound.annotation)


def _may_be_own(text: str | None, parameter: Bound) -> bool:
    """Whether calls may say what a parameter is, by its annotation, if it has one."""
    return parameter.annotation is None or (text is not None and is_own(text) and not text.startswith("*"))


def _item(text: str, place: str) -> str | None:
    """One of what a function returns together."""
    parts = text.split(OR)
    are_calls = all(part.endswith("()") and not part.startswith("*") for part in parts)
    return OR.join(f"{part.removesuffix('()')}{ITEM}{place}()" for part in parts) if are_calls else None
