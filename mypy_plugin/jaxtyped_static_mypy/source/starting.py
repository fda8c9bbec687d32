"""Code that starts a program: with a function, which runs once, or by itself, so that nobody else calls its own."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
)

from ..knowledge import naming
from ..knowledge.calling_functions import searches
from ..syntax.imports import full_name
from ..syntax.names import dotted_name, last_name

_NAMESPACES: Final = frozenset({"globals", "locals", "vars"})
_MODULES: Final = "sys.modules"


def is_start(function: Expression, outer: Sequence[Node], tree: MypyFile) -> bool:
    """Whether the program starts with a function: `app.run(train)`, or what stands below `if __name__ == "__main__"`.

    Or a whole run does, of a search for the best parameters: each run has others, for which it mostly compiles.
    `outer`: the nodes around its name, innermost first. What a call makes of it may be called: `main(train)()`.
    """
    call = outer[0] if outer else None
    if not isinstance(call, CallExpr) or function not in call.args:
        return False
    name, method = full_name(call.callee, tree), last_name(call.callee)
    if name in naming.STARTERS or method in naming.STARTING_METHODS or searches(name, method, call.arg_names):
        return True
    conditions = (condition for node in outer if isinstance(node, IfStmt) for condition in node.expr)
    is_statement = any(isinstance(node, ExpressionStmt) and node.expr in _calls(outer) for node in outer)
    return is_statement and any(map(asks_for_main, conditions))


def _calls(outer: Sequence[Node]) -> list[Node]:
    """The innermost call, and the calls of what the one before makes."""
    above = takewhile(lambda pair: isinstance(pair[1], CallExpr) and pair[1].callee is pair[0], pairwise(outer))
    return [outer[0], *(node for _, node in above)]


def has_guard(tree: MypyFile) -> bool:
    """Whether a module has code below `if __name__ == "__main__"`."""
    conditions = (condition for node in tree.defs if isinstance(node, IfStmt) for condition in node.expr)
    return any(map(asks_for_main, conditions))


def starts_itself(tree: MypyFile) -> bool:
    """Whether a module is a program: it has such code, or a statement that calls a function of its own."""
    defined = (node.func if isinstance(node, Decorator) else node for node in tree.defs)
    own = {node.name for node in defined if isinstance(node, FuncDef)}
    calls = (node.expr for node in tree.defs if isinstance(node, ExpressionStmt))
    called = (node.callee for node in calls if isinstance(node, CallExpr))
    return has_guard(tree) or any(isinstance(node, NameExpr) and node.name in own for node in called)


def looks_up_names(nodes: Iterable[Node]) -> bool:
    """Whether code may call functions by names that are made at run time: `globals()[name]`, `fire.Fire()`."""
    for node in nodes:
        if isinstance(node, NameExpr) and node.name in _NAMESPACES:
            return True
        if isinstance(node, MemberExpr) and dotted_name(node) == _MODULES:
            return True
        if isinstance(node, CallExpr) and not node.args and dotted_name(node.callee) in naming.STARTERS:
            return True
    return False


def asks_for_main(condition: Expression) -> bool:
    operands = condition.operands if isinstance(condition, ComparisonExpr) else ()
    return any(isinstance(part, NameExpr) and part.name == "__name__" for part in operands)
