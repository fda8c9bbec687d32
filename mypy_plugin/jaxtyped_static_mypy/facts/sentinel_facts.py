"""Reads whether the objects of a class are sentinels: module-level objects that are compared by identity on purpose."""

from typing import TypedDict

from mypy.nodes import AssignmentStmt, CallExpr, ClassDef, MypyFile, Node
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import enclosing_function, file_of
from ..syntax.names import is_named
from ..syntax.trees import nodes_below, statements
from .class_body import ClassBody


class SentinelFacts(TypedDict, total=False):
    """Facts of a class without attributes and without methods of its own."""

    sentinel: bool  # its module makes objects of it, all at module level


def read_sentinel(cls: ClassDef, body: ClassBody, api: SemanticAnalyzerPluginInterface) -> SentinelFacts:
    is_bare = not (body.assignments or cls.base_type_exprs or cls.keywords or cls.decorators)
    has_own_methods = any(not name.startswith("__") or name in ("__init__", "__call__") for name in body.methods)
    if not is_bare or has_own_methods or enclosing_function(api) is not None:
        return {}
    return {"sentinel": _makes_constants(cls.name, file_of(api))}


def _makes_constants(name: str, file: MypyFile) -> bool:
    body = statements(file.defs, into_definitions=False)
    constants = [node.rvalue for node in body if isinstance(node, AssignmentStmt) and _makes(node.rvalue, name)]
    return bool(constants) and all(node in constants for node in nodes_below(file) if _makes(node, name))


def _makes(node: Node, name: str) -> bool:
    return isinstance(node, CallExpr) and is_named(node.callee, name)
