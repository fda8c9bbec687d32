"""Sorts the statements of a class body once for all readers of facts."""

from typing import NamedTuple, Self

from mypy.nodes import AssignmentStmt, ClassDef, Decorator, FuncDef, NameExpr


class ClassBody(NamedTuple):
    """The statements of a class body that facts are read from."""

    methods: dict[str, FuncDef]  # without their decorators
    decorated: list[Decorator]
    assignments: list[tuple[str, AssignmentStmt]]  # each with the first name it binds

    @classmethod
    def of(cls, definition: ClassDef) -> Self:
        body = cls({}, [], [])
        for node in definition.defs.body:
            if isinstance(node, FuncDef):
                body.methods[node.name] = node
            elif isinstance(node, Decorator):
                body.methods[node.name] = node.func
                body.decorated.append(node)
            elif isinstance(node, AssignmentStmt) and isinstance(target := node.lvalues[0], NameExpr):
                body.assignments.append((target.name, node))
        return body
