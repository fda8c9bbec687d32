"""What a function of the file returns for given arguments: its body is walked with their values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from mypy.nodes import FuncDef, FuncItem, GlobalDecl, LambdaExpr, NonlocalDecl

from ...source.checked_file import CheckedFile, once_per_file
from ...source.parameters import described, parameters
from ...syntax.trees import nodes_below
from .frame import Env, Frame
from .values import Value, join, joined

_MAX_DEPTH: Final = 3


def result_of_body(function: FuncItem, passed: Mapping[str, Value], frame: Frame) -> Value:
    """The value that every `return` gives; None also where the body cannot be seen, or was looked into too often.

    What the body does is not recorded: it is walked once more, as a function of its own.
    """
    walk = frame.walk
    if not has_plain_body(function, walk.file) or walk.depth == _MAX_DEPTH or walk.budget.bodies == 0:
        return None
    walk.budget.bodies -= 1
    captured = _captured(function, frame)
    if captured is None:
        return None
    inside = replace(
        walk,
        unstable=walk.unstable | _unstable_names(walk.file, function),
        arguments={},
        staged={},
        concrete_uses={},
        walked={},
        methods={},
        uses={},
        nested=dict(walk.nested),
        depth=walk.depth + 1,
    )
    body = Frame(inside, described(function), frame.staged, frame.concrete, bound=dict(captured))
    env = dict(captured)
    for parameter in parameters(function):
        body.bind(parameter.variable, passed.get(parameter.name), env)
    walk.walk_body(function, env, body)
    return joined(tuple(body.returned))


def _captured(function: FuncItem, frame: Frame) -> Env | None:
    """The variables around a nested function, as they are now; none around a function at module level."""
    nested = frame.walk.nested.get(function)
    if nested is None:
        return {} if isinstance(function, FuncDef) and function.name in frame.walk.file.tree.names else None
    bound = nested.owner.bound
    return {
        variable: known
        for variable, value in nested.env.items()
        if (known := join(value, bound.get(variable))) is not None
    }


def has_plain_body(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a call runs the body at once, and the file has it: one from mypy's cache has not even parameters."""
    if isinstance(function, LambdaExpr):
        return True
    is_here = function in file.functions_named.get(function.name, ())
    return is_here and not function.is_generator and not function.is_coroutine


@once_per_file
def _unstable_names(file: CheckedFile, function: FuncItem) -> frozenset[str]:
    declared = (node for node in nodes_below(function) if isinstance(node, (GlobalDecl, NonlocalDecl)))
    return frozenset(name for node in declared for name in node.names)
