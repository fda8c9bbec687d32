"""Private mypy API: keeps mypy from failing on a dataclass in which an annotated name is no variable.

`DataclassTransformer.collect_attributes` asserts that each annotated name of the class body is a variable. It is none
if the value makes a class (`axes: ClassVar[IntEnum] = IntEnum("axes", ["x", "y"])`), or if a method or class of that
name stands above it: then mypy ends with an INTERNAL ERROR (mypy 2.4.1), and reports nothing about any file. It skips
what has no annotation.
"""

from collections.abc import Iterator
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
_HOLDING_FIELDS: Final = frozenset({AssignmentStmt, IfStmt})


def hide_annotations_of_classes(ctx: ClassDefContext) -> None:
    """Has mypy read `axes: T = IntEnum("axes", ...)` as an assignment with a type comment, which makes no field."""
    if not has_kind(ctx.cls.defs.body, _HOLDING_FIELDS):
        return  # as most classes of stubs
    above: set[str] = set()
    for statement in _statements(ctx.cls.defs):
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
    match statement.lvalues[0], statement.rvalue:
        case NameExpr(name=name), _ if name in above:
            return True
        case NameExpr(), CallExpr(callee=NameExpr() | MemberExpr() as callee):
            return callee.name in _MAKE_CLASSES
    return False
