"""How the fields of a class are declared: the call that is a field's default, and what its annotation adds."""

from collections.abc import Iterator, Set
from typing import Any, Final

from mypy.nodes import AssignmentStmt, CallExpr, NameExpr
from mypy.plugin import SemanticAnalyzerPluginInterface
from mypy.types import RawExpressionType, Type, UnboundType

from ..compat_names import constant_value, names_class, re_exported_name, resolve_name, spelled_name
from ..syntax import dotted_name
from .class_body import ClassBody
from .literals import keywords, literal

_ANNOTATED: Final = ("Annotated", "typing.Annotated", "typing_extensions.Annotated")
_TRANSPARENT: Final = ("Final", "ClassVar", "ReadOnly", "Required", "NotRequired")

# Facts by the name of a field.
FIELD_FACTS: Final = ("fields", "specifiers", "annotated")

Facts = dict[str, Any]


def read_fields(
    body: ClassBody, inherited: Set[str], api: SemanticAnalyzerPluginInterface
) -> Iterator[tuple[str, Any]]:
    """Facts `fields`, `specifiers`, `annotated`, `hash_is_none` and `config` of the assignments in a class body.

    A field that is declared anew without any options loses those that it inherits.
    """
    facts: dict[str, Facts] = {key: {} for key in FIELD_FACTS}
    for name, statement in body.assignments:
        if name == "__hash__":
            yield "hash_is_none", isinstance(statement.rvalue, NameExpr) and statement.rvalue.name == "None"
        elif name == "model_config":
            config = literal(statement.rvalue)
            yield "config", {"frozen": None} if config is None else config
        else:
            read = {key: value for key, value in _read_field(statement, api) if value}
            for key, value in (read or ({"fields": {}} if name in inherited else {})).items():
                facts[key][name] = value
    yield from facts.items()


def _read_field(statement: AssignmentStmt, api: SemanticAnalyzerPluginInterface) -> Iterator[tuple[str, Any]]:
    call = statement.rvalue
    if isinstance(call, CallExpr) and (specifier := _specifier(call, api)) is not None:
        yield "specifiers", specifier
        yield "fields", keywords(call)
    if statement.unanalyzed_type is not None:
        yield "annotated", _extras(statement.unanalyzed_type, statement, api)


def _specifier(call: CallExpr, api: SemanticAnalyzerPluginInterface) -> str | None:
    """The full name of the function that makes a field; None for a class: its arguments speak of the default value."""
    name = dotted_name(call.callee)
    if name is None or names_class(api, name, call):
        return None
    return re_exported_name(api, name) or resolve_name(api, name, call) or ""


def _extras(written: Type, statement: AssignmentStmt, api: SemanticAnalyzerPluginInterface) -> list[str]:
    """What stands in `Annotated` beside the type: strings, and constants by their names and values."""
    if not isinstance(written, UnboundType) or not written.args:
        return []
    if written.name.rpartition(".")[2] in _TRANSPARENT:
        return _extras(written.args[0], statement, api)
    if written.name.rpartition(".")[2] != "Annotated" or resolve_name(api, written.name, statement) not in _ANNOTATED:
        return []
    return [name for extra in written.args[1:] for name in _names(extra, statement, api)]


def _names(extra: Type, statement: AssignmentStmt, api: SemanticAnalyzerPluginInterface) -> Iterator[str]:
    if isinstance(extra, RawExpressionType) and isinstance(extra.literal_value, str):
        yield extra.literal_value
    elif isinstance(extra, UnboundType) and extra.original_str_expr is not None:
        yield extra.original_str_expr
    elif isinstance(extra, UnboundType):
        found = resolve_name(api, extra.name, statement), spelled_name(api, extra.name)
        yield from dict.fromkeys(name for name in found if name is not None)
        if (value := constant_value(api, extra.name, statement)) is not None:
            yield value
