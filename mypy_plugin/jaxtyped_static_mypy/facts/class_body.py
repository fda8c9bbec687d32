"""Sorts the statements of a class body once for all readers of facts."""

from collections.abc import Callable, Container, Iterable
from typing import NamedTuple, Self

from mypy.nodes import AssignmentStmt, ClassDef, Decorator, FuncDef, FuncItem, NameExpr


class ClassBody(NamedTuple):
    """The statements of a class body that facts are read from."""

    methods: dict[str, FuncDef]  # without their decorators
    decorated: dict[str, Decorator]
    assignments: list[tuple[str, AssignmentStmt]]  # each with the first name it binds

    @classmethod
    def of(cls, definition: ClassDef) -> Self:
        # The parser makes one `OverloadedFuncDef` of a property and its setter (mypy 2.4.1): it is left out, as are
        # overloads, because several bodies have the name.
        body = cls({}, {}, [])
        for node in definition.defs.body:
            if isinstance(node, FuncDef):
                body.methods[node.name] = node
            elif isinstance(node, Decorator):
                body.methods[node.name] = node.func
                body.decorated[node.name] = node
            elif isinstance(node, AssignmentStmt) and isinstance(target := node.lvalues[0], NameExpr):
                body.assignments.append((target.name, node))
        return body


def self_name(function: FuncItem) -> str:
    """The name of the first parameter, `self` or `cls`; empty if there is none."""
    return function.arguments[0].variable.name if function.arguments else ""


def read_reached(
    first: Iterable[str], methods: Container[str], read: Callable[[str], list[str]]
) -> dict[str, list[str]]:
    """What `read` returns for these methods of a class, and for all those that it names there."""
    found: dict[str, list[str]] = {}
    pending = [name for name in first if name in methods]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = read(name)
            pending += [token for token in found[name] if token in methods]
    return found
