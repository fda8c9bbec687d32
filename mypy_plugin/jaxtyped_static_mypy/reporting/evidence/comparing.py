"""What `==` leaves out, and the program shows to matter: traced code reads it, and two objects can differ in it."""

from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Expression, FuncDef, LambdaExpr, RefExpr, TypeInfo
from mypy.types import CallableType, get_proper_type

from ...classes import class_model
from ...classes.constructors import parameter_names, parameters_of_fields
from ...classes.field_defaults import defaults_of
from ...classes.reasons import Fault, Reason
from ...classes.self_uses import uses_by_method
from ...facts.method_facts import MAKING
from ...flow.traced_reads import reads_in_traces
from ...reach.objects import changes_of
from ...source.checked_file import CheckedFile
from ...syntax.trees import nodes_below
from ..positions import Position
from .reads import attributes_read

_OF_CLASS: Final = frozenset({Reason.NOTHING_COMPARED, Reason.CLASS_NOT_COMPARED})


def is_mistaken(position: Position, fault: Fault, file: CheckedFile) -> bool:
    """Whether the program of one object runs for another that is equal to it, and differs in what it reads."""
    info = fault.declared
    if info is None:
        return False
    names = [field.name for field in class_model.fields(info)]
    if fault.reason not in _OF_CLASS:
        names = [fault.subject.rpartition(".")[2]]
    is_varying = fault.reason is Reason.NOT_A_FIELD  # set by the constructors, from what no field depends on
    return any(
        _is_read(name, position, fault, info, file) and (is_varying or can_differ(name, info, file)) for name in names
    )


def _is_read(name: str, position: Position, fault: Fault, info: TypeInfo, file: CheckedFile) -> bool:
    is_of_value = sum(step.startswith(".") for step in fault.path) < 2
    read = attributes_read(position, file) if is_of_value else None
    return name in read.names if read is not None else reads_in_traces([name], info, file)


def can_differ(name: str, info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file does not show an attribute to be a constant, which all objects of a class have."""
    if any(change.attribute == name for _, change in changes_of(info, file)) or _is_new_each_time(name, info, file):
        return True
    parameters = {field.name: parameter for parameter, field in parameters_of_fields(info).items()}
    parameter = parameters.get(name, "")
    has_default = _defaults(info).get(parameter)
    if has_default is None:
        return any(name in use.assigned for method, use in uses_by_method(info).items() if method in MAKING)
    return not has_default or any(_passes(call, parameter, info) for call in file.calls_by_callee.values())


def _defaults(info: TypeInfo) -> dict[str | None, bool]:
    """The parameters of the constructor, and whether each has a default."""
    init = info.get("__init__")
    signature = get_proper_type(init.node.type) if init is not None and isinstance(init.node, FuncDef) else None
    if not isinstance(signature, CallableType):
        return {}
    kinds = (kind.is_optional() for kind in signature.arg_kinds)
    return dict(zip(signature.arg_names, kinds, strict=True))


def _is_new_each_time(name: str, info: TypeInfo, file: CheckedFile) -> bool:
    """Whether a class statement of the file gives a field a default that is made for each object, as a counter is."""
    if info.module_name != file.tree.fullname:
        return False  # mypy's cache keeps no statements
    made = (default.value for default in defaults_of(info) if default.field == name and default.is_factory)
    return not all(map(_makes_the_same, made))


def _passes(call: CallExpr, parameter: str, info: TypeInfo) -> bool:
    """Whether a call may give an object another value than the default, as `dataclasses.replace` does."""
    if parameter in call.arg_names:
        return True
    made = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(made, TypeInfo) or info not in made.mro:
        return False
    if ARG_STAR in call.arg_kinds or ARG_STAR2 in call.arg_kinds:
        return True
    names = parameter_names(made)
    return parameter in names[: sum(kind.is_positional() for kind in call.arg_kinds)]


def _makes_the_same(factory: Expression) -> bool:
    """Whether all that a factory makes are alike: it is a class, or a lambda that calls nothing."""
    if isinstance(factory, LambdaExpr):
        return not any(isinstance(node, CallExpr) for node in nodes_below(factory.body))
    return isinstance(factory, RefExpr) and isinstance(factory.node, TypeInfo)
