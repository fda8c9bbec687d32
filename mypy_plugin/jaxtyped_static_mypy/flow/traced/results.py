"""What a function of the file returns for given arguments: its body is walked with their values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from mypy.nodes import FuncDef, FuncItem, LambdaExpr, SymbolNode

from ...reach.description import reach_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.expected import is_expected_to_raise
from ...source.parameters import described, parameters
from ...syntax.trees import names_declared_outside, nodes_below, self_parameter
from .flags import kept_flags
from .frame import Env, Frame, FunctionWalk, PassedValues
from .joining import joined
from .objects import ClassOf
from .values import Tree, Value

_MAX_DEPTH: Final = 3


def result_of_body(
    function: FuncItem, passed: Mapping[str, Value], frame: Frame, flags: Mapping[str, bool] | None = None
) -> Value:
    """The value that every `return` gives; None also where the body cannot be seen, or was looked into too often.

    What the body does is not recorded: it is walked once more, as a function of its own.
    """
    walk = frame.walk
    if not has_plain_body(function, walk.file) or walk.depth == _MAX_DEPTH or walk.budget.bodies == 0:
        return None
    walk.budget.bodies -= 1
    nested = walk.nested.get(function)
    if nested is None and not (isinstance(function, FuncDef) and is_outermost(function, walk.file)):
        return None
    inside = replace(
        walk,
        unstable=walk.unstable | unstable_names(walk.file, function),
        arguments={},
        staged={},
        concrete_uses={},
        walked={},
        methods={},
        uses={},
        nested=dict(walk.nested),
        depth=walk.depth + 1,
    )
    use = PassedValues(passed, frame.staged, flags=flags or {})
    if nested is None:
        return joined(tuple(walk_function(function, {}, use, inside, concrete=frame.concrete)))
    returned = walk_function(function, nested.captured(), use, inside, nested.owner, concrete=frame.concrete)
    return joined(tuple(returned))


def result_of_method(
    method: SymbolNode | None,
    owner: Tree,
    passed: Mapping[str, Value],
    frame: Frame,
    flags: Mapping[str, bool] | None = None,
) -> Value:
    """The same of a method of a pytree object, unless a subclass of the file has another one."""
    file = frame.walk.file
    if not isinstance(method, FuncDef) or not has_plain_body(method, file) or is_replaced(method, file):
        return None
    own = self_parameter(method)
    return result_of_body(method, {**passed, own.name: owner}, frame, flags) if own is not None else None


def is_replaced(method: FuncDef, file: CheckedFile, cls: ClassOf | None = None) -> bool:
    """Whether an object may have another method of this name: a subclass of the file defines it, or it is assigned.

    `cls`: the class of the object, if it is known.
    """
    if method.name in file.replaced_methods:
        return True
    if cls is not None and cls.is_exact:
        return False
    return bool(file.overriding(method, cls.info if cls is not None else None))


def walk_function(
    function: FuncItem,
    captured: Env,
    use: PassedValues,
    walk: FunctionWalk,
    owner: Frame | None = None,
    *,
    concrete: bool = False,
) -> list[Value]:
    """Walks the body of a function from the values of its parameters. Returns what its `return` statements give.

    `owner`: the function around it, after its own walk.
    """
    guarded = is_expected_to_raise(walk.file, function) or (owner is not None and owner.guarded)
    flags = {**(owner.flags if owner is not None else {}), **use.captured, **kept_flags(function, use.flags)}
    is_as_written = reach_of(walk.file, function).is_as_written
    decorated = function if isinstance(function, FuncDef) and not is_as_written else None
    partly = function if use.is_partial else None
    frame = Frame(
        walk, described(function), use.staged, decorated, partly, concrete, guarded, bound=dict(captured), flags=flags
    )
    env = dict(captured)
    for parameter in parameters(function):
        frame.bind(parameter.variable, use.values.get(parameter.name), env)
    walk.walk_body(function, env, frame)
    return frame.returned


def is_outermost(function: FuncDef, file: CheckedFile) -> bool:
    """Whether this is a function of the module or a method, which sees no variables of another function."""
    return bool(function.info) or function.name in file.tree.names


def has_plain_body(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a call runs the body at once, and the file has it."""
    if isinstance(function, LambdaExpr):
        return True
    return file.defines(function) and not function.is_generator and not function.is_coroutine


@once_per_file
def unstable_names(file: CheckedFile, function: FuncItem) -> frozenset[str]:
    """The names that a function, or one nested in it, may assign through `nonlocal` or `global`."""
    return names_declared_outside(nodes_below(function))
