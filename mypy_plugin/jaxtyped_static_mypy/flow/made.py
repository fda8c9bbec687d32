"""Finds where values are made: the displays and constructor calls that an expression leads to, and what they hold.

Their types are read from the syntax, as mypy may not have checked the place where a value is made.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IntExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, get_proper_type
from mypy.typevars import fill_typevars_with_any

from ..classes import class_model
from ..classes.constructors import parameter_names, parameters_of_fields
from ..compat.mypy_api import any_type
from ..facts.class_facts import facts_of
from ..libraries import KEY_TYPES, PYTREE_BASES
from ..source.bindings import only_value
from ..source.local_bindings import reaching_bindings
from ..syntax.arguments import named_arguments
from .fresh.origins import Reader

_MAX_VALUES: Final = 50
_OWN: Final = ("__hash__", "__post_init__", "__attrs_post_init__", "__new__")  # these may hash or store other values
_LITERALS: Final[dict[type[Expression], str]] = {IntExpr: "builtins.int", StrExpr: "builtins.str"}
_DISPLAYS: Final[dict[type[Expression], str]] = {
    ListExpr: "builtins.list",
    ListComprehension: "builtins.list",
    SetExpr: "builtins.set",
    SetComprehension: "builtins.set",
    DictExpr: "builtins.dict",
    DictionaryComprehension: "builtins.dict",
}


class MadeValue(NamedTuple):
    """A value, with the display or the constructor call that makes it."""

    expression: Expression
    path: tuple[str, ...]  # from the value that was asked for: fields and items
    declared: Type | None  # of the field that holds it; None for the value itself and for items


def values_made(expression: Expression, reader: Reader) -> Iterator[MadeValue]:
    """Yields the values that an expression leads to, and those given to their constructors that are part of the key."""
    pending, count = [MadeValue(expression, (), None)], 0
    while pending and count < _MAX_VALUES:
        value, count = pending.pop(0), count + 1
        if isinstance(value.expression, NameExpr):
            bound = _bound_to(value.expression, reader)
            pending += [value._replace(expression=node) for node in bound]
            if not bound:
                yield value
        elif isinstance(value.expression, ConditionalExpr):
            branches = value.expression.if_expr, value.expression.else_expr
            pending += [value._replace(expression=node) for node in branches]
        elif isinstance(value.expression, TupleExpr):
            items = enumerate(value.expression.items)
            pending += [MadeValue(item, (*value.path, f"[{index}]"), None) for index, item in items]
        else:
            yield value
            pending += _fields_given(value, reader)


def type_made(expression: Expression, api: CheckerPluginInterface) -> Type | None:
    """The type of a display or of a constructor call; None for any other expression."""
    if isinstance(expression, CallExpr):
        info = constructed(expression)
        return fill_typevars_with_any(info) if info is not None else None
    display = _DISPLAYS.get(type(expression))
    if display is None:
        return None
    if isinstance(expression, DictExpr):
        keys, values = [key for key, _ in expression.items], [value for _, value in expression.items]
        return api.named_generic_type(display, [_item_type(keys, api), _item_type(values, api)])
    if isinstance(expression, (ListExpr, SetExpr)):
        return api.named_generic_type(display, [_item_type(expression.items, api)])
    return api.named_generic_type(display, [any_type()] * (2 if display == "builtins.dict" else 1))


def type_of_nested(expression: Expression, typ: Type, api: CheckerPluginInterface) -> Type:
    """A type as mypy infers it; of a display of displays, `[[0]]`, with the type of these, which it leaves open."""
    proper = get_proper_type(typ)
    is_open = isinstance(proper, Instance) and any(isinstance(get_proper_type(arg), AnyType) for arg in proper.args)
    made = get_proper_type(type_made(expression, api)) if is_open and type(expression) in _DISPLAYS else None
    inner = [get_proper_type(argument) for argument in made.args] if isinstance(made, Instance) else []
    is_nested = any(isinstance(argument, Instance) and argument.args for argument in inner)
    return made if made is not None and is_nested else typ


def constructed(call: CallExpr) -> TypeInfo | None:
    """The class whose constructor is called."""
    return call.callee.node if isinstance(call.callee, RefExpr) and isinstance(call.callee.node, TypeInfo) else None


def _item_type(items: list[Expression | None] | list[Expression], api: CheckerPluginInterface) -> Type:
    known = [item for item in items if item is not None]
    kinds = {_LITERALS.get(type(item)) or _DISPLAYS.get(type(item), "") for item in known}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if not kind:
        return any_type()
    inner = type_made(known[0], api)
    return inner if inner is not None else api.named_generic_type(kind, [])


def _bound_to(name: NameExpr, reader: Reader) -> list[Expression]:
    """All values that a name may have; none if one of them is unknown, or part of an unpacked value."""
    var = name.node
    if not isinstance(var, Var):
        return []
    if "." in var.fullname:
        value = only_value(var, reader.file)
        return [value] if value is not None else []
    values = [found.binding.whole for found in reaching_bindings(reader.file, name, var)]
    return [value for value in values if value is not None] if None not in values else []


def _fields_given(value: MadeValue, reader: Reader) -> list[MadeValue]:
    """The arguments of a constructor call that become fields unchanged, and are part of the key."""
    call = value.expression
    info = constructed(call) if isinstance(call, CallExpr) else None
    if not isinstance(call, CallExpr) or info is None or not _keeps_arguments(info, reader):
        return []
    fields = parameters_of_fields(info)
    given = named_arguments(call, parameter_names(info))
    return [
        MadeValue(argument, (*value.path, f".{field.name}"), field.type)
        for name, argument in given.items()
        if (field := fields.get(name)) is not None and field.type is not None and _is_kept(field, reader)
    ]


def _keeps_arguments(info: TypeInfo, reader: Reader) -> bool:
    """Whether a generated constructor stores its arguments, and a generated `__hash__` hashes them."""
    if info.fullname in KEY_TYPES or class_model.declaration_of(info) is None:
        return info.is_named_tuple
    if class_model.is_declared_static(info, reader.file.settings.static_bases):
        return False  # checked where it is called
    init = info.get("__init__")
    own = (base for base in class_model.user_bases(info) if base.fullname not in PYTREE_BASES)
    if init is None or not init.plugin_generated:
        return False
    return not any(_defines(base, name) for base in own for name in _OWN)


def _defines(info: TypeInfo, name: str) -> bool:
    symbol = info.names.get(name)
    if symbol is None or symbol.node is None or symbol.plugin_generated:
        return False
    return not symbol.node.fullname.startswith(
        class_model.OBJECT
    )  # mypy 2.4.1 gives a frozen class of attrs `object`'s own `__hash__`


def _is_kept(field: class_model.Field, reader: Reader) -> bool:
    options = facts_of(field.owner).get("fields", {}).get(field.name, {})
    if not field.is_compared or field.is_hashed_by_id or "converter" in options or options.get("hash") is False:
        return False
    return not class_model.is_static(field, reader.file.settings.static_markers)
