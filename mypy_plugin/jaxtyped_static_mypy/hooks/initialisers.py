"""Checks the values that `__init__` gives to static fields: `self.op = lambda ...`, `super().__init__(op=...)`."""

from collections.abc import Iterator, Mapping

from mypy.nodes import AssignmentStmt, Expression, FuncDef, MemberExpr, NameExpr, TypeInfo
from mypy.types import AnyType, TypeOfAny

from ..classes import class_model
from ..classes.class_model import Field
from ..classes.constructors import parameter_names, parameters_of_fields
from ..classes.registering import verifies_values
from ..facts.class_body import ClassBody
from ..facts.constructor_facts import call_of_super
from ..flow.made import type_made
from ..reporting.contract import check_value
from ..reporting.positions import STATIC_FIELD, Position
from ..rules.checks import CONTRACT_RULES
from ..rules.static_callable import check_initial
from ..source.checked_file import CheckedFile
from ..syntax.arguments import named_arguments
from ..syntax.assignments import known_pairs
from ..syntax.trees import statements


def check_initialised(info: TypeInfo, fields: Mapping[str, Field], file: CheckedFile) -> None:
    """`fields`: those whose values JAX compares, by name."""
    init = ClassBody.of(info.defn).methods.get("__init__") if fields else None
    if init is None or not init.arguments:
        return
    is_hashed = class_model.hashes_static_fields(info, file.settings.static_bases)
    for name, expression in (*_assigned(init), *_passed_up(init, info)):
        if (field := fields.get(name)) is None:
            continue
        declared = field.type or AnyType(TypeOfAny.unannotated)
        position = Position(
            expression, STATIC_FIELD, name, declared, info.name, (), is_hashed, is_verified=verifies_values(info)
        )
        check_initial(position, expression, info, file)
        made = type_made(expression, file.api)
        if made is not None and field.type is not None:
            check_value(position, made, CONTRACT_RULES, file)


def _assigned(init: FuncDef) -> Iterator[tuple[str, Expression]]:
    """The attributes that the constructor sets, and their values."""
    receiver = init.arguments[0].variable.name
    for node in statements(init.body.body, into_definitions=False):
        if isinstance(node, AssignmentStmt):
            for target, value in known_pairs(node):
                if isinstance(target, MemberExpr) and _is_name(target.expr, receiver):
                    yield target.name, value


def _is_name(node: Expression, name: str) -> bool:
    return isinstance(node, NameExpr) and node.name == name


def _passed_up(init: FuncDef, info: TypeInfo) -> Iterator[tuple[str, Expression]]:
    """The fields that the constructor of the base class is given, and their values."""
    call, base = call_of_super(init), info.mro[1]
    if call is not None:
        fields = parameters_of_fields(base)
        for name, argument in named_arguments(call, parameter_names(base)).items():
            if name in fields:
                yield fields[name].name, argument
