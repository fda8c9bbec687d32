"""Analyses an outermost function and those nested in it, once, when a rule first asks about it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    NameExpr,
    Node,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface

from ...compat import mypy_api
from ...compat.dependencies import record_dependency
from ...config.settings import Settings
from ...facts.functions.keeping import record_helpers
from ...reach.description import named_function, reach_of
from ...source.checked_file import CheckedFile, checked_file, once_per_file
from ...syntax.trees import has_kind, nodes_below
from .custom_rules import record_handed
from .frame import ConcreteUse, FunctionWalk, Nested, PassedValues
from .parameters import (
    NO_USE,
    common_use,
    decorated_use,
    kept_values,
    outermost_use,
    partial_use,
    separate_uses,
    uses_of_made,
)
from .rebuilding import record_rebuilt
from .results import unstable_names, walk_function
from .statements import walk_body
from .values import Source, Value, origin


class Analysis(NamedTuple):
    """What is known of the values in an outermost function and those nested in it."""

    arguments: Mapping[Expression, Value]  # of all calls
    staged: Mapping[CallExpr, bool]
    concrete_uses: Mapping[tuple[Expression, str], ConcreteUse]
    walked: Mapping[FuncItem, PassedValues]  # each function, and how it is used
    consulted: frozenset[TypeInfo]


_NAMES: Final = frozenset({NameExpr})
_FUNCTIONS: Final = frozenset({FuncDef, LambdaExpr})
_NOTHING: Final = Analysis({}, {}, {}, {}, frozenset())


def traced_source(expression: Expression, api: CheckerPluginInterface, settings: Settings) -> Source | None:
    """The source of the tracer in an argument of the call being checked; None if the argument may be concrete."""
    if not has_kind(nodes_below(expression), _NAMES):
        return None
    analysis = _analysis_around(api, settings)
    return origin(analysis.arguments.get(expression)) if analysis is not None else None


def is_staged(call: CallExpr, api: CheckerPluginInterface, settings: Settings) -> bool:
    """Whether the call being checked is always part of a compiled program."""
    analysis = _analysis_around(api, settings)
    return analysis is not None and analysis.staged.get(call, False)


def _analysis_around(api: CheckerPluginInterface, settings: Settings) -> Analysis | None:
    """The analysis of the outermost function being checked; None at module level, also in a lambda there.

    The daemon would lose errors in such a lambda.
    """
    function = mypy_api.outermost_function(api)
    if not isinstance(function, FuncDef):
        return None
    file = checked_file(api, settings)
    analysis = analysis_of(file, function)
    record_helpers(api, file.helpers)
    record_dependency(api, analysis.consulted)
    return analysis


@once_per_file
def analysis_of(file: CheckedFile, function: FuncItem) -> Analysis:
    """The analysis of an outermost function; empty if JAX traces neither it nor a function in it."""
    reach = reach_of(file, function)
    if reach.is_as_written or reach.takes_rules:
        return _analysed(function, outermost_use(function, file), file, separate_uses(function, file))
    return _analysed(function, decorated_use(function, file), file)


def analysis_if_given(file: CheckedFile, function: FuncItem, names: Sequence[str]) -> Analysis:
    """The analysis of a decorated function, as if a call gave numbers for these parameters, too."""
    return _analysed(function, decorated_use(function, file, names), file)


def _analysed(
    function: FuncItem, use: PassedValues, file: CheckedFile, separate: Sequence[PassedValues] = ()
) -> Analysis:
    """`separate`: uses that trace different parameters. What one of them may raise is found in none of the others."""
    nodes = nodes_below(function)
    walk = FunctionWalk(file, walk_body, unstable_names(file, function))
    is_traced = use.staged or bool(use.values) or bool(separate)
    if not is_traced and not has_kind(nodes[1:], _FUNCTIONS):
        return _NOTHING
    walk.walked[function] = use
    record_rebuilt(use, walk)
    walk_function(function, {}, use, walk)
    record_handed(function, walk)
    _walk_nested(nodes, walk)
    for one in separate:
        inside = replace(walk, arguments={}, concrete_uses={}, is_helper=True)
        walk_function(function, {}, one, inside)
        walk.keep_found(inside)
    _walk_methods(walk)
    return Analysis(walk.arguments, walk.staged, walk.concrete_uses, walk.walked, frozenset(walk.consulted))


def _walk_nested(nodes: Sequence[Node], walk: FunctionWalk) -> None:
    """Walks each nested function once all its uses are known; uses are found in nested functions, too."""
    names = (named_function(node, walk.file) for node in nodes if isinstance(node, NameExpr))
    counts = Counter(function for function in names if function is not None)
    while waiting := [nested for function, nested in walk.nested.items() if function not in walk.walked]:
        nested = _next_to_walk(waiting, counts, walk)
        use = walk.walked[nested.function] = _nested_use(nested, counts, walk)
        walk_function(nested.function, nested.captured(), use, walk, nested.owner)


def _next_to_walk(waiting: Sequence[Nested], counts: Counter[FuncItem], walk: FunctionWalk) -> Nested:
    """The next nested function to walk: one of which all uses are known, or that no other one left may still use.

    What a function returns, or stores, nobody is seen to call.
    """
    for nested in waiting:
        if not reach_of(walk.file, nested.function).is_as_written or _uses_are_known(nested.function, counts, walk):
            return nested
    named = {nested.function: _functions_named_in(walk.file, nested.function) for nested in waiting}
    used = {used for function, names in named.items() for used in names if used is not function}
    return next((nested for nested in waiting if nested.function not in used), waiting[0])


@once_per_file
def _functions_named_in(file: CheckedFile, function: FuncItem) -> frozenset[FuncItem]:
    names = (named_function(node, file) for node in nodes_below(function) if isinstance(node, NameExpr))
    return frozenset(named for named in names if named is not None)


def _walk_methods(walk: FunctionWalk) -> None:
    """Walks the methods and helpers that are called, once for each use, and those that these call.

    Also nested functions that compiled code calls by the name of a derivative: these have no values there.
    """
    begun = Counter[FuncDef]()
    outermost = set(walk.walked) - set(walk.nested)
    while waiting := [one for one, uses in walk.methods.items() if begun[one] < len(uses) and one not in outermost]:
        for method in waiting:
            use = walk.methods[method][begun[method]]
            begun[method] += 1
            unstable = unstable_names(walk.file, method)
            inside = replace(walk, unstable=unstable, arguments={}, concrete_uses={}, is_helper=True)
            if (nested := walk.nested.get(method)) is not None:
                inside = replace(inside, unstable=walk.unstable | unstable)
                walk_function(method, nested.captured(), use, inside, nested.owner)
            else:
                walk.walked[method] = use
                walk_function(method, {}, use, inside)
            walk.keep_found(inside)
            _walk_nested(nodes_below(method), walk)


def _uses_are_known(function: FuncItem, counts: Counter[FuncItem], walk: FunctionWalk) -> bool:
    expected = counts[function] or (1 if isinstance(function, LambdaExpr) else 0)
    return 0 < expected == len(walk.uses.get(function, {}))


def _nested_use(nested: Nested, counts: Counter[FuncItem], walk: FunctionWalk) -> PassedValues:
    if not reach_of(walk.file, nested.function).is_as_written:
        use = decorated_use(nested.function, walk.file)
        record_rebuilt(use, walk)
        return use
    uses = list(walk.uses.get(nested.function, {}).values())
    are_known = _uses_are_known(nested.function, counts, walk)
    known = common_use(nested.function, uses) if are_known else NO_USE
    by_jax = [use for use in uses if use.by_jax]
    by_jax += (PassedValues(values, staged=True, by_jax=True) for values in kept_values(nested.function, walk.file))
    by_jax += uses_of_made(nested.function, walk.file)
    if not by_jax or (are_known and len(by_jax) == len(uses)):
        return known
    return partial_use(common_use(nested.function, by_jax))
