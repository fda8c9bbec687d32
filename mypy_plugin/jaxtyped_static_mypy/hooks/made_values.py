"""Checks what a static argument is made of: `Mlp([4, 1])` holds a list, although its field is declared `Sequence[int]`.

JAX hashes a static argument, and with it all its parts.
"""

from mypy.errorcodes import ARG_TYPE
from mypy.nodes import Expression
from mypy.types import AnyType, Type, UnionType

from ..compat import mypy_api
from ..flow.fresh import is_plain, reader_at
from ..flow.made import MadeValue, type_made, values_made
from ..reporting.contract import ValuePart, check_part
from ..reporting.positions import Position
from ..rules.checks import CONTRACT_RULES
from ..source.checked_file import CheckedFile


def check_made(position: Position, expression: Expression, typ: Type, file: CheckedFile) -> None:
    """Reports the first part that breaks the contract although its declared type does not show it."""
    if not position.is_hashed or is_plain(typ):
        return
    for value in values_made(expression, reader_at(file)):
        if value.expression is expression:
            continue
        made = type_made(value.expression, file.api) or _rejected(value, file)
        if made is None:
            continue
        part = ValuePart(value.path, made, value.declared, value.expression.line)
        if check_part(position, typ, part, CONTRACT_RULES, file):
            return


def _rejected(value: MadeValue, file: CheckedFile) -> Type | None:
    """The type of a value that mypy rejects for the field that holds it, with an error that users do not see."""
    if value.declared is None or file.settings.shows(ARG_TYPE.code, file.options):
        return None
    typ = mypy_api.type_of_expression(file.api, value.expression)
    is_single = typ is not None and not isinstance(typ, (AnyType, UnionType))
    return typ if typ is not None and is_single and not mypy_api.is_subtype(typ, value.declared) else None
