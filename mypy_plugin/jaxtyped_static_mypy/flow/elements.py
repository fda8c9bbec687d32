"""Names bound to elements of arrays, which are arrays too.

JAX 0.10.2 declares `Array.__iter__` as `Any` (`basearray.pyi`), so mypy knows nothing of what a loop takes.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import AssignmentStmt, Expression, ForStmt, GeneratorExpr, NameExpr, Var
from mypy.types import AnyType, Instance, ProperType, Type, get_proper_type

from ..knowledge.full_names import JAX
from ..knowledge.type_rows import InTrace
from ..libraries import TRACE_TYPES
from ..source.bindings import Binding
from ..source.local_bindings import reaching_bindings
from .fresh.origins import Reader

_UNPACKING: Final = (ForStmt, GeneratorExpr, AssignmentStmt)


def type_of_element(expression: Expression, typ: Type, reader: Reader) -> Type:
    """The type of an array where every binding of a name takes an element of one; otherwise the type given."""
    if not isinstance(get_proper_type(typ), AnyType) or not isinstance(expression, NameExpr):
        return typ
    if not isinstance(variable := expression.node, Var):
        return typ
    found = [_iterated(binding, reader) for binding in _bound(expression, variable, reader)]
    return found[0] if found and found[0] is not None and None not in found else typ


def _bound(name: NameExpr, variable: Var, reader: Reader) -> Iterator[Binding | None]:
    """The bindings that a name may have; None for one that takes no element of a value."""
    for local in reaching_bindings(reader.file, name, variable):
        yield local.binding if isinstance(local.statement, _UNPACKING) else None


def _iterated(binding: Binding | None, reader: Reader) -> ProperType | None:
    if binding is None or binding.value is None or len(binding.path) != 1 or not binding.path[0].startswith("["):
        return None
    typ = get_proper_type(reader.type_of(binding.value))
    return typ if isinstance(typ, Instance) and _is_array(typ.type.fullname) else None


def _is_array(fullname: str) -> bool:
    """Of JAX: an element of a NumPy array may be a number."""
    return fullname.startswith(JAX) and TRACE_TYPES.get(fullname) is InTrace.LEAF
