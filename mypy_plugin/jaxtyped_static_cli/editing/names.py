"""What the names of a module stand for: an import, a function of the module, or a value that is bound once."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import libcst as cst
from libcst.metadata import (
    Assignment,
    BaseAssignment,
    BuiltinScope,
    MetadataWrapper,
    QualifiedNameSource,
    Scope,
    ScopeProvider,
)

from .documents import Document

_MAX_STEPS: Final = 8  # aliases of aliases


class Names:
    """The names of one module."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _scopes(self) -> Mapping[cst.CSTNode, Scope | None]:
        wrapper = MetadataWrapper(self._document.module, unsafe_skip_copy=True)
        return wrapper.resolve(ScopeProvider)

    @cached_property
    def _all_scopes(self) -> list[Scope]:
        return [scope for scope in dict.fromkeys(self._scopes.values()) if scope is not None]

    @cached_property
    def _bound(self) -> Mapping[str, list[BaseAssignment]]:
        """What binds each name, in any scope."""
        found: dict[str, list[BaseAssignment]] = {}
        for scope in self._all_scopes:
            for assignment in () if isinstance(scope, BuiltinScope) else scope.assignments:
                found.setdefault(assignment.name, []).append(assignment)
        return found

    @cached_property
    def _read(self) -> Mapping[str, list[cst.CSTNode]]:
        """The places that read each name, in any scope."""
        found: dict[str, list[cst.CSTNode]] = {}
        for scope in self._all_scopes:
            for access in scope.accesses:
                found.setdefault(_root(access.node), []).append(access.node)
        return found

    def line(self, node: cst.CSTNode) -> int:
        """The line of a node; for a function that of its `def`, below the decorators."""
        return self._document.line(node.name if isinstance(node, cst.FunctionDef) else node)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return next(self.around(node), None)

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, the innermost first."""
        return self._document.ancestors(node)

    def owner(self, function: cst.FunctionDef) -> cst.ClassDef | None:
        """The class whose body holds a function."""
        for node in self.around(function):
            if isinstance(node, (cst.ClassDef, cst.FunctionDef)):
                return node if isinstance(node, cst.ClassDef) else None
        return None

    def qualified(self, function: cst.FunctionDef | cst.ClassDef) -> str:
        """The name of a function or class, with the functions and classes around it."""
        around = [
            node.name.value for node in self.around(function) if isinstance(node, (cst.FunctionDef, cst.ClassDef))
        ]
        return ".".join([*reversed(around), function.name.value])

    def full_name(self, node: cst.BaseExpression) -> str | None:
        """The full name of what is imported under this name or attribute, if that is certain."""
        scope = self._scope(node)
        if scope is None or not isinstance(node, (cst.Name, cst.Attribute)):
            return None
        found = list(scope.get_qualified_names_for(node))
        if len(found) != 1 or found[0].source is QualifiedNameSource.LOCAL:
            return None
        return found[0].name

    def definition(self, node: cst.BaseExpression, call: cst.Call) -> cst.FunctionDef | None:
        """The function of this module that a name in a call stands for, if it can be no other.

        The name may be bound again to the result of the call: `f = jit(f)`.
        """
        scope = self._scope(node)
        if scope is None or not isinstance(node, cst.Name):
            return None
        bound = [assignment.node if isinstance(assignment, Assignment) else None for assignment in scope[node.value]]
        functions = [binder for binder in bound if isinstance(binder, cst.FunctionDef)]
        others = [binder for binder in bound if not isinstance(binder, cst.FunctionDef)]
        is_known = len(functions) == 1 and all(
            binder is not None and self._bound_to(binder) is call for binder in others
        )
        return functions[0] if is_known else None

    def value(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The value that a name was bound to, if it is bound once."""
        scope = self._scope(node)
        if scope is None or not isinstance(node, cst.Name):
            return None
        found = list(scope[node.value])
        return self._bound_to(found[0].node) if len(found) == 1 and isinstance(found[0], Assignment) else None

    def followed(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression that a name stands for in the end; the node itself if it is none that is bound once."""
        for _ in range(_MAX_STEPS):
            value = self.value(node)
            if value is None:
                break
            node = value
        return node

    def is_free(self, name: str, *, after: str = "") -> bool:
        """Whether no scope binds a name, other than by an import of `after`."""
        return all(_imports(assignment, after) for assignment in self._bound.get(name, ()))

    def accesses(self, name: str) -> list[cst.CSTNode]:
        """The places that read a name, in all scopes."""
        return self._read.get(name, [])

    def _bound_to(self, name: cst.CSTNode) -> cst.BaseExpression | None:
        """The value in the assignment to a name."""
        parent = self.parent(name)
        if isinstance(parent, cst.AnnAssign):
            return parent.value
        statement = self.parent(parent) if isinstance(parent, cst.AssignTarget) else None
        return statement.value if isinstance(statement, cst.Assign) else None

    def _scope(self, node: cst.CSTNode) -> Scope | None:
        """The scope that an expression is evaluated in."""
        found = (self._scopes.get(outer) for outer in (node, *self.around(node)))
        return next((scope for scope in found if scope is not None), None)


def _imports(assignment: BaseAssignment, full_name: str) -> bool:
    """Whether an assignment is the import of a name."""
    names = assignment.get_qualified_names_for(assignment.name)
    return any(found.source is QualifiedNameSource.IMPORT and found.name == full_name for found in names)


def _root(node: cst.CSTNode) -> str:
    """The name that an attribute begins with."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""
