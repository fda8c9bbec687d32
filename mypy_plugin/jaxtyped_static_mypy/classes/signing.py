"""Whether a class or field declares the static contract: with this package's names, or by its name in the settings."""

from mypy.nodes import TypeInfo

from ..config.settings import Settings
from ..facts.class_facts import facts_of
from ..markers.marker import is_signed
from .class_fields import Field
from .registering import verifies_values


def is_signed_class(info: TypeInfo, settings: Settings) -> bool:
    by_base = any(base.fullname in settings.static_bases for base in info.mro)
    return by_base or verifies_values(info) or any(facts_of(base).get("signs") for base in info.mro)


def is_signed_field(info: TypeInfo, field: Field, settings: Settings) -> bool:
    """`info`: the class whose objects have the field."""
    markers = settings.static_markers
    is_marked = is_signed(field.type, markers) or not markers.isdisjoint(field.annotated)
    return is_marked or is_signed_class(info, settings)
