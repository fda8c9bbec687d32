"""Functions that only make other ones: what is done with those is new with each call, and compiles again anyway.

Only names are compared, so that the answer is the same in a file that mypy has not analysed; what exactly a function
makes is said in `facts/functions/factories`.
"""

from collections.abc import Container

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, LambdaExpr, NameExpr, ReturnStmt, TupleExpr

from ..knowledge import naming
from ..syntax.names import last_name
from ..syntax.trees import last_statement, statements


def makes_functions(function: FuncDef) -> bool:
    """Whether all that a function returns are functions defined in it, or objects that hold one: `Problem(f=residual)`.

    As the optimisers and problems of libraries are made, of which a program has one or a few.
    """
    if not isinstance(last_statement(function.body), ReturnStmt) or function.is_generator or function.is_coroutine:
        return False
    body = statements(function.body.body, into_definitions=False)
    functions = (node.func if isinstance(node, Decorator) else node for node in body)
    nested = {node.name for node in functions if isinstance(node, FuncDef)}
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    return all(value is not None and _holds_function(value, nested) for value in returned)


def _holds_function(value: Expression, nested: Container[str]) -> bool:
    if isinstance(value, TupleExpr):
        return all(_is_function(item, nested) for item in value.items)
    if isinstance(value, CallExpr) and naming.is_class(last_name(value.callee)):
        return any(_is_function(given, nested) for given in value.args)
    return _is_function(value, nested)


def _is_function(value: Expression, nested: Container[str]) -> bool:
    return isinstance(value, LambdaExpr) or (isinstance(value, NameExpr) and value.name in nested)
