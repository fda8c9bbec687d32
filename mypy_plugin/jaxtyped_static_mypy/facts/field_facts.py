"""Reads how the fields of a class are declared: by the call that is the default, and in the annotation."""

from collections.abc import Iterator, Mapping, Set
from typing import Final, TypedDict

from mypy.nodes import AssignmentStmt, CallExpr
from mypy.plugin import SemanticAnalyzerPluginInterface
from mypy.types import RawExpressionType, Type, UnboundType

from ..compat.resolution import constant_value, names_class, re_exported_name, resolve_name, spelled_name
from ..syntax.literals import Arguments, is_none, keywords, literal
from ..syntax.names import dotted_name
from .class_body import ClassBody
from .helpers import Helpers, positional_arguments

_ANNOTATED: Final = ("Annotated", "typing.Annotated", "typing_extensions.Annotated")
_TRANSPARENT: Final = ("Final", "ClassVar", "ReadOnly", "Required", "NotRequired")


class FieldFacts(TypedDict, total=False):
    """Facts of the fields of a class, by name, and of its other assignments."""

    fields: dict[str, Arguments]  # arguments of the call that is the default
    specifiers: dict[str, str]  # the full name of that call's function
    annotated: dict[str, list[str]]  # what stands beside the type in `Annotated`
    config: Arguments  # of pydantic's `model_config`
    hash_is_none: bool


def by_field(facts: FieldFacts) -> tuple[Mapping[str, object], ...]:
    """The facts that are stored by the name of a field."""
    return facts.get("fields", {}), facts.get("specifiers", {}), facts.get("annotated", {})


def read_fields(body: ClassBody, inherited: Set[str], helpers: Helpers) -> FieldFacts:
    """Also records redeclared fields without options, which do not inherit those of the base class."""
    fields: dict[str, Arguments] = {}
    specifiers: dict[str, str] = {}
    annotated: dict[str, list[str]] = {}
    facts: FieldFacts = {"fields": fields, "specifiers": specifiers, "annotated": annotated}
    for name, statement in body.assignments:
        if name == "__hash__":
            facts["hash_is_none"] = is_none(statement.rvalue)
            continue
        if name == "model_config":
            config = literal(statement.rvalue)
            facts["config"] = {"frozen": None} if config is None else config
            continue
        specifier, options = _read_default(statement, helpers)
        written = statement.unanalyzed_type
        extras = _extras(written, statement, helpers.api) if written is not None else []
        if specifier:
            specifiers[name] = specifier
        if options or (name in inherited and not specifier and not extras):
            fields[name] = options
        if extras:
            annotated[name] = extras
    return facts


def _read_default(statement: AssignmentStmt, helpers: Helpers) -> tuple[str, Arguments]:
    """The full name and options of the call that is a field's default; empty for any other default."""
    call = statement.rvalue
    specifier = _specifier(call, helpers.api) if isinstance(call, CallExpr) else None
    if not isinstance(call, CallExpr) or specifier is None:
        return "", {}
    return helpers.field_call(specifier, keywords(call), positional_arguments(call, 0))


def _specifier(call: CallExpr, api: SemanticAnalyzerPluginInterface) -> str | None:
    """The full name of a function that declares a field; None for a class, whose call makes a default value."""
    name = dotted_name(call.callee)
    if name is None or names_class(api, name, call):
        return None
    return re_exported_name(api, name) or resolve_name(api, name, call) or ""


def _extras(written: Type, statement: AssignmentStmt, api: SemanticAnalyzerPluginInterface) -> list[str]:
    """What `Annotated` has beside the type: strings, and constants by name and value."""
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
    # The parser takes a string that could be a type for one (mypy 2.4.1): `Annotated[int, "static"]`, but not "a-b".
    elif isinstance(extra, UnboundType) and extra.original_str_expr is not None:
        yield extra.original_str_expr
    elif isinstance(extra, UnboundType):
        found = resolve_name(api, extra.name, statement), spelled_name(api, extra.name)
        yield from dict.fromkeys(name for name in found if name is not None)
        if (value := constant_value(api, extra.name, statement)) is not None:
            yield value
