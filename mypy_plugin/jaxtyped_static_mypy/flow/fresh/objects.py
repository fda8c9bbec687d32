"""Objects of libraries that are new each time their expression is evaluated, and equal only to themselves.

Whether an object of the program is hashed by identity is a question to its class, which the judgement answers.
"""

import sys
from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    GeneratorExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)
from mypy.types import FunctionLike, Instance, ProperType

from ...facts.functions.drawing import public_name
from ...knowledge.function_rows import Effect
from ...knowledge.members import GENERATORS
from ...knowledge.type_rows import Trait
from ...libraries import KEY_TYPES, known_function, types_with
from ...source.local_bindings import reaching_bindings
from ...source.surroundings import surroundings
from ...syntax.imports import full_name
from ...syntax.names import callee_name, dotted_name, is_self
from ...syntax.trees import nodes_below
from ..passes.updates import binds_attribute, updating_operator
from ..traced.host_arrays import host_row
from .origins import FreshKind, Origin, Reader

_OBJECT: Final = "builtins.object"
_ITERATORS: Final = types_with(Trait.ITERATOR)
_NUMBERS: Final = types_with(Trait.NUMBER)
_COUNTING: Final = ("+", "-")
_MAX_DEPTH: Final = 8


def new_object(expression: Expression, reader: Reader, depth: int = 0) -> Origin | None:
    """The first part of a value that is such an object; None if it may be the same each time."""
    found = (origin for part in _parts(expression, reader) if (origin := _origin(part, reader, depth)) is not None)
    return next(found, None)


def _parts(expression: Expression, reader: Reader) -> Iterator[Expression]:
    if isinstance(expression, TupleExpr):
        yield from expression.items
    elif isinstance(expression, ConditionalExpr):
        yield from (expression.if_expr, expression.else_expr)
    elif isinstance(expression, AssignmentExpr):
        yield expression.value
    elif isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        for local in reaching_bindings(reader.file, expression, expression.node):
            if local.value is not None and not local.binding.path:
                yield local.value
            elif isinstance(local.statement, WithStmt):
                yield from _entered(local.statement, expression.node, reader)
    else:
        yield expression


def _entered(statement: WithStmt, variable: Var, reader: Reader) -> Iterator[Expression]:
    """The call in `with open(path) as file`, which is what the name gets."""
    for context, target in zip(statement.expr, statement.target, strict=True):
        is_named = isinstance(target, NameExpr) and target.node is variable
        if is_named and isinstance(context, CallExpr) and Effect.NEW_OBJECT in _effects(context, reader):
            yield context


def _origin(part: Expression, reader: Reader, depth: int) -> Origin | None:
    if isinstance(part, GeneratorExpr):
        return Origin(FreshKind.ITERATOR, "a generator", part, part)
    if isinstance(part, CallExpr):
        kind = _kind_of_call(part, reader)
        return Origin(kind, f"{_called(part.callee)}(...)", part, part) if kind is not None else None
    if isinstance(part, MemberExpr):
        is_new = _is_updated(part, reader)
        return Origin(FreshKind.COUNTER, f'"{dotted_name(part)}"', part, part) if is_new else None
    return new_object(part, reader, depth + 1) if isinstance(part, _FOLLOWED) and depth < _MAX_DEPTH else None


_FOLLOWED: Final = (TupleExpr, ConditionalExpr, AssignmentExpr, NameExpr)


def _called(callee: Expression) -> str:
    return dotted_name(callee) or (callee.name if isinstance(callee, MemberExpr) else "the call")


def _effects(call: CallExpr, reader: Reader) -> Effect:
    return known_function(full_name(call.callee, reader.file.tree)).effects


def _kind_of_call(call: CallExpr, reader: Reader) -> FreshKind | None:
    name = full_name(call.callee, reader.file.tree)
    row = known_function(name)
    if Effect.NEW_OBJECT in row.effects:
        return FreshKind.GENERATOR if public_name(name) in GENERATORS else FreshKind.OBJECT
    if row.new is not None:
        return None  # a callable
    if _is_of_generator(call.callee, reader):
        return FreshKind.ITERATOR
    made = reader.type_of(call)
    if not isinstance(made, Instance):
        return None
    if Effect.NEW_VALUE in row.effects | host_row(call, reader.file).effects or _is_nan(call):
        is_value = made.type.fullname in KEY_TYPES and not made.args
        return (FreshKind.NUMBER if _is_number(made) else FreshKind.VALUE) if is_value else None
    if made.type.fullname in _ITERATORS:
        return FreshKind.ITERATOR
    callee = reader.type_of(call.callee)
    is_constructed = isinstance(callee, FunctionLike) and callee.is_type_obj()
    return FreshKind.OBJECT if is_constructed and _is_equal_to_itself_only(made.type) else None


def _is_of_generator(callee: Expression, reader: Reader) -> bool:
    """Whether this is a function or method whose call returns a generator, whatever its annotations say."""
    function = callee.node if isinstance(callee, RefExpr) else None
    if function is None and isinstance(callee, MemberExpr):
        owner = reader.type_of(callee.expr)
        symbol = owner.type.get(callee.name) if isinstance(owner, Instance) else None
        function = symbol.node if symbol is not None else None
    return isinstance(function, FuncDef) and function.is_generator and not function.is_decorated


def _is_updated(read: MemberExpr, reader: Reader) -> bool:
    """Whether a method counts up an attribute of its object with each call, as by `self.step += 1`."""
    function = surroundings(read, reader.file).function
    if not is_self(read.expr) or function is None or not _is_number(reader.type_of(read)):
        return False
    found = [node for node in nodes_below(function.body) if binds_attribute(node, read)]
    return len(found) == 1 and found[0] in function.body.body and updating_operator(found[0], read) in _COUNTING


def _is_number(typ: ProperType | None) -> bool:
    return isinstance(typ, Instance) and typ.type.fullname in _NUMBERS


def _is_nan(call: CallExpr) -> bool:
    """Whether this is `float("nan")`: it equals nothing, and is a new object. `math.nan` is one object."""
    text = call.args[0] if callee_name(call) == "builtins.float" and len(call.args) == 1 else None
    return isinstance(text, StrExpr) and text.value.strip("+- ").lower() == "nan"


def _is_equal_to_itself_only(info: TypeInfo) -> bool:
    """Of Python's own classes: their stubs show each `__eq__`, and leave many a `__hash__` out."""
    if info.fullname == _OBJECT:
        return True
    package = info.module_name.partition(".")[0]
    own = [base for base in info.mro if base.fullname != _OBJECT]
    if package not in sys.stdlib_module_names or info.is_enum or info.is_protocol or info.tuple_type is not None:
        return False
    return not any("__eq__" in base.names or base.fullname in KEY_TYPES for base in own)
