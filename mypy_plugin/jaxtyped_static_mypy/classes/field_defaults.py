"""The defaults of fields in the class statement being checked."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, NameExpr, TypeInfo
from mypy.types import CallableType, Overloaded, ProperType, get_proper_type

from ..compat.mypy_api import erase_typevars


class Default(NamedTuple):
    """The default of a field: a value, or a factory that makes one."""

    field: str
    statement: AssignmentStmt
    value: Expression
    is_factory: bool


def defaults_of(info: TypeInfo) -> Iterator[Default]:
    for statement in info.defn.defs.body:
        if isinstance(statement, AssignmentStmt) and isinstance(target := statement.lvalues[0], NameExpr):
            factory = _option(statement.rvalue, ("default_factory", "factory"))
            value = factory or _option(statement.rvalue, ("default",)) or statement.rvalue
            yield Default(target.name, statement, value, factory is not None)


def type_of_default(default: Default, written: ProperType | None) -> ProperType | None:
    """The type of the default value, from the type of the expression; for a factory, what calling it returns."""
    if not default.is_factory:
        return written
    called = written.items[0] if isinstance(written, Overloaded) else written
    return get_proper_type(erase_typevars(called.ret_type)) if isinstance(called, CallableType) else None


def _option(value: Expression, names: tuple[str, ...]) -> Expression | None:
    """A keyword argument of the call that is a field's default."""
    if not isinstance(value, CallExpr):
        return None
    return next((argument for name, argument in zip(value.arg_names, value.args, strict=True) if name in names), None)
