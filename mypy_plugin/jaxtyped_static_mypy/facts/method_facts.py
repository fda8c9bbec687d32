"""Reads which attributes `__init__` sets, which ones methods set later, and whether setting them raises.

Of an enum, also what can change in its members.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    ARG_STAR2,
    AssignmentStmt,
    CallExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    IntExpr,
    ListExpr,
    NameExpr,
    RaiseStmt,
    Statement,
    StrExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.types import UnboundType

from ..knowledge import naming
from ..syntax.assignments import assigned_pairs
from ..syntax.decorators import applied, last_names
from ..syntax.literals import MUTABLE_DISPLAYS, is_none
from ..syntax.names import attribute_of, dotted_name, is_named, last_name
from ..syntax.stand_ins import first_statement, only_raises
from ..syntax.trees import names_assigned, statements
from .class_body import ClassBody, self_name
from .filled_facts import assigned_in, attributes_filled_once, names_filled_by_item

# Methods that run before anything can have hashed the object.
MAKING: Final = frozenset(
    {"__init__", "__new__", "__post_init__", "__attrs_post_init__", "model_post_init", "__setstate__", "tree_unflatten"}
)

# Decorators of methods that a library calls while it makes an object.
_CALLED_WHILE_MADE: Final = frozenset({"model_validator"})

# A value that `__hash__` caches cannot change the hash.
_KEEPING: Final = MAKING | {"__hash__"}


class _Assigned(NamedTuple):
    """An assignment to an attribute of `self`."""

    name: str
    value: Expression | None  # None if the statement does not write it out
    statement: AssignmentStmt


class MethodFacts(TypedDict, total=False):
    """Facts of the methods of a class."""

    parameters: dict[str, str]  # attribute -> the parameter of `__init__` it is set to
    replaced: list[str]  # of these attributes, those whose parameter has always got another value before
    dicts: list[str]  # public attributes that `__init__` sets to a new dict
    initialized: list[str]  # private attributes that are set while the object is made
    reassigned: list[str]  # private attributes that are set later
    filled_once: list[str]  # of these, those that methods only set while they are still empty
    filled_by_item: list[str]  # private dicts in which methods look up items, and set those that are missing
    sets_public: bool  # `__init__` sets public ones, and the two above are not read
    called_by_init: list[str]  # methods that `__init__` runs on the object
    only_raising: list[str]  # methods that only raise `NotImplementedError`
    jitted_as_written: list[str]  # decorated with a jit whose options are all literals
    refuses_assignment: bool  # by a `__setattr__` that raises
    may_refuse_assignment: bool  # by one that raises sometimes


def read_methods(body: ClassBody) -> MethodFacts:
    init = body.methods.get("__init__")
    changing: list[str] = []
    facts: MethodFacts = {}
    if init is not None and init.arguments:
        assigned = list(_self_assignments(init.body.body, self_name(init)))
        changing = [found.name for found in assigned if not _is_final(found.statement)]
        facts["called_by_init"] = [*_called(init)]
        facts["parameters"] = _parameters(assigned, init)
        facts["replaced"] = list(_replaced(init))
        facts["dicts"] = _dicts(assigned, init)
    if changing or any(naming.is_private(name) for name, _ in body.assignments):
        _read_private(changing, body, facts)
    facts["only_raising"] = [name for name, function in body.methods.items() if only_raises(function)]
    if jitted := [name for name, node in body.decorated.items() if _is_jitted_as_written(node)]:
        facts["jitted_as_written"] = jitted
    if (setattr_ := body.methods.get("__setattr__")) is not None:
        raises = any(isinstance(node, RaiseStmt) for node in statements(setattr_.body.body))
        facts["refuses_assignment"] = _raises(setattr_)
        facts["may_refuse_assignment"] = raises and not _raises(setattr_)
    return facts


def _read_private(changing: list[str], body: ClassBody, facts: MethodFacts) -> None:
    """Reads which methods set private attributes. A public attribute already makes the class mutable."""
    called = (name for name, node in body.decorated.items() if _CALLED_WHILE_MADE.intersection(last_names(node)))
    keeping = _KEEPING.union(called)
    others = [function for name, function in body.methods.items() if name not in keeping]
    facts["filled_once"] = attributes_filled_once(others)
    reassigned = _attributes_assigned(others)
    facts["filled_by_item"] = sorted({*names_filled_by_item(others)}.difference(reassigned))
    if any(not name.startswith("_") for name in changing):
        facts["sets_public"] = True
    else:
        facts["initialized"] = _attributes_assigned(body.methods[name] for name in body.methods if name in keeping)
        facts["reassigned"] = reassigned


def _is_jitted_as_written(node: Decorator) -> bool:
    calls = [_applied(decorator) for decorator in node.original_decorators]
    names = [(dotted_name(call.callee) or "").rpartition(".")[2] for call in calls]
    options = [option for call in calls for option in call.args[1:]]
    return any(naming.compiles(name) for name in names) and all(map(_is_written_out, options))


def _applied(decorator: Expression) -> CallExpr:
    """The call that a decorator stands for. mypy has not resolved `partial` yet."""
    call = applied(decorator)
    if (
        not isinstance(decorator, CallExpr)
        or call.callee is not decorator.callee
        or last_name(call.callee) != "partial"
    ):
        return call
    first, *options = decorator.args or [call.args[0]]
    return CallExpr(first, [call.args[0], *options], decorator.arg_kinds, [None, *decorator.arg_names[1:]])


def _is_written_out(node: Expression) -> bool:
    if isinstance(node, (ListExpr, TupleExpr)):
        return all(map(_is_written_out, node.items))
    return isinstance(node, (IntExpr, StrExpr)) or is_none(node) or dotted_name(node) in ("True", "False")


class EnumFacts(TypedDict, total=False):
    """Facts of an enum."""

    mutable_values: list[str]  # members whose value is written as a list, dict or set
    assigned_later: list[str]  # attributes that methods assign


def read_enum(info: TypeInfo, body: ClassBody) -> EnumFacts:
    """The facts of an enum; none for any other class."""
    if not any(base.is_enum for base in info.mro[1:]):
        return {}
    mutable = (name for name, node in body.assignments if isinstance(node.rvalue, MUTABLE_DISPLAYS))
    return {
        "mutable_values": [name for name in mutable if name[0] != "_"],
        "assigned_later": _attributes_assigned(method for name, method in body.methods.items() if name not in MAKING),
    }


def _attributes_assigned(functions: Iterable[FuncDef]) -> list[str]:
    """The attributes of `self` that these methods assign."""
    return sorted({name for function in functions for name in assigned_in(function.body.body, self_name(function))})


def _called(init: FuncDef) -> Iterator[str]:
    for node in init.body.body:
        call = node.expr if isinstance(node, ExpressionStmt) else None
        if isinstance(call, CallExpr) and (name := attribute_of(call.callee, self_name(init))) is not None:
            yield name


def _parameters(assigned: list[_Assigned], init: FuncDef) -> dict[str, str]:
    """Attributes that `__init__` sets to a parameter, with its name."""
    names = {argument.variable.name for argument in init.arguments[1:] if argument.kind is not ARG_STAR2}
    filled = {found.name: found.value.name for found in assigned if isinstance(found.value, NameExpr)}
    return {name: parameter for name, parameter in filled.items() if parameter in names}


def _dicts(assigned: list[_Assigned], init: FuncDef) -> list[str]:
    options = next((argument.variable.name for argument in init.arguments if argument.kind is ARG_STAR2), None)
    values: dict[str, list[Expression | None]] = {}
    for name, value, _ in assigned:
        if not name.startswith("_"):
            values.setdefault(name, []).append(value)
    return [name for name, set_to in values.items() if all(_is_dict(value, options) for value in set_to)]


def _is_dict(value: Expression | None, options: str | None) -> bool:
    """Whether a value is a dict display, or the dict of all keyword arguments."""
    is_options = options is not None and is_named(value, options)
    return is_options or isinstance(value, (DictExpr, DictionaryComprehension))


def _replaced(init: FuncDef) -> Iterator[str]:
    """Attributes that `__init__` sets to a parameter after binding it again, whichever way it takes."""
    bound: set[str] = set()
    for statement in init.body.body:
        for name, value, _ in _self_assignments([statement], self_name(init)):
            if isinstance(value, NameExpr) and value.name in bound:
                yield name
        bound |= _always_bound([statement])


def _always_bound(body: list[Statement]) -> set[str]:
    bound: set[str] = set()
    for statement in body:
        bound.update(names_assigned(statement))
        if isinstance(statement, IfStmt) and statement.else_body is not None:
            bound |= set.intersection(*(_always_bound(block.body) for block in (*statement.body, statement.else_body)))
    return bound


def _self_assignments(body: list[Statement], own: str) -> Iterator[_Assigned]:
    assignments = (statement for statement in body if isinstance(statement, AssignmentStmt))
    for statement in assignments:
        for target, value in assigned_pairs(statement):
            if (name := attribute_of(target, own)) is not None:
                yield _Assigned(name, value, statement)


def _is_final(node: AssignmentStmt) -> bool:
    """Whether an assignment is `self.n: Final = ...`. mypy has not resolved the name yet."""
    written = node.unanalyzed_type
    return isinstance(written, UnboundType) and written.name.rpartition(".")[2] == "Final"


def _raises(function: FuncDef) -> bool:
    return isinstance(first_statement(function), RaiseStmt)
