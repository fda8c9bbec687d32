"""The calls of a function through a variable that holds it, or what is made of it: `fit = wrapper(f)`, then `fit(x)`.

The variable may hold one of several functions, `fit = f if fast else g`, or a table of them, `FITS[name](x)`.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    GDEF,
    AssignmentStmt,
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    OverloadedFuncDef,
    RefExpr,
    TypeInfo,
    Var,
)

from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile
from ..source.choices import is_choice, is_table, taken_from
from ..source.local_bindings import reaching_bindings, reaching_of_module
from ..source.surroundings import all_around
from ..syntax.imports import full_name
from ..syntax.names import is_self

_MAX_NAMES: Final = 4  # that stand for one another


def calls_of_holder(holder: Node | None, file: CheckedFile, names: int = 0) -> Sequence[CallExpr]:
    """The calls of what a statement assigns, or puts into a table; none if it is used in another way, too."""
    if isinstance(holder, DictExpr):
        parent = all_around(holder, file)[1]
        return _calls_at(_taken(parent, file), file, names) if isinstance(parent, AssignmentStmt) else ()
    if not isinstance(holder, AssignmentStmt):
        return ()
    return _calls_at(_taken(holder, file) if is_table(holder.rvalue) else _uses(holder, file), file, names)


def _calls_at(uses: Sequence[Expression], file: CheckedFile, names: int) -> Sequence[CallExpr]:
    """The calls of functions, also through further variables that hold them; none if one is used in another way."""
    calls: list[CallExpr] = []
    for use in uses:
        found = file.calls_at([use])
        if not found and names < _MAX_NAMES:
            found = list(calls_of_holder(all_around(use, file)[1], file, names + 1))
        if not found:
            return ()
        calls += found
    return calls


def _taken(table: AssignmentStmt, file: CheckedFile) -> list[Expression]:
    found = [taken_from(all_around(name, file)) for name in _uses(table, file)]
    taken = [place for place in found if place is not None]
    return taken if len(taken) == len(found) else []


def _uses(holder: AssignmentStmt, file: CheckedFile) -> list[RefExpr]:
    """The uses of a variable that see what a statement assigns to it; none if it may be anything else, too."""
    target = holder.lvalues[0] if len(holder.lvalues) == 1 else None
    variable = target.node if isinstance(target, NameExpr) else None
    if not isinstance(target, NameExpr) or not isinstance(variable, Var) or variable.is_initialized_in_class:
        return []
    bound = bindings_of(variable, file)
    if _is_of_module(variable) and len(bound) == 1 and isinstance(holder.rvalue, RefExpr):
        return []  # another name of a function, for other modules
    uses = file.other_uses(target)
    if len(bound) <= 1:
        return uses
    if not all(is_choice(one.whole, _is_function, lambda callee: full_name(callee, file.tree)) for one in bound):
        return []
    targets = {name for node in file.by_kind.of(AssignmentStmt) for name in node.lvalues}
    others = [use for use in uses if use not in targets]
    return [use for use in others if isinstance(use, NameExpr) and _sees(use, variable, holder, file)]


def _is_of_module(variable: Var) -> bool:
    return "." in variable.fullname


def _sees(use: NameExpr, variable: Var, holder: AssignmentStmt, file: CheckedFile) -> bool:
    reaching = reaching_of_module if _is_of_module(variable) else reaching_bindings
    return any(binding.statement is holder for binding in reaching(file, use, variable))


def _is_function(node: RefExpr) -> bool:
    """Whether it names a function or class, or a method of `self`."""
    is_own = isinstance(node, MemberExpr) and is_self(node.expr)
    return is_own or isinstance(node.node, (FuncItem, Decorator, OverloadedFuncDef, TypeInfo)) or node.kind == GDEF
