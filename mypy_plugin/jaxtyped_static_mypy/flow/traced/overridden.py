"""Whether an object that a file makes has a method, or only classes have it whose subclasses all have another."""

from mypy.nodes import Expression, FuncDef, FuncItem, MemberExpr, TypeInfo

from ...source.checked_file import CheckedFile, once_per_file
from ...syntax.names import is_self


def is_self_method(node: Expression) -> bool:
    """Whether this is `self.method`: of a subclass, it is the one that this has."""
    return isinstance(node, MemberExpr) and is_self(node.expr)


@once_per_file
def is_had_by_made(file: CheckedFile, function: FuncItem) -> bool:
    """Whether nothing shows that a method is there to be overridden.

    A subclass of the file has another one, and the file makes no object of a class that has this one.
    """
    if not isinstance(function, FuncDef) or not function.info:
        return True
    if not file.overriding(function):
        return True
    classes = (symbol.node for symbol in file.tree.names.values() if isinstance(symbol.node, TypeInfo))
    return any(info.name in file.calls_by_name for info in classes if _has(info, function))


def _has(info: TypeInfo, method: FuncDef) -> bool:
    symbol = info.get(method.name)
    return symbol is not None and symbol.node is method
