"""Measures how deeply a type is nested, to tell types that grow from types that get smaller."""

from dataclasses import dataclass, field

from mypy.types import Instance, ProperType, TupleType, Type, TypeAliasType, UnionType, get_proper_type

from ..compat.mypy_api import expand_alias_once


@dataclass
class Nesting:
    """The depth of types with all aliases expanded. Remembers aliases, whose expansions can grow exponentially."""

    _of_aliases: dict[TypeAliasType, int] = field(default_factory=dict)

    def of(self, typ: Type) -> int:
        if not isinstance(typ, TypeAliasType):
            return 1 + max((self.of(part) for part in _parts(get_proper_type(typ))), default=0)
        if typ not in self._of_aliases:
            self._of_aliases[typ] = 0  # in case it contains itself
            self._of_aliases[typ] = self.of(expand_alias_once(typ))
        return self._of_aliases[typ]


def _parts(typ: ProperType) -> tuple[Type, ...]:
    if isinstance(typ, Instance):
        return typ.args
    return tuple(typ.items) if isinstance(typ, (TupleType, UnionType)) else ()
