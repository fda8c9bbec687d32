"""Whether the objects that a private function makes stay in their file, where JAX gets none of them."""

from typing import Final

from mypy.nodes import CallExpr, FuncDef, FuncItem, TypeInfo
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type

from ..classes.held_classes import held_classes
from ..knowledge import naming
from ..reach.uses import POSSIBLE, uses_of
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.type_parts import all_parts
from .crossing import reaches_jax

_OPEN: Final = frozenset({TypeOfAny.unannotated, TypeOfAny.explicit})


def stay_in_file(made: CallExpr, info: TypeInfo, file: CheckedFile) -> bool:
    """Whether a private function makes an object of a class of the file, and nothing leads from there to JAX.

    Those that call it, and are not private themselves, are declared to return other objects.
    """
    first = surroundings(made, file).function
    if info.module_name != file.tree.fullname or first is None or not naming.is_private(first.name):
        return False
    makers: list[FuncItem | None] = [first]
    for maker in makers:
        if not isinstance(maker, FuncDef) or maker.info:
            return False
        if not naming.is_private(maker.name):
            if not _returns_others(maker, info):
                return False
            continue
        uses = uses_of(file, maker).named(POSSIBLE)
        callers = [surroundings(use.expression, file).function for use in uses]
        if not uses or any(use.call is None for use in uses):
            return False
        makers += [caller for caller in callers if caller not in makers]
    return not reaches_jax(info, file)


def _returns_others(function: FuncDef, info: TypeInfo) -> bool:
    signature = get_proper_type(function.type)
    if not isinstance(signature, CallableType) or any(map(_is_open, all_parts(signature.ret_type))):
        return False
    return info not in held_classes(signature.ret_type)


def _is_open(typ: Type) -> bool:
    return isinstance(typ, AnyType) and typ.type_of_any in _OPEN
