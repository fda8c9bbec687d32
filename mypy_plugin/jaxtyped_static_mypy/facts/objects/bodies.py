"""The functions of a module, each with its own nodes and what its names are bound to, before mypy has analysed it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    GlobalDecl,
    Import,
    ImportAll,
    ImportBase,
    ImportFrom,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    NonlocalDecl,
    WhileStmt,
    WithStmt,
)
from mypy.patterns import AsPattern, MappingPattern, StarredPattern
from mypy.types import Type

from ...knowledge import naming
from ...source.bindings import BINDING, Binding, names_bound_by
from ...source.surroundings import repeats
from ...syntax.changes import SETTERS
from ...syntax.imports import names_bound
from ...syntax.names import dotted_name
from ...syntax.node_parts import BELOW, OF_OTHERS
from ...syntax.trees import ByKind, names_and_attributes, parts_of


class Bound(NamedTuple):
    """One place that binds a name, with the annotation that stands there."""

    binding: Binding = Binding()
    annotation: Type | None = None
    is_many: bool = False  # `*args` and `**options`: the annotation is that of each
    imported: str = ""  # the full name, of an import in a function


@dataclass(eq=False)
class Body:
    """A function, or the code of a module that is in no function."""

    name: str  # with those of the functions and classes around it; empty for the module
    function: FuncItem | None = None
    cls: str = ""  # the class that it is a method of, named in the same way
    is_class_method: bool = False
    is_static: bool = False
    outer: "Body | None" = None
    nodes: list[Node] = field(default_factory=list)  # without those of nested functions
    nested: list["Body"] = field(default_factory=list)
    classes: dict[str, ClassDef] = field(default_factory=dict)  # those defined in it, by their whole names
    repeated: set[Node] = field(default_factory=set)  # those that a loop or comprehension of the function runs
    bound: dict[str, list[Bound]] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)  # names declared `global` or `nonlocal`
    passing: dict[str, list[Bound]] = field(default_factory=dict)  # names of comprehensions, which end with them
    of_module: set[str] = field(default_factory=set)  # those declared `global`

    @cached_property
    def own(self) -> str:
        """The name of the parameter that gets the object or class that a method is called on; empty if none does."""
        arguments = self.function.arguments if self.function is not None else []
        return arguments[0].variable.name if self.cls and not self.is_static and arguments else ""

    @cached_property
    def by_kind(self) -> ByKind:
        return ByKind(self.nodes)

    @cached_property
    def assignments(self) -> list[AssignmentStmt]:
        return self.by_kind.of(AssignmentStmt)

    @cached_property
    def calls(self) -> list[CallExpr]:
        return self.by_kind.of(CallExpr)

    @cached_property
    def loops(self) -> list[ForStmt | WhileStmt]:
        if not self.by_kind.of(WhileStmt):
            return [*self.by_kind.of(ForStmt)]
        return [node for node in self.nodes if isinstance(node, ForStmt | WhileStmt)]

    @cached_property
    def assigned(self) -> set[Node]:
        """What its assignments give a value."""
        return {target for node in self.assignments for target in node.lvalues}

    @cached_property
    def makers(self) -> dict[str, list[AssignmentStmt]]:
        """The assignments to each name."""
        found: dict[str, list[AssignmentStmt]] = {}
        for node in self.assignments:
            for target in node.lvalues:
                if isinstance(target, NameExpr):
                    found.setdefault(target.name, []).append(node)
        return found

    @cached_property
    def whole_uses(self) -> dict[str, list[Node]]:
        """The places that use what a name holds as a whole, not just an attribute of it; nested functions are such."""
        parts = {node.expr for node in self.by_kind.of(MemberExpr)}
        parts.update(call.args[0] for call in self.calls if call.args and dotted_name(call.callee) in SETTERS)
        found: dict[str, list[Node]] = {}
        for node in self.by_kind.of(NameExpr):
            if node not in parts:
                found.setdefault(node.name, []).append(node)
        for nested in (body.function for body in self.nested if body.function is not None):
            for name in {node.name for node in names_and_attributes(nested.body)[0]}:
                found.setdefault(name, []).append(nested)
        return found

    @cached_property
    def attributes_read(self) -> dict[str, set[str]]:
        """The attributes of what each name holds."""
        found: dict[str, set[str]] = {}
        for node in self.by_kind.of(MemberExpr):
            if isinstance(node.expr, NameExpr):
                found.setdefault(node.expr.name, set()).add(node.name)
        return found

    @cached_property
    def method_calls(self) -> dict[str, list[CallExpr]]:
        """The calls of methods of what a name holds."""
        return _by_holder((call, call.callee) for call in self.calls)

    @cached_property
    def methods_asked(self) -> dict[str, list[CallExpr]]:
        """Those called for their results, which may compile: one that is a statement may be a part of building."""
        alone = {node.expr for node in self.by_kind.of(ExpressionStmt)}
        return {name: [call for call in calls if call not in alone] for name, calls in self.method_calls.items()}

    @cached_property
    def compiled_methods(self) -> dict[str, list[CallExpr]]:
        """The calls that compile a method of what a name holds: `jax.jit(solver.step)`."""
        compiling = (call for call in self.calls if call.args and naming.compiles(dotted_name(call.callee) or ""))
        return _by_holder((call, call.args[0]) for call in compiling)


def _by_holder(found: Iterable[tuple[CallExpr, Expression]]) -> dict[str, list[CallExpr]]:
    """Calls, each with an attribute that it is about, by the name that holds what has the attribute."""
    calls: dict[str, list[CallExpr]] = {}
    for call, attribute in found:
        if isinstance(attribute, MemberExpr) and isinstance(attribute.expr, NameExpr):
            calls.setdefault(attribute.expr.name, []).append(call)
    return calls


def bodies(file: MypyFile) -> list[Body]:
    """The module's own code first, and each function behind the one around it."""
    module = Body("")
    found = [module]
    for node in file.defs:
        _collect(node, module, found, file)
    for body in found:
        body.bound = body.passing | body.bound
    return found


