"""Types that mypy leaves open, of what an array or a container holds.

JAX 0.10.2 declares `Array.__iter__` as `Any` (`basearray.pyi`), so mypy knows nothing of what a loop takes. Of a call
such as `tuple(xs)` it knows no more than the parameter that gets it.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Expression, ForStmt, GeneratorExpr, NameExpr, Var
from mypy.types import AnyType, Instance, ProperType, Type, get_proper_type

from ..compat import mypy_api
from ..knowledge.full_names import JAX
from ..knowledge.function_rows import Effect
from ..knowledge.jax_types import ARRAY_NAMES
from ..knowledge.type_rows import InTrace
from ..libraries import TRACE_TYPES, known_function
from ..source.bindings import Binding
from ..source.local_bindings import reaching_bindings
from ..syntax.imports import full_name
from ..syntax.names import callee_name
from .fresh.origins import Reader

_UNPACKING: Final = (ForStmt, GeneratorExpr, AssignmentStmt)
_COLLECTING: Final = frozenset(f"builtins.{name}" for name in ("tuple", "list", "set", "frozenset"))


def type_of_element(expression: Expression, typ: Type, reader: Reader) -> Type:
    """The type of an array where every binding of a name takes an element of one; otherwise the type given."""
    if not isinstance(get_proper_type(typ), AnyType) or not isinstance(expression, NameExpr):
        return typ
    if not isinstance(variable := expression.node, Var):
        return typ
    found = [_iterated(binding, reader) for binding in _bound(expression, variable, reader)]
    return found[0] if found and found[0] is not None and None not in found else typ


def type_of_call(expression: Expression, typ: Type, reader: Reader) -> Type:
    """The type of what a call makes, where the type given leaves it open, or what it holds."""
    proper = get_proper_type(typ)
    if isinstance(proper, AnyType):
        call = _call_of(expression, reader)
        return (_scalar_made_by(call, reader) if call is not None else None) or typ
    if not _is_open(proper) or (call := _call_of(expression, reader)) is None:
        return typ
    known = mypy_api.type_without_context(reader.file.api, call) if call is expression else proper
    if not isinstance(known, Instance) or not _is_open(known):
        return known
    item = _array_iterated(call, reader)
    return known.copy_modified(args=[item]) if item is not None else typ


def _is_open(typ: ProperType) -> bool:
    return isinstance(typ, Instance) and any(isinstance(get_proper_type(part), AnyType) for part in typ.args)


def _scalar_made_by(call: CallExpr, reader: Reader) -> Type | None:
    """The array that `jnp.float32(3)` returns, of which mypy knows nothing."""
    if Effect.MAKES_SCALAR not in known_function(full_name(call.callee, reader.file.tree)).effects:
        return None
    infos = (mypy_api.lookup_class(reader.file.api, name) for name in ARRAY_NAMES)
    return next((Instance(info, []) for info in infos if info is not None), None)


def _call_of(expression: Expression, reader: Reader) -> CallExpr | None:
    """The call that an expression is, or that its name is bound to."""
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        found = reaching_bindings(reader.file, expression, expression.node)
        bound = found[0].binding if len(found) == 1 else None
        expression = bound.value if bound is not None and bound.value is not None and not bound.path else expression
    return expression if isinstance(expression, CallExpr) else None


def _array_iterated(call: CallExpr, reader: Reader) -> ProperType | None:
    """The array whose elements `tuple(x)` takes, which are arrays."""
    if callee_name(call) not in _COLLECTING or len(call.args) != 1:
        return None
    typ = get_proper_type(reader.type_of(call.args[0]))
    return typ if isinstance(typ, Instance) and _is_array(typ.type.fullname) else None


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
