"""Evaluates calls, and records how they use functions nested in the one being walked."""

from collections.abc import Sequence
from dataclasses import replace

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
)

from ...knowledge import naming
from ...knowledge.full_names import NUMPY
from ...knowledge.function_rows import NO_ROW, Applies, Effect, Result
from ...knowledge.jax_functions import JAX_JIT, jax_function, jax_name
from ...knowledge.members import ARRAY_METHODS, UNAMBIGUOUS_METHODS
from ...libraries import known_function
from ...reach.applied import what_applies
from ...reach.description import named_function
from ...reach.traced_calls import traced_calls
from ...source.checked_file import CheckedFile, once_per_file
from ...syntax.arguments import unpacks
from ...syntax.imports import full_name, is_always_from
from ...syntax.names import base_of, function_of
from ..declared_types import class_in, declared_type
from .applied import module_applied
from .called_back import record_called_back
from .conversions import converted, formatted
from .custom_rules import record_custom
from .declared import returned_value
from .derivatives import derivative_of, derived_value
from .displayed import with_structure
from .elsewhere import record_needed, result_elsewhere
from .flags import passed_flags
from .frame import Frame, PassedValues
from .given import given_when_compiled
from .helpers import (
    flags_for,
    helper_called,
    method_arguments,
    method_of_object,
    overrides_called,
    passed_to,
    use_of_helper,
)
from .host_arrays import handed_over
from .items import item, of_entries, operated
from .iterating import record_iterated, record_ordered, reduced
from .known_results import builtin_value, jax_value
from .leaves import listed_leaves, record_leaves
from .made_objects import made_object
from .masks import casts_to_mask, makes_mask
from .parameters import passed_values, traced_values
from .rebuilding import record_made, record_rebuilt
from .results import has_plain_body, result_of_body, result_of_method
from .shapes import record_call
from .transformed import record_transformed
from .undifferentiated import record_undifferentiated
from .values import (
    Each,
    Entries,
    Items,
    Source,
    Traced,
    Tree,
    Value,
    array_from,
    as_mask,
    computed,
    first_origin,
    or_none,
    present,
)


def call_value(call: CallExpr, base: Value, values: Sequence[Value], frame: Frame) -> Value:
    """`base`: the value of the object whose method is called."""
    _record_uses(call, base, values, frame)
    if _is_traced(frame, call, ()):
        record_transformed(call, values, frame)
        record_custom(call, values, frame)
    record_iterated(call, values, frame)
    record_leaves(call, values, frame, is_traced=_is_traced(frame, call, values))
    record_called_back(call, values, frame)
    record_ordered(call, base, values, frame)
    frame.walk.record_call(call, staged=frame.staged and not frame.concrete)
    conversion = converted(call, base, values, frame.walk.file)
    if conversion is not None and not _may_be_jax(call.callee, frame):
        frame.needs_concrete(call, *conversion)
    record_call(call, base, values, frame)
    record_undifferentiated(call, values, frame)
    for part in formatted(call):
        frame.needs_concrete(part, "format", values[call.args.index(part)])
    if (derivative := derivative_of(call, values, frame)) is not None:
        return derived_value(derivative, values, frame)
    if (result := handed_over(call, values, frame.walk.file)) is not None:
        return result
    callee = call.callee
    source = first_origin(values)
    record_made(call, values, frame)
    if (made := made_object(call, values, frame) or listed_leaves(call, values)) is not None:
        return made
    if isinstance(callee, MemberExpr) and base is not None:
        return method_value(base, callee.name, call, values, frame)
    if isinstance(callee, CallExpr):
        return array_from(source) if source is not None and _makes_function(callee) else None
    if not isinstance(callee, RefExpr):
        return None
    if callee.fullname.startswith("builtins."):
        return builtin_value(callee.fullname, call, values)
    if (name := jax_name(callee.fullname)) is not None:
        value = jax_value(name, callee, source, frame)
        return as_mask(value) if makes_mask(call, callee) else value
    if (computed_here := operated(callee, values)) is not None:
        return computed_here
    row = known_function(full_name(callee, frame.walk.file.tree))
    if row.applies is Applies.REDUCES:
        return reduced(call, values, frame)
    if Effect.COPIES in row.effects and values:
        return _copy(values[0], call)
    if row.result is Result.TRACED and isinstance(callee, (NameExpr, MemberExpr)):
        return _computed(callee, source, frame)
    function = _call_method(callee, frame) or callee.node or method_of_object(callee, frame.walk)
    is_told = source is not None and not source.has_value  # a function may stop a derivative
    declared = returned_value(function, source, frame.walk.file.settings) if source is not None and is_told else None
    return declared if declared is not None else _called_value(call, values, frame)


def _call_method(callee: RefExpr, frame: Frame) -> SymbolNode | None:
    """The method that runs when an object is called, by the declared type of what holds the object."""
    info = class_in(declared_type(callee))
    symbol = info.get("__call__") if info is not None else None
    if info is not None:
        frame.walk.consulted.update(info.mro)
    return symbol.node if symbol is not None else None