# A node that is still to be read, the class whose body it stands in, whether it is repeated, and the decorators of a
# function. There is one for every node of a file, and making a tuple with names takes several times as long.
_Place = tuple[Node, str, bool, frozenset[str]]
_PLAIN: Final = frozenset[str]()


def _collect(root: Node, body: Body, found: list[Body], file: MypyFile) -> None:
    """Adds the nodes below `root` to a body, and a body for each function there."""
    pending: list[_Place] = [(root, "", False, _PLAIN)]
    while pending:
        place = pending.pop()
        node, cls, is_repeated, _ = place
        kind = type(node)
        if kind in _FUNCTIONS and isinstance(node, FuncItem):
            _enter(node, body, place, found, file)
            pending += [(part, "", is_repeated, _PLAIN) for part in _defaults(node)]
            continue
        body.nodes.append(node)
        if is_repeated:
            body.repeated.add(node)
        if kind not in _SPECIAL:
            if (below := BELOW.get(kind, OF_OTHERS)) is not None:
                inner = "" if cls and isinstance(node, Expression) else cls
                pending += [(part, inner, is_repeated, _PLAIN) for part in below(node)[::-1]]
            continue
        if kind in _BINDING and not cls:
            names = body.passing if kind in _COMPREHENSIONS else body.bound
            for name, bound in _names_bound(node):
                names.setdefault(name, []).append(bound)
        if kind in _DECLARING:
            _declare(node, body, cls, file)
        pending += _parts(place, body)[::-1]


def _declare(node: Node, body: Body, cls: str, file: MypyFile) -> None:
    """Adds the names that a statement declares, and those that a class or an import in a function binds."""
    if isinstance(node, (GlobalDecl, NonlocalDecl)):
        body.foreign.update(node.names)
        body.of_module.update(node.names if isinstance(node, GlobalDecl) else ())
    elif body.name and not cls and isinstance(node, (ClassDef, ImportBase)):
        for name, bound in _defined(node, file):
            body.bound.setdefault(name, []).append(bound)


