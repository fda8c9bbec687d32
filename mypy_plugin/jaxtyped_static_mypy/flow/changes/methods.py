"""Finds methods and properties of a pytree class that assign to `self`: under a trace, that is a copy."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, MemberExpr, Node, OverloadedFuncDef, ReturnStmt, Statement, TypeInfo, Var
from mypy.types import TypeVarType

from ...classes import class_model
from ...facts.method_facts import MAKING
from ...knowledge import naming
from ...knowledge.full_names import FLATTEN_METHODS
from ...reach.description import reach_of
from ...reach.roots import Root
from ...source.checked_file import CheckedFile
from ...source.nested_functions import read_functions
from ...syntax.changes import Change, ChangeKind, changes
from ...syntax.trees import nodes_below, self_parameter, statements
from ..declared_types import class_in, return_types
from .access_paths import AccessPath, access_path
from .finding import tracks_mutation
from .guards import sets_guard
from .later_uses import is_used_later
from .leaks import Leaks
from .orders import is_used, may_be_lost
from .outside_traces import runs_outside_traces
from .refused import refusing_class, refusing_when_made

_CONSTRUCTORS: Final = frozenset({"__init__", "__post_init__"})


class Assignment(NamedTuple):
    """An assignment of a method to an attribute of its object."""

    context: Node
    method: str
    written: tuple[str, ...]  # `self.total`, and what else the statement assigns
    owner: str  # `self`
    is_property: bool
    leaks: bool  # where a trace captures the object
    is_used: bool = True  # a method in the file: else nothing shows what its callers do with the object


class _Method(NamedTuple):
    function: FuncDef
    decorator: Decorator | None


def lost_assignments(info: TypeInfo, file: CheckedFile) -> Iterator[Assignment]:
    """Yields one assignment for each method, unless the file shows that it is not lost."""
    if not class_model.is_pytree(info) or tracks_mutation(info):
        return
    declaration = class_model.declaration_of(info)
    is_frozen = declaration is not None and declaration.frozen
    methods = list(_own_methods(info))
    settling = _called_while_made(methods)
    for function, decorator in methods:
        if not _is_asked_from_outside(function) or function.name in settling or _is_traced(function, file):
            continue
        self = self_parameter(function)
        if self is None or function.is_class or _returns_another(function, info):
            continue
        found = list(_changes_of_self(function, self, file, is_frozen=is_frozen))
        change = found[0] if found else None
        if change is not None and may_be_lost(function.name, info, file, for_its_effect=_returns_nothing(function)):
            is_property = decorator is not None and decorator.var.is_property
            leaks = _may_leak(change, function, self, file)
            used = is_property or function.name == "__call__" or is_used(function.name, info, file)
            written = tuple(dict.fromkeys(part.written for part in found if part.context is change.context))
            yield Assignment(change.context, function.name, written, self.name, is_property, leaks, used)


def refused_assignments(info: TypeInfo, file: CheckedFile) -> Iterator[Assignment]:
    """Yields the first assignment in each method that the frozen class refuses, so that the method raises."""
    if not class_model.is_pytree(info):
        return
    methods = list(_methods(info.defn.defs.body))
    making = MAKING | _called_while_made(methods)  # Equinox 0.13.8 freezes the object only after these
    yield from refused_while_made(info, file)
    for function, _ in methods:
        self = self_parameter(function)
        if self is None or function.name in making or _is_traced(function, file):
            continue
        if _is_for_constructors(function, file):
            continue
        functions = read_functions(function, None, file)
        found = (
            change
            for change in changes(functions.nodes[function])
            if access_path(change.target, functions) == AccessPath(self) and refusing_class(change, functions) is info
        )
        if (change := next(found, None)) is not None:
            yield Assignment(change.context, function.name, (change.written,), self.name, False, False)


def refused_while_made(info: TypeInfo, file: CheckedFile) -> Iterator[Assignment]:
    """The first assignment that each object makes in its constructor, of a class that refuses it there, too."""
    declaration = class_model.declaration_of(info)
    if declaration is None or not (declaration.frozen and declaration.is_frozen_at_once):
        return
    for function, decorator in _methods(info.defn.defs.body):
        self = self_parameter(function) if decorator is None and function.name in _CONSTRUCTORS else None
        if self is None:
            continue
        functions = read_functions(function, None, file)
        for change in changes(function.body.body):
            is_own = access_path(change.target, functions) == AccessPath(self)
            if is_own and refusing_when_made(change, functions) is info:
                yield Assignment(change.context, function.name, (change.written,), self.name, False, False)
                return


def _is_for_constructors(function: FuncDef, file: CheckedFile) -> bool:
    """Whether the constructors of subclasses in other files have a method to call: a set-up without calls here.

    Called at any other time, it would raise each time.
    """
    is_own = naming.is_private(function.name) and naming.is_named_set_up(function.name)
    return is_own and not file.uses_by_name.get(function.name)


def _may_leak(change: Change, function: FuncDef, self: Var, file: CheckedFile) -> bool:
    """Whether the value is a tracer if the method runs in a trace, on an object that is no argument of it."""
    traced = Root(function, None, stages=True, traced=frozenset({self}), copied=frozenset(), static=frozenset())
    return Leaks([traced], read_functions(function, None, file)).may_hold(change.values)


def _own_methods(info: TypeInfo) -> Iterator[_Method]:
    """The methods of a class, and those from bases in the same file that are pytrees only in this subclass."""
    bases = (base for base in class_model.user_bases(info) if base is not info and not class_model.is_pytree(base))
    seen: set[str] = set()
    for owner in (info, *(base for base in bases if base.module_name == info.module_name)):
        found = list(_methods(owner.defn.defs.body))
        yield from (method for method in found if method.function.name not in seen)
        seen.update(method.function.name for method in found)


def _methods(body: list[Statement]) -> Iterator[_Method]:
    """Yields the methods of a class body; for a property with a setter, only the getter."""
    for node in body:
        first = node.items[0] if isinstance(node, OverloadedFuncDef) and node.items else node
        if isinstance(first, Decorator):
            yield _Method(first.func, first)
        elif isinstance(first, FuncDef):
            yield _Method(first, None)


def _is_asked_from_outside(function: FuncDef) -> bool:
    """Whether users call the method by name. A special method such as `__setitem__` exists to mutate the object."""
    is_special = function.name.startswith("__") and function.name.endswith("__") and function.name != "__call__"
    return not is_special and function.name not in MAKING


def _called_while_made(methods: list[_Method]) -> frozenset[str]:
    """The attributes used by methods that construct or flatten the object."""
    asking = (function for function, _ in methods if function.name in MAKING.union(FLATTEN_METHODS))
    return frozenset(node.name for function in asking for node in nodes_below(function) if isinstance(node, MemberExpr))


def _is_traced(function: FuncDef, file: CheckedFile) -> bool:
    """Whether a decorator traces the method: then `finding` checks it, like any traced function."""
    return bool(reach_of(file, function).transformations)


def _changes_of_self(function: FuncDef, self: Var, file: CheckedFile, *, is_frozen: bool) -> Iterator[Change]:
    functions = read_functions(function, None, file)
    for change in changes(functions.nodes[function]):
        if change.kind is not ChangeKind.ATTRIBUTE or (is_frozen and not change.is_forced):
            continue
        accessed = access_path(change.target, functions)
        if accessed != AccessPath(self) or runs_outside_traces(change.context, file):
            continue
        if not is_used_later(change, accessed, function, functions) and not sets_guard(change, file):
            yield change


def _returns_nothing(function: FuncDef) -> bool:
    """Whether the method returns nothing, so callers want its effect."""
    returned = (node.expr for node in statements(function.body.body) if isinstance(node, ReturnStmt))
    return not function.is_property and all(value is None for value in returned)


def _returns_another(function: FuncDef, info: TypeInfo) -> bool:
    """Whether the method returns an object of its class, which callers are meant to use instead."""
    for returned in return_types(function):
        bound = returned.upper_bound if isinstance(returned, TypeVarType) else returned
        if class_in(bound) in info.mro[:-1]:
            return True
    return False
