"""What a call returns at one place of a tree, made from the trees that it gets: training steps are built of these."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, MemberExpr, NameExpr, RefExpr, SymbolTableNode, Var

from ..knowledge.function_rows import Derives, Effect, Updates
from ..libraries import known_function
from ..source.bindings import Path, made_by
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, keyword_argument, positional, unpacks
from ..syntax.decorators import applied
from ..syntax.imports import full_name
from ..syntax.literals import literal
from .declared_types import class_in
from .weak_leaves import arguments_by_field, class_made, leaf_fields

_COPYING_METHODS: Final = frozenset({"replace", "_replace"})
_UPDATE: Final = "update"  # the method of an optimiser
_APPLY_GRADIENTS: Final = "apply_gradients"  # of a training state, which has the parameters in this field
_PARAMS: Final = ".params"
_MAX_DEPTH: Final = 4  # of optimisers in each other


Passed = Mapping[Var, Expression]


class How(Enum):
    """How the type at a place comes about from those at other places."""

    SAME = auto()
    SUM = auto()
    TYPED = auto()  # without a weak type
    PERHAPS_WEAK = auto()


class Origin(NamedTuple):
    """From which places of which values a call makes a place of its result."""

    how: How
    places: tuple[tuple[Expression, Path], ...]


def origin_in(call: CallExpr, path: Path, passed: Passed, file: CheckedFile) -> Origin | None:
    """None if nobody sees what the call returns there. `passed`: to the parameters of the function around the call."""
    if not path or unpacks(call):
        return _of_update(call, path, passed, file)
    if (updated := _of_update(call, path, passed, file)) is not None:
        return updated
    for find in (_of_constructor, _of_derivative):
        if (found := find(call, path, file)) is not None:
            return found
    if (copied := _of_copy(call, path, passed, file)) is not None:
        return copied
    return _of_optimiser(call, path, passed, file)


def is_training(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call computes a gradient, or applies what an optimiser has made of it."""
    row = known_function(full_name(call.callee, file.tree))
    return row.updates is not None or _is_of_state(call) or derivative_called(call, file) is not None


def _of_update(call: CallExpr, path: Path, passed: Passed, file: CheckedFile) -> Origin | None:
    """`optax.apply_updates(params, updates)`, `state.apply_gradients(grads=grads)`."""
    if _is_of_state(call) and path[:1] == (_PARAMS,) and isinstance(call.callee, MemberExpr):
        is_known = _applies_as_known(call.callee, passed, file)
        return Origin(How.TYPED, ((call.callee.expr, path),)) if is_known else None
    kind, given = known_function(full_name(call.callee, file.tree)).updates, positional(call)
    if kind is None or kind is Updates.OF_STATE or len(given) != 2 or unpacks(call):
        return None
    if kind is Updates.TYPED:
        return Origin(How.TYPED, ((given[0], path),))
    return Origin(How.SUM, tuple((tree, path) for tree in given))


def _is_of_state(call: CallExpr) -> bool:
    return isinstance(call.callee, MemberExpr) and call.callee.name == _APPLY_GRADIENTS and "grads" in call.arg_names


def _applies_as_known(method: MemberExpr, passed: Passed, file: CheckedFile) -> bool:
    """Whether the method is that of a class whose optimiser updates the parameters, and not one of the program."""
    symbol = _method(method, passed, file)
    return symbol is not None and known_function(symbol.fullname or "").updates is Updates.OF_STATE


def _method(method: MemberExpr, passed: Passed, file: CheckedFile) -> SymbolTableNode | None:
    """The method of the class that a variable is of, by its declared type or by what the loop passes."""
    variable = method.expr.node if isinstance(method.expr, NameExpr) else None
    info = class_in(variable.type) if isinstance(variable, Var) else None
    if info is None and isinstance(variable, Var) and variable in passed:
        made = made_by(passed[variable], file)
        info = class_made(made) if isinstance(made, CallExpr) else None
    return info.get(method.name) if info is not None else None


