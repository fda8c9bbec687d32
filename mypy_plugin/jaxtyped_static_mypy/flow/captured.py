"""What traced code reads of objects that it captures, which outlive its trace."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import FuncItem, MemberExpr, NameExpr, SymbolNode, TypeInfo, Var

from ..classes.caches import caches_of_arrays
from ..classes.self_uses import reached_from, uses_by_method
from ..reach.roots import Root, traced_code
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Functions, all_outermost
from .changes.access_paths import access_path
from .changes.refused import class_of


class CapturedCache(NamedTuple):
    """A cached property of arrays that a trace fills on an object that it captures."""

    owner: TypeInfo  # the class that defines it
    name: str
    info: TypeInfo  # the class of the object
    read: MemberExpr
    root: Root


@once_per_file
def captured_caches(file: CheckedFile) -> tuple[CapturedCache, ...]:
    read = (outermost.functions for outermost in all_outermost(file))
    return tuple(found for functions in read if functions is not None for found in caches_captured_by(functions))


def caches_captured_by(functions: Functions) -> Iterator[CapturedCache]:
    """Those that an outermost function reads, or one nested in it, by itself or by methods of the object."""
    for inner, around in traced_code(functions):
        staged = [root for root in around if root.stages]
        for node in functions.nodes[inner] if staged else ():
            root = _capturing(node, staged, functions) if isinstance(node, MemberExpr) else None
            if root is not None and isinstance(node, MemberExpr):
                yield from _filled(node, root, functions)


def _capturing(node: MemberExpr, staged: list[Root], functions: Functions) -> Root | None:
    """The innermost trace that captures the object of which an attribute is read."""
    accessed = access_path(node.expr, functions)
    if accessed is None or not isinstance(accessed.root, Var):
        return None
    owner = functions.owners.get(accessed.root)
    return next((root for root in staged if _outlives(accessed.root, owner, root, functions)), None)


def _outlives(variable: SymbolNode, owner: FuncItem | None, root: Root, functions: Functions) -> bool:
    return variable is root.bound or owner is None or not functions.is_inside(owner, root.function)


def _filled(node: MemberExpr, root: Root, functions: Functions) -> Iterator[CapturedCache]:
    info, file = class_of(node.expr, functions), functions.file
    caches = {name: owner for owner, name in caches_of_arrays(info)} if info is not None else {}
    if info is None or not caches:
        return
    functions.consulted.update(info.mro)
    reached = {node.name} | reached_from(node.name, uses_by_method(info), info).methods
    for name in sorted(reached & caches.keys()):
        if not _is_filled_by_module(node, name, file):
            yield CapturedCache(caches[name], name, info, node, root)


def _is_filled_by_module(read: MemberExpr, name: str, file: CheckedFile) -> bool:
    """Whether code of the module that is in no function reads the property of the same variable."""
    variable = read.expr.node if isinstance(read.expr, NameExpr) else None
    module, *_ = all_outermost(file)
    reads = (node for node, _ in module.nodes if isinstance(node, MemberExpr) and node.name == name)
    return variable is not None and any(
        isinstance(node.expr, NameExpr) and node.expr.node is variable for node in reads
    )
