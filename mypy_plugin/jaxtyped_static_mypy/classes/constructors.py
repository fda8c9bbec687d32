"""Finds the parameters of a constructor that set static fields."""

from collections.abc import Iterable, Sequence
from typing import Final

from mypy.nodes import FuncDef, TypeInfo
from mypy.types import CallableType, get_proper_type

from ..config.settings import Settings
from ..facts.class_facts import facts_of
from ..facts.constructor_facts import PassedOn
from ..libraries import COLLECTED, MAKERS
from . import class_model
from .class_model import Field

_ALL: Final[PassedOn] = {"positional": [], "named": {}, "others": True}


def static_parameters(info: TypeInfo, settings: Settings) -> dict[str, Field]:
    """The static fields that parameters of the constructor set, by the name of the parameter."""
    if class_model.is_declared_static(info, settings.static_bases):
        return parameters_of_fields(info)
    if not class_model.is_pytree(info):
        return {}
    fields = parameters_of_fields(info)
    return {name: field for name, field in fields.items() if class_model.is_static(field, settings.static_markers)}


def parameters_of_fields(info: TypeInfo) -> dict[str, Field]:
    """The fields that arguments of the constructor set, by the name of the parameter, or of the keyword argument."""
    if info.is_named_tuple:
        return {field.name: field for field in class_model.fields(info)}
    found = ((_parameter_of(field, info, info.mro), field) for field in class_model.fields(info))
    return {name: field for name, field in found if name is not None}


def parameter_names(info: TypeInfo) -> list[str | None]:
    """The parameters of the constructor in order, without `self`."""
    names = info.metadata.get("namedtuple", {}).get("fields")
    if info.is_named_tuple and names is not None:
        return list(names)
    init = info.get("__init__")
    signature = get_proper_type(init.node.type) if init is not None and isinstance(init.node, FuncDef) else None
    return signature.arg_names[1:] if isinstance(signature, CallableType) else []


def passed_on_by_maker(info: TypeInfo, name: str) -> PassedOn | None:
    """What a class method passes on to the constructor."""
    owner = next((base for base in info.mro if name in base.names), None)
    if owner is None:
        return None
    return _ALL if f"{owner.fullname}.{name}" in MAKERS else facts_of(owner).get("makers", {}).get(name)


def parameters_passed_on(passed_on: PassedOn, made: TypeInfo, names: Iterable[str]) -> dict[str, str]:
    """The parameters of a method that become these parameters of a constructor, by the latter's name."""
    by_position = zip(parameter_names(made), passed_on["positional"], strict=False)
    given = {name: own for name, own in by_position if name is not None} | passed_on["named"]
    others = {name: name for name in names if passed_on["others"]}
    return {name: own for name, own in (others | given).items() if own and name in names}


def _parameter_of(field: Field, info: TypeInfo, classes: Sequence[TypeInfo]) -> str | None:
    """The parameter that sets a field: by name or alias in a generated `__init__`, by assignment in another.

    `classes`: those in the MRO whose constructor may run.
    """
    owner = next((base for base in classes if "__init__" in base.names), None)
    if owner is None or owner.names["__init__"].plugin_generated:
        return _generated_parameter(field, info)
    facts = facts_of(owner)
    name = facts.get("parameters", {}).get(field.name)
    above = classes[classes.index(owner) + 1 :]
    if name is not None or "passed_up" not in facts or not above:
        return name
    parameter = _parameter_of(field, info, above)
    if parameter is None:
        return None
    return parameters_passed_on(facts["passed_up"], above[0], [parameter]).get(parameter)


def _generated_parameter(field: Field, info: TypeInfo) -> str:
    alias = facts_of(field.owner).get("fields", {}).get(field.name, {}).get("alias")
    if isinstance(alias, str):
        return alias
    strips = any(collected.strips_underscore for collected in COLLECTED if collected.key in info.metadata)
    return field.name.lstrip("_") if strips else field.name
