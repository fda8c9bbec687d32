"""What functions of other modules ask of the tracers that they are given, and make of them: no body is walked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, MemberExpr, RefExpr, TypeInfo
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type

from ...reach.applied import what_applies
from ...reach.needed import Needed, computed_by, needed_by
from ...reach.traced_calls import TracedCall, traced_calls
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.expected import is_error_expected
from ...syntax.arguments import argument
from ..declared_types import says_nothing
from .declared import declared_value
from .frame import ConcreteUse, Frame
from .helpers import method_of_object, plain_method
from .objects import is_only_declared
from .parameters import source_of
from .values import Traced, Value, computed

ELSEWHERE: Final = "elsewhere"
_UNANNOTATED: Final = AnyType(TypeOfAny.unannotated)


def record_needed(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records the arguments of a call whose values the function needs, if it is a function of another module."""
    file = frame.walk.file
    function, bound = _called_elsewhere(call, frame)
    value_of = dict(zip(call.args, values, strict=True))
    for needed in _needed(function, file).values():
        given = _argument(call, needed.position, needed.name, bound)
        if given is not None:
            frame.record_concrete(given, ConcreteUse(ELSEWHERE, value_of[given], needed.function, needed.kind))


def result_elsewhere(call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    """What a function of another module computes from a tracer. What has a value may lose it there."""
    function, bound = _called_elsewhere(call, frame)
    file, value_of = frame.walk.file, dict(zip(call.args, values, strict=True))
    computed_from = computed_by(function.fullname, file.modules, file.helpers) if function is not None else ()
    for position, name in computed_from:
        given = _argument(call, position, name, bound)
        value = value_of[given] if given is not None else None
        if isinstance(value, Traced) and not value.source.has_value:
            return Traced(replace(computed(value.source), may_be_tree=value.source.may_be_tree))
    return None


def _called_elsewhere(call: CallExpr, frame: Frame) -> tuple[FuncDef | None, int]:
    """The function or method of another module that a call runs, and how many parameters the object fills."""
    function = _function_elsewhere(call.callee, frame.walk.file)
    return (function, 0) if function is not None else _method_elsewhere(call.callee, frame)


def _argument(call: CallExpr, position: int | None, name: str, bound: int) -> Expression | None:
    return argument(call, len(call.args) if position is None else position - bound, name)


def _method_elsewhere(callee: Expression, frame: Frame) -> tuple[FuncDef | None, int]:
    """The method of a class of another module, and how many parameters the object fills.

    Not of an object of which only a declared type says the class: it may be of a subclass of any module.
    """
    method, is_bound = method_of_object(callee, frame.walk), True
    if method is not None and is_only_declared(callee, frame.walk.file):
        return None, 0
    if method is None:
        method, is_bound = _method_of_class(callee, frame), False
    is_elsewhere = method is not None and method.info.module_name != frame.walk.file.tree.fullname
    return (method, int(is_bound and not method.is_static)) if method is not None and is_elsewhere else (None, 0)


def _method_of_class(callee: Expression, frame: Frame) -> FuncDef | None:
    """The method of a class that is named: `Solver.step(solver, x)`."""
    owner = made_by(callee.expr, frame.walk.file) if isinstance(callee, MemberExpr) else None
    info = owner.node if isinstance(owner, RefExpr) else None
    if not isinstance(info, TypeInfo) or not isinstance(callee, MemberExpr):
        return None
    frame.walk.consulted.update(info.mro)
    symbol = info.get(callee.name)
    return plain_method(symbol.node if symbol is not None else None)


def needed_where_handed(call: CallExpr, file: CheckedFile) -> Iterator[tuple[Expression, ConcreteUse]]:
    """The functions of other modules that a call hands to JAX, with each parameter whose value one of them needs."""
    for handed in traced_calls(file, call):
        function, traced = _handed_elsewhere(handed, file)
        for needed in _needed(function, file).values():
            value = _value_given(function, traced, needed, file)
            if value is not None and not is_error_expected(call, file):
                yield handed.function, ConcreteUse(ELSEWHERE, value, needed.function, needed.kind)


def _handed_elsewhere(handed: TracedCall, file: CheckedFile) -> tuple[FuncDef | None, TracedCall]:
    """The function of another module that a call hands to JAX, or the method that runs in place of an object's."""
    applied = what_applies(handed, file)
    if applied is None:
        return _function_elsewhere(handed.function, file), handed
    function = applied.function
    is_elsewhere = isinstance(function, FuncDef) and not file.defines(function) and bool(function.info)
    return function if isinstance(function, FuncDef) and is_elsewhere else None, applied.traced


def _needed(function: FuncDef | None, file: CheckedFile) -> Mapping[str, Needed]:
    return needed_by(function.fullname, file.modules, file.helpers) if function is not None else {}


def _function_elsewhere(node: Expression, file: CheckedFile) -> FuncDef | None:
    """The undecorated function of another module that a name stands for."""
    function = node.node if isinstance(node, RefExpr) else None
    is_plain = isinstance(function, FuncDef) and not function.info and not function.is_decorated
    if not isinstance(function, FuncDef) or not is_plain:
        return None
    return function if function.fullname.rpartition(".")[0] != file.tree.fullname else None


def _value_given(function: FuncDef | None, traced: TracedCall, needed: Needed, file: CheckedFile) -> Value:
    """What a transformation passes for a parameter; None if it may leave it out."""
    if function is None or needed.name not in function.arg_names:
        return None
    index = function.arg_names.index(needed.name)
    is_passed = function.arg_kinds[index].is_required() and not traced.may_be_filled and not traced.gives_refs
    if not is_passed or not traced.traces(index, needed.name):
        return None
    declared = _declared(function, index)
    if says_nothing(declared, file.settings):
        declared = _UNANNOTATED
    return declared_value(declared, source_of(function, needed.name, declared, traced), file.settings)


def _declared(function: FuncDef, index: int) -> Type:
    signature = get_proper_type(function.type)
    return signature.arg_types[index] if isinstance(signature, CallableType) else _UNANNOTATED
