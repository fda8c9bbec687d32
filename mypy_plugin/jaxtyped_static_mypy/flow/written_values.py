"""The one expression that gives a name its value, and the attributes that a file gives to objects."""

from collections import Counter

from mypy.nodes import LDEF, Expression, MemberExpr, NameExpr, SymbolNode, Var

from ..source.bindings import only_value
from ..source.checked_file import CheckedFile, once_per_file
from ..source.local_bindings import reaching_bindings
from ..syntax.trees import assignment_targets, statements


def written_value(node: Expression, file: CheckedFile) -> Expression:
    """Follows names to the one expression that gives their value there; a parameter stays a name, for it may be any."""
    followed: set[SymbolNode] = set()
    while isinstance(node, NameExpr) and isinstance(node.node, Var) and node.node not in followed:
        followed.add(node.node)
        value = _only_value(node, node.node, file)
        if value is None:
            break
        node = value
    return node


def _only_value(node: NameExpr, variable: Var, file: CheckedFile) -> Expression | None:
    if node.kind != LDEF:
        return only_value(variable, file)
    found = reaching_bindings(file, node, variable)
    return found[0].binding.whole if len(found) == 1 else None


@once_per_file
def attributes_assigned(file: CheckedFile) -> Counter[str]:
    """The attributes that the file may give an object, and how many statements do."""
    targets = (target for node in statements(file.tree.defs) for target in assignment_targets(node))
    return Counter(target.name for target in targets if isinstance(target, MemberExpr))
