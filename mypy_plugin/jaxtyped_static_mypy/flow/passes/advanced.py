"""Finds the number fields of an object that code counts on when it makes the next one: `State(w, state.step + 1)`."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, Type, get_proper_type

from ...knowledge.function_rows import Effect
from ...knowledge.type_rows import Trait
from ...libraries import known_function, types_with
from ...reach.callers import constructions
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.assignments import assigned_pairs
from ...syntax.names import callee_name
from ...syntax.trees import nodes_below, self_parameter, statements
from ..declared_types import TypeOf
from ..weak_leaves import arguments_by_field, class_made, leaf_fields
from .loops import Passes, binding, updating_passes
from .numbers import is_number

_MAX_DEPTH: Final = 4  # of names and calls
_NUMBERS: Final = types_with(Trait.NUMBER)
_ADVANCING: Final = frozenset({"+", "-", "*", "/"})
_NOTHING: Final[Mapping[str, Expression]] = {}


class _Search(NamedTuple):
    info: TypeInfo  # the class of the object
    compiled: CallExpr  # the call that gets the object, of a function that leaves numbers as they are
    file: CheckedFile
    type_of: TypeOf


def advanced_field(name: NameExpr, info: TypeInfo, call: CallExpr, file: CheckedFile, type_of: TypeOf) -> str | None:
    """A field with a number of Python that is another one on each pass of the loop around a call that gets an object.

    The loop makes the next object of the one before, once on each pass, perhaps by the call.
    """
    place, variable = surroundings(call, file), name.node
    if not place.repeating or not isinstance(variable, Var):
        return None
    bound = list(binding(variable, nodes_below(place.repeating[0])))
    statement = bound[0] if len(bound) == 1 else None
    if not isinstance(statement, AssignmentStmt) or surroundings(statement, file).block not in place.around:
        return None
    if updating_passes(place.repeating[0], variable, file) is Passes.FEW:
        return None
    search = _Search(info, call, file, type_of)
    found = _advanced_by(statement, variable, search)
    return next((field for field in found if _holds_number(field, search)), None)


def _advanced_by(statement: AssignmentStmt, variable: Var, search: _Search) -> Mapping[str, Expression]:
    for target, value in assigned_pairs(statement):
        if isinstance(target, NameExpr) and target.node is variable and value is not None:
            return _advanced(value, None, variable, search, _MAX_DEPTH)
    target = statement.lvalues[0]
    items = target.items if isinstance(target, TupleExpr) else []
    index = next((at for at, one in enumerate(items) if isinstance(one, NameExpr) and one.node is variable), None)
    return _advanced(statement.rvalue, index, variable, search, _MAX_DEPTH) if index is not None else _NOTHING


def _advanced(
    node: Expression, index: int | None, before: SymbolNode, search: _Search, depth: int
) -> Mapping[str, Expression]:
    """The fields that a value gives another number, computed of that in the object before. `index`: in a tuple."""
    made = made_by(node, search.file)
    if index is not None and isinstance(made, TupleExpr) and index < len(made.items):
        made, index = made_by(made.items[index], search.file), None
    if not isinstance(made, CallExpr) or unpacks(made) or not depth:
        return _NOTHING
    if (called := _called(made, before, search)) is not None:
        return _returned(*called, index, search, depth - 1)
    given = _fields_given(made, before, search) if index is None else _NOTHING
    return {field: value for field, value in given.items() if _advances(value, field, before, search)}


def _fields_given(made: CallExpr, before: SymbolNode, search: _Search) -> Mapping[str, Expression]:
    """What a constructor or an edited copy of the object gives for fields."""
    effects = known_function(callee_name(made)).effects
    if Effect.EDITS_TREE in effects:
        is_of_it = len(made.args) > 2 and _is(made.args[1], before)
        return dict(_edited(made.args[0], made.args[2])) if is_of_it else _NOTHING
    if Effect.COPIES in effects:
        pairs = zip(made.arg_names, made.args, strict=True)
        is_of_it = bool(made.args) and _is(made.args[0], before)
        return {name: value for name, value in pairs if name is not None} if is_of_it else _NOTHING
    return (arguments_by_field(made, search.info) or _NOTHING) if class_made(made) is search.info else _NOTHING


def _edited(where: Expression, value: Expression) -> Iterator[tuple[str, Expression]]:
    """`eqx.tree_at(lambda s: (s.w, s.step), state, (w, state.step + 1))`."""
    place = where.expr() if isinstance(where, LambdaExpr) else None
    if isinstance(place, TupleExpr) and isinstance(value, TupleExpr) and len(place.items) == len(value.items):
        pairs = list(zip(place.items, value.items, strict=True))
    else:
        pairs = [(place, value)] if place is not None else []
    yield from ((part.name, given) for part, given in pairs if isinstance(part, MemberExpr))


def _advances(value: Expression, field: str, before: SymbolNode, search: _Search) -> bool:
    """`state.step + 1`, `state.rate * decay` of a number."""
    made = made_by(value, search.file)
    if not isinstance(made, OpExpr) or made.op not in _ADVANCING:
        return False
    own = [part for part in (made.left, made.right) if _is_field(part, field, before)]
    others = [part for part in (made.left, made.right) if part not in own]
    return len(own) == 1 and is_number(others[0], search.file, search.type_of)


def _is_field(node: Expression, field: str, before: SymbolNode) -> bool:
    return isinstance(node, MemberExpr) and node.name == field and _is(node.expr, before)


def _is(node: Expression, variable: SymbolNode) -> bool:
    return isinstance(node, NameExpr) and node.node is variable


# Functions


def _called(call: CallExpr, before: SymbolNode, search: _Search) -> tuple[FuncDef, SymbolNode] | None:
    """The function that a call runs, or the method of the object, with the parameter that gets the object."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and _is(callee.expr, before):
        symbol = search.info.get(callee.name)
        function = _function(symbol.node if symbol is not None else None, call, search)
        own = self_parameter(function) if function is not None else None
        return (function, own) if function is not None and own is not None else None
    function = _function(callee.node, call, search) if isinstance(callee, NameExpr) else None
    if function is None:
        return None
    variables = {one.variable.name: one.variable for one in function.arguments}
    given = named_arguments(call, list(variables))
    name = next((name for name, value in given.items() if _is(value, before) and name in variables), None)
    return (function, variables[name]) if name is not None else None