def _parts(place: _Place, body: Body) -> list[_Place]:
    node, cls, is_repeated, _ = place
    if isinstance(node, ClassDef):
        cls = _below(cls or body.name, node.name)
        body.classes[cls] = node
        decorators: list[_Place] = [(part, "", is_repeated, _PLAIN) for part in node.decorators]
        return [*decorators, *((part, cls, is_repeated, _PLAIN) for part in node.defs.body)]
    if isinstance(node, Decorator):
        names = frozenset(name.name for name in node.original_decorators if isinstance(name, NameExpr))
        decorators = [(part, "", is_repeated, _PLAIN) for part in node.original_decorators]
        return [*decorators, (node.func, cls, is_repeated, names)]
    below = "" if cls and isinstance(node, Expression) else cls
    if type(node) in _REPEATING:
        return [(part, below, is_repeated or repeats(part, node), _PLAIN) for part in parts_of(node)]
    return [(part, below, is_repeated, _PLAIN) for part in parts_of(node)]


def _enter(function: FuncItem, outer: Body, place: _Place, found: list[Body], file: MypyFile) -> None:
    name = function.name if isinstance(function, FuncDef) else "<lambda>"
    _, cls, _, decorators = place
    body = Body(
        _below(cls or outer.name, name),
        function,
        cls if isinstance(function, FuncDef) else "",
        "classmethod" in decorators or name in ("__new__", "__init_subclass__"),
        "staticmethod" in decorators,
        outer,
    )
    found.append(body)
    outer.nested.append(body)
    if isinstance(function, FuncDef) and outer.name and not cls:
        outer.bound.setdefault(name, []).append(Bound())
    for argument in function.arguments:
        bound = Bound(Binding(is_parameter=True), argument.type_annotation, argument.kind.is_star())
        body.bound[argument.variable.name] = [bound]
    _collect(function.body, body, found, file)


def _defaults(function: FuncItem) -> Iterator[Expression]:
    return (argument.initializer for argument in function.arguments if argument.initializer is not None)


def _below(outer: str, name: str) -> str:
    return f"{outer}.{name}" if outer else name


_FUNCTIONS: Final = (FuncDef, LambdaExpr)
_COMPREHENSIONS: Final = (GeneratorExpr, DictionaryComprehension)
_REPEATING: Final = (ForStmt, WhileStmt, *_COMPREHENSIONS)
_DECLARING: Final = (GlobalDecl, NonlocalDecl, ClassDef, Import, ImportAll, ImportFrom)


Names = Iterator[tuple[str, Bound]]


def _defined(node: ClassDef | ImportBase, file: MypyFile) -> Names:
    """The names that a class or an import in a function binds there."""
    if isinstance(node, ClassDef):
        yield node.name, Bound()
    else:
        yield from ((name, Bound(imported=full)) for name, full in names_bound(file, [node]))


def _names_bound(node: Node) -> Names:
    """The names that a node binds; what `with` binds is taken for what it enters."""
    if isinstance(node, WithStmt):
        for target, value in zip(node.target, node.expr, strict=True):
            if isinstance(target, NameExpr):
                yield target.name, Bound(Binding(value))
    elif type(node) in _CAPTURES:
        captured = _CAPTURES[type(node)](node)
        yield from ((captured.name, Bound()),) if captured is not None else ()
    else:
        annotation = node.unanalyzed_type if isinstance(node, AssignmentStmt) else None
        yield from ((name.name, Bound(binding, annotation)) for name, binding in names_bound_by(node))


_CAPTURES: Final[dict[type[Node], Callable[[Any], NameExpr | None]]] = {
    AsPattern: lambda node: node.name,
    StarredPattern: lambda node: node.capture,
    MappingPattern: lambda node: node.rest,
}
# The kinds of nodes that may bind names.
_BINDING: Final = frozenset({*BINDING, *_CAPTURES})
# Those with more to them than what is below them.
_SPECIAL: Final = frozenset({*_BINDING, *_DECLARING, *_REPEATING, Decorator})
