"""Describes types as users write them: short names, no module paths."""

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    UnionType,
    get_proper_type,
)


def describe(typ: Type) -> str:
    """How an error names a type."""
    if isinstance(typ, TypeAliasType) and typ.alias is not None:
        arguments = ", ".join(describe(argument) for argument in typ.args)
        return f"{typ.alias.name}[{arguments}]" if arguments else typ.alias.name
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return _describe_instance(proper)
    if isinstance(proper, TupleType):
        return f"tuple[{', '.join(describe(item) for item in proper.items)}]"
    if isinstance(proper, UnionType):
        return " | ".join(describe(item) for item in proper.items)
    if isinstance(proper, TypedDictType):
        return proper.fallback.type.name
    if isinstance(proper, CallableType):
        return "a function"
    names = {NoneType: "None", AnyType: "Any"}
    return names.get(type(proper), str(proper))


def _describe_instance(typ: Instance) -> str:
    if not typ.args or all(isinstance(get_proper_type(argument), AnyType) for argument in typ.args):
        return typ.type.name
    arguments = [describe(argument) for argument in typ.args]
    if typ.type.fullname == "builtins.tuple":
        arguments.append("...")
    return f"{typ.type.name}[{', '.join(arguments)}]"
