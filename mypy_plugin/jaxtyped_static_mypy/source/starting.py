"""Code that starts a program with a function: it runs once."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, ComparisonExpr, Expression, ExpressionStmt, IfStmt, MypyFile, NameExpr, Node

from ..knowledge import naming
from ..syntax.imports import full_name


def is_start(function: Expression, outer: Sequence[Node], tree: MypyFile) -> bool:
    """Whether the program starts with a function: `app.run(train)`, or what stands below `if __name__ == "__main__"`.

    `outer`: the nodes around its name, innermost first.
    """
    call, statement = outer[:2] if len(outer) > 1 else (None, None)
    if not isinstance(call, CallExpr) or function not in call.args:
        return False
    if full_name(call.callee, tree) in naming.STARTERS:
        return True
    conditions = (condition for node in outer if isinstance(node, IfStmt) for condition in node.expr)
    return isinstance(statement, ExpressionStmt) and any(map(_asks_for_main, conditions))


def _asks_for_main(condition: Expression) -> bool:
    operands = condition.operands if isinstance(condition, ComparisonExpr) else ()
    return any(isinstance(part, NameExpr) and part.name == "__name__" for part in operands)