def _function(node: Node | None, call: CallExpr, search: _Search) -> FuncDef | None:
    """Not one that another decorator compiles: it may return arrays for numbers."""
    function = node.func if isinstance(node, Decorator) and call is search.compiled else node
    return function if isinstance(function, FuncDef) and search.file.defines(function) else None


def _returned(
    function: FuncDef, before: SymbolNode, index: int | None, search: _Search, depth: int
) -> Mapping[str, Expression]:
    """What all returns of a function give another number."""
    nodes = statements(function.body.body, into_definitions=False)
    values = [node.expr for node in nodes if isinstance(node, ReturnStmt) and node.expr is not None]
    is_bound = isinstance(before, Var) and any(True for _ in binding(before, nodes))
    if not values or is_bound:
        return _NOTHING
    found = [_advanced(value, index, before, search, depth) for value in values]
    return {field: value for field, value in found[0].items() if all(field in one for one in found)}


# Where it begins


def _holds_number(field: str, search: _Search) -> bool:
    """Whether a dynamic field is declared as a number, and all objects that the file makes begin with one."""
    declared = leaf_fields(search.info, search.file).get(field)
    if declared is None or not _is_number_type(declared.type):
        return False
    given = [(call, arguments_by_field(call, search.info)) for call in constructions(search.info, search.file)]
    values = [fields.get(field) if fields is not None else call for call, fields in given]
    begun = [value for value in values if value is not None and not isinstance(made_by(value, search.file), OpExpr)]
    is_given = all(is_number(made_by(value, search.file), search.file, search.type_of) for value in begun)
    return bool(given) and is_given and (bool(begun) or None in values)


def _is_number_type(typ: Type | None) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in _NUMBERS
