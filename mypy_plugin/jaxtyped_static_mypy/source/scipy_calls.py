"""Calls of SciPy, by the names that a file imports: mypy mostly does not see its types."""

from mypy.nodes import CallExpr, Expression, MypyFile, NameExpr

from ..knowledge.full_names import SCIPY
from ..knowledge.function_rows import NO_ROW, Conversion, KnownFunction
from ..knowledge.scipy_functions import scipy_function
from ..syntax.imports import full_name, is_always_from
from ..syntax.names import base_of


def scipy_row(callee: Expression, tree: MypyFile) -> KnownFunction:
    """The row of a function of SciPy; an empty one of any other function, and where a name may also mean another."""
    root = base_of(callee)
    if not isinstance(root, NameExpr) or not is_always_from(SCIPY, root.name, tree):
        return NO_ROW
    return scipy_function(full_name(callee, tree))


def calls_back(call: CallExpr, tree: MypyFile) -> bool:
    """Whether a solver calls the functions that it gets, again and again, and keeps none: `minimize(f, x0, jac=g)`."""
    return scipy_row(call.callee, tree).converts is Conversion.HOST_CALLED
