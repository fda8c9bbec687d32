"""Analyses an outermost function with all that is nested in it, when the first of its static positions is looked at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_POS,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    GlobalDecl,
    LambdaExpr,
    MypyFile,
    NameExpr,
    NonlocalDecl,
    RefExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface

from .. import compat
from ..config import Settings
from ..names import PARTIAL
from ..syntax import nodes_below
from .callbacks import TracedCall, traced_calls
from .calls import function_of
from .flow import walk_block
from .index import index_of, mentions
from .parameters import described, parameters, traced_values
from .scope import Env, Nested, Scope, Use, Walk
from .values import Source, Value, join, joined, origin

# Decorators that hand the function on as it is.
_TRANSPARENT: Final = frozenset(
    {
        "builtins.staticmethod",
        "builtins.classmethod",
        "builtins.property",
        "typing.override",
        "typing_extensions.override",
    }
)
_NOTHING: Final = Use({}, staged=False)


class Analysis(NamedTuple):
    """What the arguments of all calls in a function are."""

    arguments: Mapping[Expression, Value]
    staged: Mapping[CallExpr, bool]
    consulted: frozenset[TypeInfo]


def traced_source(expression: Expression, api: CheckerPluginInterface, settings: Settings) -> Source | None:
    """Where the tracer comes from that an argument of a call being checked is, or holds; None if it may be concrete."""
    analysis = _analysis_around(expression, api, settings)
    return origin(analysis.arguments.get(expression)) if analysis is not None else None


def is_staged(call: CallExpr, api: CheckerPluginInterface, settings: Settings) -> bool:
    """Whether a call being checked becomes part of a compiled program, whenever it runs."""
    analysis = _analysis_around(call, api, settings)
    return analysis is not None and analysis.staged.get(call, False)


def _analysis_around(expression: Expression, api: CheckerPluginInterface, settings: Settings) -> Analysis | None:
    """Of the outermost function that is being checked, or the lambda at module level that an argument stands in."""
    file, run = compat.checked_tree(api), compat.checker_run(api)
    function = compat.outermost_function(api) or index_of(file, run).at_module_level.get(expression)
    if not isinstance(function, (FuncDef, LambdaExpr)):
        return None
    analysis = _analyze(function, file, run, settings)
    compat.record_dependency(api, analysis.consulted)
    return analysis


@lru_cache(maxsize=2)
def _analyze(function: FuncDef | LambdaExpr, file: MypyFile, run: object, settings: Settings) -> Analysis:
    """`run` tells one check of the file from the next."""
    index = index_of(file, run)
    walk = Walk(file, index, settings, _unstable_names(function))
    outermost = Scope(walk, _label(function), staged=False)
    decorator = index.decorators.get(function) if isinstance(function, FuncDef) else None
    use = _decorated_use(function, decorator, walk) if decorator is not None else _outer_use(function, walk)
    _walk_function(function, {}, use or _NOTHING, outermost)
    _walk_nested(function, walk)
    return Analysis(walk.arguments, walk.staged, frozenset(walk.consulted))


def _unstable_names(function: FuncItem) -> frozenset[str]:
    declared = (node for node in nodes_below(function) if isinstance(node, (GlobalDecl, NonlocalDecl)))
    return frozenset(name for node in declared for name in node.names)


def _label(function: FuncItem) -> str:
    return described(function).strip('"')


def _walk_function(function: FuncItem, captured: Env, use: Use, scope: Scope) -> None:
    env = dict(captured)
    for variable, value in captured.items():
        scope.bound[variable] = value
    scope.staged = use.staged
    for parameter in parameters(function):
        scope.bind(parameter.variable, use.values.get(parameter.name), env)
    walk_block(function.body.body, env, scope)


def _walk_nested(function: FuncItem, walk: Walk) -> None:
    """Each when all of its uses are known, if that ever comes: uses are found in functions that are nested, too."""
    names = (mention.expression for mention in mentions(function))
    counts = Counter(name.node for name in names if isinstance(name, NameExpr) and isinstance(name.node, FuncDef))
    walked: set[FuncItem] = set()
    while waiting := [nested for found, nested in walk.nested.items() if found not in walked]:
        ready = (nested for nested in waiting if _uses_are_known(nested.function, counts, walk))
        nested = next(ready, waiting[0])
        walked.add(nested.function)
        scope = Scope(walk, _label(nested.function), staged=False)
        _walk_function(nested.function, _captured(nested), _nested_use(nested, counts, walk), scope)


def _uses_are_known(function: FuncItem, counts: Counter[FuncDef], walk: Walk) -> bool:
    expected = 1 if isinstance(function, LambdaExpr) else counts[function] if isinstance(function, FuncDef) else 0
    return 0 < expected == len(walk.uses.get(function, {}))


def _captured(nested: Nested) -> Env:
    """A nested function sees a variable as it is when the function is called: whatever it ever holds."""
    bound = nested.owner.bound
    return {variable: join(value, bound.get(variable)) for variable, value in nested.env.items()}


def _nested_use(nested: Nested, counts: Counter[FuncDef], walk: Walk) -> Use:
    if nested.decorator is not None:
        return _decorated_use(nested.function, nested.decorator, walk) or _NOTHING
    if not _uses_are_known(nested.function, counts, walk):
        return _NOTHING
    return _common(nested.function, list(walk.uses[nested.function].values()))


def _common(function: FuncItem, uses: Sequence[Use]) -> Use:
    """What holds in each of several uses."""
    names = [parameter.name for parameter in parameters(function)]
    values = {name: joined(tuple(use.values.get(name) for use in uses)) for name in names}
    return Use(values, all(use.staged for use in uses))


def _outer_use(function: FuncDef | LambdaExpr, walk: Walk) -> Use | None:
    """A lambda at module level, or a private function of which every mention in the file hands it to jax."""
    index = walk.index
    if isinstance(function, LambdaExpr):
        call = index.lambdas.get(function)
        found = [_traced_use(function, call, walk)] if call is not None else []
    elif function.name.startswith("_") and not function.info:
        found = [
            _traced_use(function, mention.call, walk) if mention.call is not None else None
            for mention in index.mentions.get(function.name, ())
        ]
    else:
        return None
    uses = [use for use in found if use is not None]
    return _common(function, uses) if uses and len(uses) == len(found) else None


def _traced_use(function: FuncDef | LambdaExpr, call: CallExpr, walk: Walk) -> Use | None:
    for traced in traced_calls(call, walk.file, walk.settings):
        if function_of(traced.function) is function:
            return Use(traced_values(function, traced, walk.settings), traced.stages)
    return None


def _decorated_use(function: FuncItem, decorator: Decorator, walk: Walk) -> Use | None:
    """What the transformations above a function trace, read from the innermost outwards, up to an unknown one."""
    values: dict[str, Value] = {}
    staged = False
    for node in reversed(decorator.original_decorators):
        if isinstance(node, RefExpr) and node.fullname in _TRANSPARENT:
            continue
        traced = _applied(node, walk)
        if traced is None:
            break
        values.update(traced_values(function, traced, walk.settings))
        staged = staged or traced.stages
    return Use(values, staged)


def _applied(decorator: Expression, walk: Walk) -> TracedCall | None:
    """The call that applying a decorator amounts to: `@partial(f, a=1)` and `@f(a=1)` are `f(function, a=1)`."""
    function = NameExpr("")
    if isinstance(decorator, CallExpr) and isinstance(decorator.callee, RefExpr):
        is_partial = decorator.callee.fullname == PARTIAL and bool(decorator.args)
        callee = decorator.args[0] if is_partial else decorator.callee
        first = 1 if is_partial else 0
        call = CallExpr(
            callee,
            [function, *decorator.args[first:]],
            [ARG_POS, *decorator.arg_kinds[first:]],
            [None, *decorator.arg_names[first:]],
        )
    elif isinstance(decorator, RefExpr):
        named = _bound_decorator(decorator, walk)
        if named is not None:
            return _applied(named, walk)
        call = CallExpr(decorator, [function], [ARG_POS], [None])
    else:
        return None
    return next(iter(traced_calls(call, walk.file, walk.settings)), None)


def _bound_decorator(decorator: RefExpr, walk: Walk) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator.node, Var):
        return None
    bindings = walk.index.bindings.get(decorator.node, [])
    return bindings[0] if len(bindings) == 1 and isinstance(bindings[0], CallExpr) else None