def _of_optimiser(call: CallExpr, path: Path, passed: Passed, file: CheckedFile) -> Origin | None:
    """`updates, state = optimiser.update(grads, state)`."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name != _UPDATE or path[0] != "[0]" or not positional(call):
        return None
    variable = callee.expr.node if isinstance(callee.expr, NameExpr) else None
    optimiser = passed.get(variable, callee.expr) if isinstance(variable, Var) else callee.expr
    strengthens = _strengthens(made_by(optimiser, file), file, _MAX_DEPTH)
    if strengthens is None:
        return None
    return Origin(How.TYPED if strengthens else How.PERHAPS_WEAK, ((call.args[0], path[1:]),))


def _strengthens(node: Expression, file: CheckedFile, depth: int) -> bool | None:
    """Whether an optimiser's updates never have a weak type; None of anything else."""
    if not isinstance(node, CallExpr) or not depth:
        return None
    row = known_function(full_name(node.callee, file.tree))
    if Effect.CHAINS in row.effects:
        return any(_strengthens(made_by(part, file), file, depth - 1) for part in positional(node))
    return Effect.STRENGTHENS in row.effects if row.new is not None else None


def _of_copy(call: CallExpr, path: Path, passed: Passed, file: CheckedFile) -> Origin | None:
    """`state.replace(x=...)`, `dataclasses.replace(state, x=...)`."""
    callee = call.callee
    is_copy = Effect.COPIES in known_function(full_name(callee, file.tree)).effects
    if is_copy and len(positional(call)) == 1:
        copied = call.args[0]
    elif isinstance(callee, MemberExpr) and callee.name in _COPYING_METHODS and not positional(call):
        if _is_replaced(_method(callee, passed, file)):
            return None
        copied = callee.expr
    else:
        return None
    value = keyword_argument(call, path[0].removeprefix("."))
    return Origin(How.SAME, ((value, path[1:]),) if value is not None else ((copied, path),))


def _is_replaced(method: SymbolTableNode | None) -> bool:
    """Whether a class of the program has its own method for copies."""
    if method is None or method.plugin_generated or not isinstance(method.node, (Decorator, FuncDef)):
        return False
    return Effect.COPIES not in known_function(method.fullname or "").effects


def _of_constructor(call: CallExpr, path: Path, file: CheckedFile) -> Origin | None:
    callee, info = call.callee, class_made(call)
    if info is None or not isinstance(callee, RefExpr) or callee.node is not info:
        return None
    given, name = arguments_by_field(call, info), path[0].removeprefix(".")
    if given is None or name not in given or name not in leaf_fields(info, file):
        return None
    return Origin(How.SAME, ((given[name], path[1:]),))


def _of_derivative(call: CallExpr, path: Path, file: CheckedFile) -> Origin | None:
    """`jax.grad(loss)(params)`: a gradient has a weak type where the parameter has one, most of the time."""
    made = derivative_called(call, file)
    if made is None:
        return None
    kind, options = made
    has_aux, number = _literal(options, "has_aux", False), _literal(options, "argnums", 0)
    if not isinstance(has_aux, bool) or not isinstance(number, int):
        return None
    item = "[1]" if kind is Derives.VALUE_AND_GRADIENT else "[0]" if has_aux else None
    if item is not None and path[0] != item:
        return None
    primal = argument(call, number, "")
    rest = path if item is None else path[1:]
    return Origin(How.PERHAPS_WEAK, ((primal, rest),)) if primal is not None else None


def _literal(call: CallExpr | None, name: str, default: object) -> object:
    given = keyword_argument(call, name) if call is not None else None
    return literal(given) if given is not None else default


def derivative_called(call: CallExpr, file: CheckedFile) -> tuple[Derives, CallExpr | None] | None:
    """The kind of the gradient that a call computes, and the call that makes the function for it, if one does."""
    found = ((known_function(full_name(node.callee, file.tree)).derives, node) for node in _makers(call, file))
    kinds = (Derives.GRADIENT, Derives.VALUE_AND_GRADIENT)
    return next(((kind, node) for kind, node in found if kind is not None and kind in kinds), None)


def _makers(call: CallExpr, file: CheckedFile) -> Iterator[CallExpr]:
    """The calls that make the function that is called: `jax.grad(f)`, or its decorators."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(node, Decorator):
        decorators = node.original_decorators if file.decorators.get(node.func) is node else []
        yield from (applied(decorator) for decorator in decorators[:1])
        return
    made = made_by(call.callee, file)
    if isinstance(made, CallExpr):
        yield made
