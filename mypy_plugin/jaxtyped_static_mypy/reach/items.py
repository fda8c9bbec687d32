"""Ways to one of several values: what a loop gets of what holds them, and what calls hand out."""

from mypy.nodes import CallExpr, Expression, LambdaExpr, ListExpr, RefExpr, StarExpr, TupleExpr, Var

from ..knowledge.function_rows import Applies, Result
from ..libraries import known_function
from ..syntax.names import callee_name
from .parts import ANY_ITEM, Path, Step, below


def item_of(target: Expression, path: Path) -> tuple[Expression, Path] | None:
    """The part of a loop's target that gets the value, with the way from there; None if that is not known."""
    rest = below(path, ANY_ITEM) if path else None
    while rest is not None and isinstance(target, (TupleExpr, ListExpr)):
        key = rest[0].key if rest else None
        if not isinstance(key, int) or key >= len(target.items) or any(isinstance(x, StarExpr) for x in target.items):
            return None
        target, rest = target.items[key], rest[1:]
    return (target, rest) if rest is not None else None


def path_through(call: CallExpr, value: Expression, path: Path) -> Path | None:
    """The way from what a call returns: `list(functions)`, `enumerate(functions)`; None if it does something else."""
    if not path or path[0].owner is not None:
        return None
    match known_function(callee_name(call)).result:
        case Result.SAME_ITEMS:
            return path
        case Result.ITEMS_REORDERED:
            return (ANY_ITEM, *path[1:])
        case Result.ITEMS_NUMBERED:
            return numbered(1, path)
        case Result.ITEMS_ZIPPED:
            return numbered(call.args.index(value), path)
    return None


def numbered(index: int, path: Path) -> Path:
    """The way from pairs or longer tuples of which each item is a part."""
    return (ANY_ITEM, Step(index), *path[1:])


def compiler_mapped(call: CallExpr) -> str:
    """The full name of the function that a call gives each item: `jax.jit` in `map(jax.jit, functions)`, or empty."""
    if known_function(callee_name(call)).applies is not Applies.MAPS or len(call.args) != 2:
        return ""
    return call.args[0].fullname if isinstance(call.args[0], RefExpr) else ""


def applied_to_each(call: CallExpr, value: Expression) -> tuple[LambdaExpr, Var] | None:
    """The lambda that gets each item of an argument, with the parameter: `reduce(lambda x, f: f(x), functions, x)`."""
    function, position = call.args[0], call.args.index(value)
    if not isinstance(function, LambdaExpr):
        return None
    match known_function(callee_name(call)).applies:
        case Applies.MAPS:
            given = function.arguments[position - 1 : position]
        case Applies.REDUCES if position == 1:
            given = function.arguments[1:2]
        case _:
            given = []
    return (function, given[0].variable) if given else None
