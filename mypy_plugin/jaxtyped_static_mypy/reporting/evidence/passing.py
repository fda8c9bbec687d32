"""What the calls of a function pass to a parameter.

In code that runs, an annotation is wrong that would make each call raise.
"""

from collections.abc import Iterator

from mypy.nodes import ArgKind, CallExpr, Expression, FuncDef, IndexExpr, MemberExpr, NameExpr
from mypy.types import AnyType

from ...flow.declared_types import declared_type
from ...reach.uses import POSSIBLE, uses_of
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.arguments import argument, keyword_argument
from ...syntax.partials import is_partial
from ...syntax.trees import self_parameter
from ..positions import Position


def is_never_shown(position: Position, file: CheckedFile) -> bool:
    """Whether the file calls the function that gets an argument, and passes nothing but values of unknown types."""
    function = position.function
    if function is None or position.is_signed or not position.is_argument:
        return False
    return _gets_unknown(function, position.name, file, frozenset())


def _gets_unknown(function: FuncDef, name: str, file: CheckedFile, seen: frozenset[FuncDef]) -> bool:
    passed = list(_passed(function, name, file))
    return bool(passed) and all(_is_unknown(value, file, seen | {function}) for value in passed)


def _passed(function: FuncDef, name: str, file: CheckedFile) -> Iterator[Expression | None]:
    """What each call passes to a parameter, or its default; None where unpacked arguments may."""
    names = [arg.variable.name for arg in function.arguments]
    default = next((arg.initializer for arg in function.arguments if arg.variable.name == name), None)
    offset = 1 if self_parameter(function) is not None else 0
    for use in uses_of(file, function).named(POSSIBLE):
        if use.call is not None:
            given = argument(use.call, names.index(name) - offset, name)
            yield given if given is not None or _unpacks(use.call) else default
        elif is_partial(use.taken_by) and isinstance(use.taken_by, CallExpr):
            given = keyword_argument(use.taken_by, name)
            if given is not None:
                yield given


def _unpacks(call: CallExpr) -> bool:
    return any(kind in (ArgKind.ARG_STAR, ArgKind.ARG_STAR2) for kind in call.arg_kinds)


def _is_unknown(value: Expression | None, file: CheckedFile, seen: frozenset[FuncDef]) -> bool:
    """Whether it is a part of an object of unknown type, such as a configuration, or a parameter that gets one."""
    if value is None:
        return True
    made = made_by(value, file)
    if not isinstance(made, MemberExpr | IndexExpr | NameExpr):
        return False
    function = surroundings(value, file).function
    found = declared_type(value) or declared_type(made)
    if found is None or isinstance(found, AnyType):
        return True
    if not isinstance(function, FuncDef) or function in seen or not isinstance(made, NameExpr):
        return False
    is_handed_in = any(arg.variable is made.node for arg in function.arguments)
    return is_handed_in and _gets_unknown(function, made.name, file, seen)
