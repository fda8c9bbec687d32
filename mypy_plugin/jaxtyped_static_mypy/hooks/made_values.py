"""Checks what a static argument is made of: `Mlp([4, 1])` holds a list, although its field is declared `Sequence[int]`.

JAX hashes a static argument, and with it all its parts.
"""

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from ..config.settings import Settings
from ..flow.fresh import is_plain, reader_at
from ..flow.made import type_made, values_made
from ..reporting.contract import ValuePart, check_part
from ..reporting.positions import Position
from ..rules.checks import CONTRACT_RULES


def check_made(
    position: Position, expression: Expression, typ: Type, settings: Settings, api: CheckerPluginInterface
) -> None:
    """Reports the first part that breaks the contract although its declared type does not show it."""
    if not position.is_hashed or is_plain(typ):
        return
    for value in values_made(expression, reader_at(api, settings)):
        made = type_made(value.expression, api) if value.expression is not expression else None
        if made is None:
            continue
        part = ValuePart(value.path, made, value.declared, value.expression.line)
        if check_part(position, typ, part, CONTRACT_RULES, settings, api):
            return
