"""Parameters with a default: JAX traces what a caller passes, and jit leaves a default that is left out as it is."""

from collections.abc import Iterator, Mapping

from mypy.nodes import CallExpr, Expression, FloatExpr, FuncDef, FuncItem, IntExpr, MemberExpr, NameExpr, UnaryExpr

from ...syntax.literals import is_none
from ...syntax.trees import is_self
from ..arguments import named_arguments, unpacks
from ..checked_file import CheckedFile, once_per_file
from ..surroundings import is_error_expected, surroundings


@once_per_file
def given_defaults(file: CheckedFile, function: FuncItem) -> Mapping[str, bool]:
    """The parameters with a default for which a call in the file passes a value, and whether that is a number."""
    if not isinstance(function, FuncDef) or all(one.initializer is None for one in function.arguments):
        return {}
    with_default = {one.variable.name for one in function.arguments if one.initializer is not None}
    names = [one.variable.name for one in function.arguments if not one.kind.is_star()]
    if function.info and not function.is_static:
        names = names[1:]
    given: dict[str, bool] = {}
    for call in _calls(function, file):
        for name, value in named_arguments(call, names).items():
            if name in with_default and not is_none(value):
                given[name] = given.get(name, False) or _is_number(value)
    return given


def _calls(function: FuncDef, file: CheckedFile) -> Iterator[CallExpr]:
    """The calls of a decorated function by its name; of a method, those on `self`."""
    decorator = file.decorators.get(function)
    symbols = (function, decorator, decorator.var if decorator is not None else None)
    for use in file.uses_by_name.get(function.name, ()):
        node = use.expression
        if node.node in symbols or (isinstance(node, MemberExpr) and _is_own_method(node, function, file)):
            place = surroundings(node, file)
            call = place.parent
            if (
                place.is_called
                and isinstance(call, CallExpr)
                and not unpacks(call)
                and not is_error_expected(call, file)
            ):
                yield call


def _is_own_method(node: MemberExpr, function: FuncDef, file: CheckedFile) -> bool:
    return bool(function.info) and is_self(node.expr) and len(file.functions_named.get(function.name, ())) == 1


def _is_number(node: Expression) -> bool:
    if isinstance(node, UnaryExpr):
        return _is_number(node.expr)
    is_bool = isinstance(node, NameExpr) and node.fullname in ("builtins.True", "builtins.False")
    return is_bool or isinstance(node, (IntExpr, FloatExpr))
