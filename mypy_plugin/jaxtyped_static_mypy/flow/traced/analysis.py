"""Analyses an outermost function and those nested in it, once, when a rule first asks about it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    GlobalDecl,
    LambdaExpr,
    NameExpr,
    Node,
    NonlocalDecl,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface

from ...compat import mypy_api
from ...compat.dependencies import record_dependency
from ...config.settings import Settings
from ...facts.functions.keeping import record_helpers
from ...source.checked_file import CheckedFile, checked_file, once_per_file
from ...source.parameters import described, parameters
from ...syntax.trees import nodes_below
from .flow import walk_body
from .frame import ConcreteUse, Env, Frame, FunctionWalk, Nested, Use
from .uses import NO_USE, common_use, decorated_use, outermost_use
from .values import Source, Value, join, origin


class Analysis(NamedTuple):
    """What is known of the values in an outermost function and those nested in it."""

    arguments: Mapping[Expression, Value]  # of all calls
    staged: Mapping[CallExpr, bool]
    concrete_uses: Mapping[tuple[Expression, str], ConcreteUse]
    walked: Mapping[FuncItem, Use]  # each function, and how it is used
    consulted: frozenset[TypeInfo]


_NOTHING: Final = Analysis({}, {}, {}, {}, frozenset())


def traced_source(expression: Expression, api: CheckerPluginInterface, settings: Settings) -> Source | None:
    """The source of the tracer in an argument of the call being checked; None if the argument may be concrete."""
    if not any(isinstance(node, NameExpr) for node in nodes_below(expression)):
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
    nodes = list(nodes_below(function))
    walk = FunctionWalk(file, walk_body, _unstable_names(nodes))
    use = _outermost_use(function, walk)
    is_traced = use.staged or bool(use.values)
    if not is_traced and not any(isinstance(node, (FuncDef, LambdaExpr)) for node in nodes[1:]):
        return _NOTHING
    _walk_function(function, {}, use, walk)
    _walk_nested(nodes, walk)
    _walk_methods(walk)
    return Analysis(walk.arguments, walk.staged, walk.concrete_uses, walk.walked, frozenset(walk.consulted))


def _outermost_use(function: FuncItem, walk: FunctionWalk) -> Use:
    if isinstance(function, FuncDef) and function.is_decorated:
        return decorated_use(function, walk.file)
    return outermost_use(function, walk.file)


def _unstable_names(nodes: list[Node]) -> frozenset[str]:
    declared = (node for node in nodes if isinstance(node, (GlobalDecl, NonlocalDecl)))
    return frozenset(name for node in declared for name in node.names)


def _walk_function(function: FuncItem, captured: Env, use: Use, walk: FunctionWalk) -> None:
    walk.walked[function] = use
    frame = Frame(walk, described(function), use.staged, bound=dict(captured))
    env = dict(captured)
    for parameter in parameters(function):
        frame.bind(parameter.variable, use.values.get(parameter.name), env)
    walk_body(function, env, frame)


def _walk_nested(nodes: list[Node], walk: FunctionWalk) -> None:
    """Walks each nested function once all its uses are known; uses are found in nested functions, too."""
    names = (node.node for node in nodes if isinstance(node, NameExpr) and isinstance(node.node, FuncDef))
    counts = Counter[FuncItem](names)
    while waiting := [nested for function, nested in walk.nested.items() if function not in walk.walked]:
        ready = (nested for nested in waiting if _uses_are_known(nested.function, counts, walk))
        nested = next(ready, waiting[0])
        _walk_function(nested.function, _captured(nested), _nested_use(nested, counts, walk), walk)


def _walk_methods(walk: FunctionWalk) -> None:
    """Walks the methods called so far, but not the methods that these call."""
    for method, use in list(walk.methods.items()):
        if method not in walk.walked:
            nodes = list(nodes_below(method))
            _walk_function(method, {}, use, replace(walk, unstable=_unstable_names(nodes)))
            _walk_nested(nodes, walk)


def _uses_are_known(function: FuncItem, counts: Counter[FuncItem], walk: FunctionWalk) -> bool:
    expected = 1 if isinstance(function, LambdaExpr) else counts[function]
    return 0 < expected == len(walk.uses.get(function, {}))


def _captured(nested: Nested) -> Env:
    """A nested function sees a variable's value at the time of the call: join all it ever holds."""
    bound = nested.owner.bound
    return {variable: join(value, bound.get(variable)) for variable, value in nested.env.items()}


def _nested_use(nested: Nested, counts: Counter[FuncItem], walk: FunctionWalk) -> Use:
    if nested.decorator is not None:
        return decorated_use(nested.function, walk.file)
    if not _uses_are_known(nested.function, counts, walk):
        return NO_USE
    return common_use(nested.function, list(walk.uses[nested.function].values()))
