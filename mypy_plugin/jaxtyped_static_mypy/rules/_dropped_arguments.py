"""jit-mutation: a constructor that reads an attribute where it was meant to set it, so that an argument is lost."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import ExpressionStmt, FuncDef, MemberExpr, NameExpr, Var

from ..facts.method_facts import MAKING
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..source.parameters import parameters
from ..source.surroundings import surroundings
from ..syntax.changes import written
from ..syntax.names import is_self
from ..syntax.trees import nodes_below
from . import CODES

_CODE: Final = CODES["jit-mutation"]
_LOST: Final = Message(
    '"{written}" changes nothing, so the object does not keep the argument "{name}"',
    "write {written} = {name}",
    kind="argument-dropped",
)


def check_dropped_arguments(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no hook is called for what only reads an attribute."""
    for read in _lost(file):
        report(file, read, _LOST.fill(written=written(read), name=read.name), _CODE)
    return bool(_lost(file))


@once_per_file
def _lost(file: CheckedFile) -> tuple[MemberExpr, ...]:
    return tuple(_found(file))


def _found(file: CheckedFile) -> Iterator[MemberExpr]:
    for statement in file.by_kind.of(ExpressionStmt):
        read = statement.expr
        if isinstance(read, MemberExpr) and is_self(read.expr):
            function = surroundings(read, file).function
            if isinstance(function, FuncDef) and function.info and _is_lost(read, function):
                yield read


def _is_lost(read: MemberExpr, function: FuncDef) -> bool:
    """Whether a constructor does nothing else with the argument of this name, and the attribute is no property."""
    symbol = function.info.get(read.name)
    is_plain = symbol is not None and isinstance(symbol.node, Var) and not symbol.node.is_property
    is_given = any(parameter.name == read.name for parameter in parameters(function))
    if function.name not in MAKING or not is_plain or not is_given:
        return False
    nodes = nodes_below(function.body)
    is_used = any(isinstance(node, NameExpr) and node.name == read.name for node in nodes)
    named = [node for node in nodes if isinstance(node, MemberExpr) and node.name == read.name]
    return not is_used and named == [read]
