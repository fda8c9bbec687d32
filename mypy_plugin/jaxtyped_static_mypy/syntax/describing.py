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
    UninhabitedType,
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
    given = _without_defaults(typ)
    if all(isinstance(get_proper_type(argument), (AnyType, UninhabitedType)) for argument in given):  # `list`, `[]`
        return typ.type.name
    arguments = [describe(argument) for argument in given]
    if typ.type.fullname == "builtins.tuple":
        arguments.append("...")
    return f"{typ.type.name}[{', '.join(arguments)}]"


def _without_defaults(typ: Instance) -> list[Type]:
    """The type arguments that are not those of a bare name: `ndarray` has a shape and a dtype that nobody wrote."""
    given = list(typ.args)
    variables = typ.type.defn.type_vars[: len(given)]
    while given and len(variables) == len(given) and variables[-1].has_default():
        if get_proper_type(variables[-1].default) != get_proper_type(given[-1]):
            break
        given, variables = given[:-1], variables[:-1]
    return given
