"""What the calls of a function pass to a parameter.

In code that runs, an annotation is wrong that would make each call raise.
"""

from collections.abc import Iterator

from mypy.nodes import CallExpr, Expression, FuncDef, NameExpr, Var
from mypy.types import AnyType

from ...flow.declared_types import declared_type
from ...reach.uses import CERTAIN, uses_of
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.arguments import argument, keyword_argument, unpacks
from ...syntax.partials import is_partial
from ...syntax.trees import base_of, is_self, self_parameter
from ..positions import Position


def is_never_shown(position: Position, file: CheckedFile) -> bool:
    """Whether the file calls the function that gets an argument, and passes nothing but values of unknown types."""
    function = position.function
    if function is None or position.is_signed or not position.is_argument:
        return False
    return _gets_unknown(function, position.name, file, frozenset())


def _gets_unknown(function: FuncDef, name: str, file: CheckedFile, seen: frozenset[FuncDef]) -> bool:
    names = [arg.variable.name for arg in function.arguments]
    if name not in names:
        return False  # a decorator passes something else
    passed = list(_passed(function, names.index(name), name, file))
    return bool(passed) and all(_is_unknown(value, file, seen | {function}) for value in passed)


def _passed(function: FuncDef, index: int, name: str, file: CheckedFile) -> Iterator[Expression | None]:
    """What each call passes to a parameter, or its default; None where unpacked arguments may."""
    default = function.arguments[index].initializer
    offset = 1 if self_parameter(function) is not None else 0
    for use in uses_of(file, function).named(CERTAIN):
        if use.call is not None:
            may_be_unpacked = unpacks(use.call)
            given = argument(use.call, index - offset, name) or (default if not may_be_unpacked else None)
            if given is not None or may_be_unpacked:
                yield given
        elif is_partial(use.taken_by) and isinstance(use.taken_by, CallExpr):
            given = keyword_argument(use.taken_by, name)
            if given is not None:
                yield given


def _is_unknown(value: Expression | None, file: CheckedFile, seen: frozenset[FuncDef]) -> bool:
    """Whether it is a part of an object of unknown type, such as a configuration, or a parameter that gets one."""
    if value is None:
        return True
    made = made_by(value, file)
    holder, function = base_of(made), surroundings(value, file).function
    if not isinstance(holder, NameExpr) or not isinstance(holder.node, Var):
        return False
    parameters = [arg.variable for arg in function.arguments] if isinstance(function, FuncDef) else []
    is_parameter, declared = holder.node in parameters, declared_type(holder)
    if isinstance(declared, AnyType) or (is_parameter and declared is None and not is_self(holder)):
        return True
    if holder is not made or not is_parameter or not isinstance(function, FuncDef) or function in seen:
        return False
    return _gets_unknown(function, holder.name, file, seen)
