"""Finds the parameters of a constructor that set static fields."""

from mypy.nodes import TypeInfo

from ..config.settings import Settings
from ..facts.class_facts import facts_of
from ..libraries import COLLECTED
from . import class_model
from .class_model import Field


def static_parameters(info: TypeInfo, settings: Settings) -> dict[str, Field]:
    """The static fields that parameters of the constructor set, by the name of the parameter."""
    if class_model.is_declared_static(info, settings.static_bases):
        return parameters_of_fields(info)
    if not class_model.is_pytree(info):
        return {}
    fields = parameters_of_fields(info)
    return {name: field for name, field in fields.items() if class_model.is_static(field, settings.static_markers)}


def parameters_of_fields(info: TypeInfo) -> dict[str, Field]:
    """The fields that parameters of the constructor set, by the name of the parameter."""
    if info.is_named_tuple:
        return {field.name: field for field in class_model.fields(info)}
    return {name: field for field in class_model.fields(info) if (name := _parameter_of(field, info)) is not None}


def _parameter_of(field: Field, info: TypeInfo) -> str | None:
    """The parameter that sets a field: by name or alias in a generated `__init__`, by assignment in another."""
    init = info.get("__init__")
    if init is not None and not init.plugin_generated and init.node is not None:
        owner = init.node.info if hasattr(init.node, "info") else info
        name = facts_of(owner).get("parameters", {}).get(field.name)
        return name if isinstance(name, str) else None
    alias = facts_of(field.owner).get("fields", {}).get(field.name, {}).get("alias")
    if isinstance(alias, str):
        return alias
    strips = any(collected.strips_underscore for collected in COLLECTED if collected.key in info.metadata)
    return field.name.lstrip("_") if strips else field.name
