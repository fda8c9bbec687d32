"""Reads whether the constructors of a class keep lists, dicts and the like, whatever mypy knows of their types."""

from typing import Final, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FuncDef,
    ListComprehension,
    ListExpr,
    NameExpr,
    SetComprehension,
    SetExpr,
)
from mypy.types import CallableType, UnboundType

from ..knowledge.members import MUTABLE_CONTAINERS
from ..syntax.assignments import assigned_pairs
from ..syntax.names import attribute_of, dotted_name
from ..syntax.trees import statements
from .class_body import ClassBody, self_name
from .set_facts import CONSTRUCTORS

_DISPLAYS: Final = (DictExpr, DictionaryComprehension, ListComprehension, ListExpr, SetComprehension, SetExpr)


class ContainerFacts(TypedDict, total=False):
    """Facts of the containers that a class keeps."""

    keeps_containers: bool  # a constructor sets an attribute to what can change in place, and has no hash


def read_containers(body: ClassBody) -> ContainerFacts:
    constructors = [body.methods[name] for name in CONSTRUCTORS if name in body.methods]
    return {"keeps_containers": True} if any(map(_keeps, constructors)) else {}


def _keeps(function: FuncDef) -> bool:
    nodes = statements(function.body.body, into_definitions=False)
    pairs = (pair for node in nodes if isinstance(node, AssignmentStmt) for pair in assigned_pairs(node))
    own = self_name(function)
    return any(attribute_of(target, own) is not None and _is_container(value, function) for target, value in pairs)


def _is_container(value: Expression | None, function: FuncDef) -> bool:
    """Whether a value is `[]`, `dict(...)`, or a parameter that is annotated as one of these."""
    if isinstance(value, CallExpr):
        return _is_named_as_one(dotted_name(value.callee))
    if isinstance(value, NameExpr):
        return _is_named_as_one(_annotations(function).get(value.name))
    return isinstance(value, _DISPLAYS)


def _annotations(function: FuncDef) -> dict[str | None, str]:
    declared = function.unanalyzed_type
    if not isinstance(declared, CallableType):
        return {}
    pairs = zip(declared.arg_names, declared.arg_types, strict=True)
    return {name: typ.name for name, typ in pairs if isinstance(typ, UnboundType)}


def _is_named_as_one(name: str | None) -> bool:
    return (name or "").rpartition(".")[2] in MUTABLE_CONTAINERS
