"""Which compiled method a call surely reaches: an object of another class may have another one of its name."""

from collections.abc import Sequence
from typing import NamedTuple

from mypy.nodes import (
    NOT_ABSTRACT,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import CallableType, get_proper_type

from ..compat.dependencies import record_dependency
from ..flow.written_values import attributes_assigned
from ..jit.signatures import function_name
from ..reach.receiving import class_made, classes_of, constructed_in_file
from ..reporting.finding import INHERITED, Asked, Question
from ..reporting.harm import Harm
from ..source.checked_file import CheckedFile
from ..source.self_values import values_of_self
from ..source.selves import classes_of_selves
from ..syntax.names import dotted_name
from ..syntax.stand_ins import stands_in


class CompiledMethod(NamedTuple):
    name: str  # as messages show it
    harm: Harm | None = None  # None if a call surely reaches it
    questions: Sequence[Question] = ()  # whether a class of another module has another one


class _Receiver(NamedTuple):
    """The class that an object has, or one above that."""

    info: TypeInfo
    is_exact: bool = False
    is_declared: bool = False  # an annotation says so, and nothing else


def compiled_method(callee: MemberExpr, signature: CallableType, file: CheckedFile) -> CompiledMethod | None:
    """The method that a call reaches, or the function that an attribute holds; None unless the source shows it."""
    receiver = _receiver(callee.expr, file)
    info = receiver.info if receiver is not None else None
    if receiver is None or info is None or info.is_protocol:
        return None
    if info.fallback_to_any and callee.name not in info.names:
        return None
    record_dependency(file.api, info.mro)
    symbol = info.get(callee.name)
    found = symbol.node if symbol is not None else None
    function = _function_of(found, callee.name, signature, file)
    if function is None or _is_incomplete(function, file):
        return None
    names = tuple(dict.fromkeys((callee.name, function.name)))
    if any(_has_another(cls, name, info) for cls in _classes(file) for name in names):
        return None
    name = function_name(signature) if isinstance(found, Decorator) else dotted_name(callee)
    questions = [] if receiver.is_exact else [Question(Asked.INHERITED, info.fullname, INHERITED, "", names)]
    return CompiledMethod(name, Harm.POTENTIAL if receiver.is_declared else None, questions) if name else None


def _receiver(holder: Expression, file: CheckedFile) -> _Receiver | None:
    node = holder.node if isinstance(holder, RefExpr) else None
    if isinstance(node, TypeInfo):
        return _Receiver(node, is_exact=True)
    if isinstance(node, Var) and node.is_self:
        own = classes_of_selves(file).get(node)
        return _Receiver(own) if own is not None else None
    made = class_made(holder) or constructed_in_file(holder, file)
    if made is not None:
        return _Receiver(made, is_exact=True)
    classes = classes_of(holder, file)
    return _Receiver(classes[0], is_declared=True) if len(classes) == 1 else None


def _function_of(found: SymbolNode | None, name: str, signature: CallableType, file: CheckedFile) -> FuncDef | None:
    """The function of a method, or that which an attribute holds, unless an object may have something else."""
    if not isinstance(found, Decorator):
        return _function_held(name, found, signature, file)
    is_method = isinstance(get_proper_type(found.type), CallableType) and not found.func.is_property
    return found.func if is_method and not _is_replaced(found.func, file) else None


def _function_held(name: str, held: SymbolNode | None, signature: CallableType, file: CheckedFile) -> FuncDef | None:
    """The function in `self.f = jax.jit(self._f)`, where nothing else in the file sets the attribute."""
    definition = signature.definition
    function = definition.func if isinstance(definition, Decorator) else definition
    if not isinstance(held, Var) or held.is_initialized_in_class or not isinstance(function, FuncDef):
        return None
    values = values_of_self(file, name)
    is_alone = len(values) == 1 and attributes_assigned(file)[name] == 1
    return function if is_alone and isinstance(values[0], CallExpr) and _is_of(held, file) else None


def _is_of(held: Var, file: CheckedFile) -> bool:
    return bool(held.info) and held.info.module_name == file.tree.fullname


def _is_incomplete(function: FuncDef, file: CheckedFile) -> bool:
    """Whether subclasses have to define a method; of another module, mypy may have no body."""
    is_empty = stands_in(function) if file.defines(function) else function.is_trivial_body
    return is_empty or function.abstract_status != NOT_ABSTRACT


def _is_replaced(function: FuncDef, file: CheckedFile) -> bool:
    """Whether an object may have something else by the name of a method; mypy takes the first of two in a class."""
    others = (one for one in file.functions_named.get(function.name, ()) if one is not function)
    return function.name in attributes_assigned(file) or any(one.info is function.info for one in others)


def _classes(file: CheckedFile) -> list[TypeInfo]:
    return [node.info for node in file.by_kind.of(ClassDef) if node.info]


def _has_another(cls: TypeInfo, name: str, info: TypeInfo) -> bool:
    """Whether objects of a class below have something else by a name."""
    if cls is info or info not in cls.mro:
        return False
    own, above = cls.get(name), info.get(name)
    return (own.node if own is not None else None) is not (above.node if above is not None else None)
