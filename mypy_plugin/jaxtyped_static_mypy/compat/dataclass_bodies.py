"""Private mypy API: keeps mypy from failing on a dataclass in which an annotated name is no variable.

`DataclassTransformer.collect_attributes` asserts that each annotated name of the class body is a variable. It is none
if the value makes a class (`axes: ClassVar[IntEnum] = IntEnum("axes", ["x", "y"])`), or if a method or class of that
name stands above it: then mypy ends with an INTERNAL ERROR (mypy 2.4.1), and reports nothing about any file. It skips
what has no annotation.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    FuncDef,
    IfStmt,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    Statement,
)
from mypy.plugin import ClassDefContext

from ..syntax.trees import has_kind

# The functions that mypy takes for class statements where their result gets a name, by their own names.
_MAKE_CLASSES: Final = frozenset(
    {"Enum", "Flag", "IntEnum", "IntFlag", "NamedTuple", "NewType", "StrEnum", "TypedDict", "namedtuple"}
)
_DEFINITIONS: Final = (ClassDef, Decorator, FuncDef, OverloadedFuncDef)
_DEFINING: Final = frozenset(_DEFINITIONS)
_BRANCHING: Final = frozenset({IfStmt})


def hide_annotations_of_classes(ctx: ClassDefContext) -> None:
    """Has mypy read `axes: T = IntEnum("axes", ...)` as an assignment with a type comment, which makes no field."""
    body: Sequence[Statement] = ctx.cls.defs.body
    if has_kind(body, _BRANCHING):
        body = [*_statements(ctx.cls.defs)]
    annotated = [node for node in body if isinstance(node, AssignmentStmt) and node.new_syntax]
    if not annotated:
        return  # as most classes
    above: set[str] = set()
    for statement in body if has_kind(body, _DEFINING) else annotated:
        if isinstance(statement, _DEFINITIONS):
            above.add(statement.name)
        elif isinstance(statement, AssignmentStmt) and statement.new_syntax and _makes_no_variable(statement, above):
            statement.new_syntax = False


def _statements(block: Block) -> Iterator[Statement]:
    """Those of a class body, with the branches of each `if`, as mypy reads them for fields."""
    for statement in block.body:
        yield statement
        if isinstance(statement, IfStmt):
            for branch in (*statement.body, statement.else_body):
                yield from _statements(branch) if branch is not None else ()


def _makes_no_variable(statement: AssignmentStmt, above: set[str]) -> bool:
    target, value = statement.lvalues[0], statement.rvalue
    if not isinstance(target, NameExpr):
        return False
    callee = value.callee if isinstance(value, CallExpr) else None
    is_made = isinstance(callee, (NameExpr, MemberExpr)) and callee.name in _MAKE_CLASSES
    return is_made or target.name in above
