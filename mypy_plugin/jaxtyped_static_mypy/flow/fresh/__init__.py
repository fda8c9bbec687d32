"""Traces a callable to its origin: is it one object, or a new one each time its expression is evaluated?

Decided from the expression, not from its type: one step leads from an expression to an answer or to the parts it is
made of, across local names and functions of the same file. What cannot be seen is left open.
"""

from collections.abc import Callable
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SetComprehension,
    SetExpr,
    StarExpr,
    SuperExpr,
    TupleExpr,
)
from mypy.types import AnyType, ProperType

from ...compat import mypy_api
from ...source.bindings import ANY_KEY
from ...source.checked_file import CheckedFile
from ...syntax.literals import literal
from .attributes import step_attribute, step_super
from .names import is_local_class as is_local_class
from .names import step_name
from .origins import Followed, Unread, answer, follow
from .origins import FreshKind as FreshKind
from .origins import Origin as Origin
from .origins import Reader as Reader
from .origins import type_as_declared as type_as_declared
from .returned import step_call, step_result
from .types import holds_callables as holds_callables
from .types import is_plain as is_plain
from .types import part_of_type

_MAX_STEPS: Final = 200  # `node = node.parent` in a loop leads to ever longer paths
# These may make a tuple of fresh callables, so its attributes are fresh, too; for other kinds, that is not known.
_SURVIVES_ATTRIBUTES: Final = (FreshKind.FACTORY, FreshKind.OPTIMISER)


def reader_at(file: CheckedFile) -> Reader:
    """Makes a reader for the call being checked."""

    def type_of(node: Expression) -> ProperType | None:
        return mypy_api.type_of_expression(file.api, node) or type_as_declared(node)

    return Reader(file, type_of)


def origin_of(expression: Expression, reader: Reader) -> Origin | None:
    """Finds the first callable in the value that is new each time; else one that may be; else None."""
    return _settle(follow(reader, expression))


def origin_of_result(callee: Expression, context: Expression, reader: Reader) -> Origin | None:
    """Finds that callable in what calling a function without arguments returns; `context` is where it is called."""
    return _settle(step_result(callee, context, reader, None))


def _settle(step: Followed) -> Origin | None:
    pending, undecided = list(reversed(step)), None
    seen: set[tuple[Expression, Expression | None, tuple[str, ...]]] = set()
    while pending:
        item = pending.pop()
        if isinstance(item, Origin):
            if item.kind is not FreshKind.UNKNOWN:
                return item
            undecided = undecided or item
            continue
        key = (item.expression, item.reader.call, item.reader.path)
        if key not in seen and len(seen) < _MAX_STEPS:
            seen.add(key)
            pending.extend(reversed(_take_step(item)))
    return undecided


def _take_step(part: Unread) -> Followed:
    expression, reader = part
    step_of = _STEPS.get(type(expression))
    if step_of is None:
        return []
    found = step_of(expression, reader)
    return [_weighed(item, part) if isinstance(item, Origin) else item for item in found if _counts(item, part)]


def _counts(item: Origin | Unread, part: Unread) -> bool:
    """Drops an unknown origin unless the value may be a callable."""
    if isinstance(item, Unread) or item.kind is not FreshKind.UNKNOWN or part.reader.attributes:
        return True
    typ = part_of_type(part.reader.type_of(part.expression), part.reader.path)
    return typ is None or isinstance(typ, AnyType) or holds_callables(typ)


def _weighed(origin: Origin, part: Unread) -> Origin:
    origin = origin._replace(made=part.reader.first_call or origin.context)
    if part.reader.attributes and origin.kind not in _SURVIVES_ATTRIBUTES:
        return origin._replace(kind=FreshKind.UNKNOWN)
    return origin


def _items(node: Any, reader: Reader) -> Followed:
    """The items of a display, or the one that is read."""
    item, has_star = reader.item, any(isinstance(part, StarExpr) for part in node.items)
    if item is None:
        return follow(reader, *node.items)
    is_known = item.isdecimal() and not has_star
    return follow(_inside(reader), *(node.items[int(item) :][:1] if is_known else node.items))


def _dict_items(node: DictExpr, reader: Reader) -> Followed:
    parts = (part for item in node.items for part in item if part is not None)
    return follow(_inside(reader), *parts)


def _inside(reader: Reader) -> Reader:
    """The context of the items of a container."""
    return reader.taking(*reader.path[1:]) if reader.item is not None else reader


def _indexed(node: IndexExpr, reader: Reader) -> Followed:
    number = literal(node.index) if isinstance(node.index, IntExpr) else None
    step = f"[{number}]" if number is not None else ANY_KEY
    return follow(reader.taking(step, *reader.path), node.base)


def _operands(node: OpExpr, reader: Reader) -> Followed:
    """Follows both operands of `a or b`, and of operators that combine containers; others make no callables."""
    return follow(reader, node.left, node.right) if node.op in ("and", "or", "+", "*", "|") else []


_STEPS: Final[dict[type[Expression], Callable[[Any, Reader], Followed]]] = {
    LambdaExpr: lambda node, reader: answer(FreshKind.LAMBDA, "lambda", node),
    NameExpr: step_name,
    MemberExpr: step_attribute,
    SuperExpr: lambda node, reader: step_super(node),
    CallExpr: step_call,
    IndexExpr: _indexed,
    ConditionalExpr: lambda node, reader: follow(reader, node.if_expr, node.else_expr),
    OpExpr: _operands,
    AssignmentExpr: lambda node, reader: follow(reader, node.value),
    StarExpr: lambda node, reader: follow(reader, node.expr),
    TupleExpr: _items,
    ListExpr: _items,
    SetExpr: _items,
    DictExpr: _dict_items,
    GeneratorExpr: lambda node, reader: follow(_inside(reader), node.left_expr),
    ListComprehension: lambda node, reader: follow(reader, node.generator),
    SetComprehension: lambda node, reader: follow(reader, node.generator),
    DictionaryComprehension: lambda node, reader: follow(_inside(reader), node.key, node.value),
}