def _called_value(call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    """What a function or method of the file returns."""
    if (helper := helper_called(call, frame.walk)) is not None:
        return result_of_body(helper, passed_to(helper, call, values), frame, flags_for(helper, call, frame))
    function = function_of(call.callee)
    if function is None or not has_plain_body(function, frame.walk.file):
        return result_elsewhere(call, values, frame)
    return result_of_body(
        function, passed_values(function, call, values), frame, passed_flags(function, call, frame.flags)
    )


def _computed(callee: NameExpr | MemberExpr, source: Source | None, frame: Frame) -> Value:
    """The result of a library's function that computes with JAX."""
    known = computed(source) if source is not None else frame.result_of(callee.name) if frame.staged else None
    return array_from(known) if known is not None else None


def _copy(value: Value, call: CallExpr) -> Value:
    """A copy of a pytree with new values for some fields."""
    value = present(value)
    if not isinstance(value, Tree) or unpacks(call):
        return None
    return replace(value, replaced=value.replaced.union(name for name in call.arg_names if name is not None))


def _may_be_jax(callee: Expression, frame: Frame) -> bool:
    """Whether what mypy takes for a NumPy function may come from `jax.numpy`, under the same name."""
    root = base_of(callee.callee if isinstance(callee, CallExpr) else callee)
    is_numpy = isinstance(root, NameExpr) and root.fullname.partition(".")[0] == NUMPY
    return is_numpy and isinstance(root, NameExpr) and not _is_numpy(frame.walk.file, root.name)


@once_per_file
def _is_numpy(file: CheckedFile, name: str) -> bool:
    return is_always_from(NUMPY, name, file.tree)


def _record_uses(call: CallExpr, base: Value, values: Sequence[Value], frame: Frame) -> None:
    """Records uses of nested functions, and calls of helpers in a program, which trace them whoever else calls them."""
    walk = frame.walk
    for traced in traced_calls(walk.file, call):
        ran = what_applies(traced, walk.file)
        function, traced = ran if ran is not None else (named_function(traced.function, walk.file), traced)
        if function in walk.nested and function is not None:
            given = given_when_compiled(walk.file, function, None)
            passed = traced_values(function, traced, walk.file, given, staged=frame.staged)
            passed = with_structure(passed, function, traced, call, walk.file)
            use = PassedValues(passed, traced.stages or frame.staged, by_jax=True)
            record_rebuilt(use, walk)
            walk.record_use(function, traced.function, use)
    called = named_function(call.callee, walk.file)
    if called in walk.nested and called is not None:
        passed, flags = passed_values(called, call, values), passed_flags(called, call, frame.flags)
        walk.record_use(called, call.callee, PassedValues(passed, frame.staged, flags=flags))
    elif base is None and _is_traced(frame, call, values):
        _record_helpers(call, values, frame)


def _record_helpers(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """What a call runs that is no nested function: of this module, of another one, or of an object."""
    walk = frame.walk
    if (helper := helper_called(call, walk)) is not None:
        walk.record_helper(helper, use_of_helper(helper, call, values, frame))
    elif (applied := module_applied(call, values, walk.file)) is not None:
        walk.record_helper(applied.method, PassedValues(applied.values, frame.staged))
    else:
        record_needed(call, values, frame)
        for method in overrides_called(call, walk):
            walk.record_helper(method, use_of_helper(method, call, values, frame))


def _is_traced(frame: Frame, call: CallExpr, values: Sequence[Value]) -> bool:
    """Whether what a call runs is traced, and nothing is there to catch what it raises.

    `values`: what it is given. Tracers may be among them where nothing is compiled, as below `vmap`.
    """
    is_given = first_origin(values) is not None and frame.is_sure(call)
    return (frame.staged or is_given) and not frame.concrete and not frame.guarded


def _makes_function(call: CallExpr) -> bool:
    """Whether the call makes a transformed function, as in `jax.vmap(f)(x)`: its results are traced."""
    row = jax_function(call.callee.fullname) if isinstance(call.callee, RefExpr) else NO_ROW
    return row.result is not Result.CONCRETE and (row.calls is not None or row.compiles is JAX_JIT)


def method_value(base: Value, name: str, call: CallExpr, values: Sequence[Value], frame: Frame) -> Value:
    if isinstance(base, Traced) and base.source.may_be_tree and naming.applies_model(name):
        return Traced(replace(computed(base.source), may_be_tree=True))  # no function is a leaf of a tree
    if isinstance(base, Traced):
        known = UNAMBIGUOUS_METHODS if base.source.may_be_tree else ARRAY_METHODS
        return array_from(base.source, is_mask=casts_to_mask(call, name)) if name in known else None
    if isinstance(base, Tree):
        info = base.type.type
        frame.walk.consulted.update(info.mro)
        symbol = info.get(name)
        if naming.applies_model(name) and not isinstance(symbol.node if symbol is not None else None, FuncDef):
            return Traced(replace(computed(base.source), may_be_tree=True))
        if symbol is None:
            return None
        if Effect.COPIES in known_function(symbol.fullname or "").effects:
            return _copy(base, call)
        passed = method_arguments(symbol.node, call, values, frame.walk.file) if _is_traced(frame, call, values) else {}
        flags = _flags_for_method(symbol.node, call, frame)
        frame.walk.record_method(symbol.node, base, passed, staged=frame.staged, flags=flags)
        declared = returned_value(symbol.node, base.source, frame.walk.file.settings)
        given = method_arguments(symbol.node, call, values, frame.walk.file)
        return declared if declared is not None else result_of_method(symbol.node, base, given, frame, flags)
    if isinstance(base, Entries):
        return _dict_method(base, name, call)
    return None


def _flags_for_method(method: SymbolNode | None, call: CallExpr, frame: Frame) -> dict[str, bool]:
    is_seen = isinstance(method, FuncDef) and has_plain_body(method, frame.walk.file)
    return flags_for(method, call, frame) if isinstance(method, FuncDef) and is_seen else {}


def _dict_method(base: Entries, name: str, call: CallExpr) -> Value:
    held = of_entries(base)
    if name == "values":
        return Each(held)
    if name == "items":
        return Each(Items((None, held)))
    return or_none(item(base, None)) if name == "get" and len(call.args) == 1 else None
