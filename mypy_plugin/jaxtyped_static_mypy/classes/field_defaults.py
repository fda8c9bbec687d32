"""The defaults of fields in the class statement being checked."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, NameExpr, TypeInfo, Var
from mypy.types import CallableType, Overloaded, ProperType, get_proper_type

from ..compat.mypy_api import erase_typevars
from ..syntax.arguments import keyword_argument


class Default(NamedTuple):
    """The default of a field: a value, or a factory that makes one."""

    field: str
    statement: AssignmentStmt
    value: Expression
    is_factory: bool

    @property
    def is_field(self) -> bool:
        """Whether the statement declares a field: it has an annotation, which is no `ClassVar`."""
        variable = self.statement.lvalues[0]
        is_shared = isinstance(variable, NameExpr) and isinstance(variable.node, Var) and variable.node.is_classvar
        return self.statement.unanalyzed_type is not None and not is_shared


def defaults_of(info: TypeInfo) -> Iterator[Default]:
    """The defaults that a class statement gives its fields."""
    for statement in info.defn.defs.body:
        if isinstance(statement, AssignmentStmt) and isinstance(target := statement.lvalues[0], NameExpr):
            call = statement.rvalue if isinstance(statement.rvalue, CallExpr) else None
            factory = keyword_argument(call, "default_factory", "factory") if call is not None else None
            default = keyword_argument(call, "default") if call is not None else None
            yield Default(target.name, statement, factory or default or statement.rvalue, factory is not None)


def type_of_default(default: Default, written: ProperType | None) -> ProperType | None:
    """The type of the default value, from the type of the expression; for a factory, what calling it returns."""
    if not default.is_factory:
        return written
    called = written.items[0] if isinstance(written, Overloaded) else written
    return get_proper_type(erase_typevars(called.ret_type)) if isinstance(called, CallableType) else None
