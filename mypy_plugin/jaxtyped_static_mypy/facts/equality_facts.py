"""Reads from the source of an `__eq__` what it compares, as tokens for it and for each method it uses.

A token is the name of an attribute or method of `self` that is read, or one of the constants below. Code that is not
understood is `UNKNOWN`: then `__eq__` is assumed to be right.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypedDict

from mypy.nodes import (
    CallExpr,
    ClassDef,
    ComparisonExpr,
    Expression,
    FuncDef,
    IfStmt,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    ReturnStmt,
    Statement,
    StrExpr,
    SuperExpr,
    TupleExpr,
    YieldExpr,
    YieldFromExpr,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import file_of, resolve_name
from ..memory import keep_last
from ..syntax.assignments import loops_of
from ..syntax.decorators import last_names
from ..syntax.names import dotted_name
from ..syntax.trees import children, nodes_below, statements
from .class_body import ClassBody, read_reached

EVERYTHING: Final = "*"  # all attributes, as `vars(self)` has them
UNKNOWN: Final = "?"
CLASS: Final = "type()"  # the class of either side
IDENTITY: Final = "is"  # nothing but `self is other`
INSTANCE: Final = "isinstance:"  # followed by the full name of a class, or nothing for that of `self`
SHAPE: Final = "shape:"  # followed by an attribute of which only the shape, dtype or size is read
SUPER: Final = "super:"  # the next `__eq__` in the MRO, or that of the class whose full name follows

_EQ: Final = "__eq__"
_HASH: Final = "__hash__"
# Attributes that contain or list all others.
_WHOLE: Final = frozenset({"__dict__", "__slots__", "__dataclass_fields__", "__attrs_attrs__", "__match_args__"})
# Attributes of an array that do not say what it holds.
_SHAPES: Final = frozenset({"shape", "dtype", "ndim", "size"})
# Decorators that do not change what a method returns.
_TRANSPARENT: Final = frozenset({"property", "cached_property", "override", "final", "cache", "lru_cache"})


class EqualityFacts(TypedDict, total=False):
    """Facts of a class that defines `__eq__`."""

    equality: dict[str, list[str]]  # the tokens of `__eq__` and of each method it leads to
    subclassed: bool  # in this module


def read_equality(cls: ClassDef, body: ClassBody, api: SemanticAnalyzerPluginInterface) -> EqualityFacts:
    if _EQ in body.methods:
        tokens = read_tokens(body, _resolver(cls, api))
    elif (value := _assigned_eq(body)) is not None:
        full_name = _resolver(cls, api)(value.expr) if isinstance(value, MemberExpr) and value.name == _EQ else None
        tokens = {_EQ: [UNKNOWN if full_name is None else SUPER + full_name]}
    else:
        return {}
    return {"equality": tokens, "subclassed": _has_subclasses(cls, api)}


Resolve = Callable[[Expression], str | None]


def _resolver(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> Resolve:
    def resolve(node: Expression) -> str | None:
        name = dotted_name(node)
        return resolve_name(api, name, cls) if name is not None else None

    return resolve


def _assigned_eq(body: ClassBody) -> Expression | None:
    return next((node.rvalue for name, node in body.assignments if name == _EQ), None)


def _has_subclasses(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> bool:
    """Whether a class at the top of the same module inherits this `__eq__`."""
    file = file_of(api)
    return cls.name in _bases_of_heirs(file) and cls in file.defs


@keep_last
def _bases_of_heirs(file: MypyFile) -> frozenset[str | None]:
    """The names of the bases from which classes of a module inherit their `__eq__`."""
    nodes = statements(file.defs, into_definitions=False)
    heirs = (node for node in nodes if isinstance(node, ClassDef) and node.base_type_exprs and _inherits_eq(node))
    bases = (base.base if isinstance(base, IndexExpr) else base for node in heirs for base in node.base_type_exprs)
    return frozenset(map(dotted_name, bases))


def _inherits_eq(cls: ClassDef) -> bool:
    body = ClassBody.of(cls)
    return _EQ not in body.methods and _assigned_eq(body) is None


# Methods


class _MethodScope(NamedTuple):
    """What names mean in the body of a method."""

    self: str
    other: str
    loops: dict[str, list[str]]  # variables that run over literal strings
    resolve: Resolve


def read_tokens(body: ClassBody, resolve: Resolve) -> dict[str, list[str]]:
    """The tokens of `__eq__`, and of the methods of the same class that it leads to."""

    def read(name: str) -> list[str]:
        decorator = body.decorated.get(name)
        is_transparent = decorator is None or _TRANSPARENT.issuperset(last_names(decorator))
        return _read_method(body.methods[name], resolve) if is_transparent else [UNKNOWN]

    return read_reached([_EQ], body.methods, read)


def _read_method(function: FuncDef, resolve: Resolve) -> list[str]:
    body = function.body.body
    if not function.arguments or not _returns_something(function):
        return [UNKNOWN]
    self, other, *_ = [*(argument.variable.name for argument in function.arguments), ""]
    scope = _MethodScope(self, other, _literal_loops(function), resolve)
    if _holds_only_by_identity(body, scope):
        return [IDENTITY]
    tokens = {token for statement in body for token in _read(statement, scope)}
    return [UNKNOWN] if UNKNOWN in tokens else sorted(tokens)


def _returns_something(function: FuncDef) -> bool:
    """Whether a method returns a value: not if it is abstract, or if mypy did not keep its body."""
    return any(isinstance(node, (ReturnStmt, YieldExpr, YieldFromExpr)) for node in nodes_below(function.body))


def _literal_loops(function: FuncDef) -> dict[str, list[str]]:
    """The loop variables over literal strings, as in `for name in ("a", "b")`, with the strings."""
    loops: dict[str, list[str]] = {}
    for node in nodes_below(function):
        for index, sequence in loops_of(node):
            if isinstance(index, NameExpr) and isinstance(sequence, (TupleExpr, ListExpr)):
                names = [item.value for item in sequence.items if isinstance(item, StrExpr)]
                if len(names) == len(sequence.items):
                    loops.setdefault(index.name, []).extend(names)
    return loops


def _holds_only_by_identity(body: list[Statement], scope: _MethodScope) -> bool:
    """Whether every `return` returns `self is other`, or False."""
    below = statements(body, into_definitions=False)
    agreed = {node for branch in below if isinstance(branch, IfStmt) for node in _where_identical(branch, scope)}
    returned = [node for node in below if isinstance(node, ReturnStmt)]
    return bool(returned) and all(node in agreed or _is_never_or_identity(node.expr, scope) for node in returned)


def _is_never_or_identity(node: Expression | None, scope: _MethodScope) -> bool:
    return node is not None and (dotted_name(node) in ("False", "NotImplemented") or _is_identity(node, scope))


def _where_identical(branch: IfStmt, scope: _MethodScope) -> Iterator[Statement]:
    pairs = zip(branch.expr, branch.body, strict=True)
    return (node for condition, block in pairs if _is_identity(condition, scope) for node in block.body)


def _is_identity(node: Expression, scope: _MethodScope) -> bool:
    if isinstance(node, OpExpr):
        return node.op == "and" and (_is_identity(node.left, scope) or _is_identity(node.right, scope))
    if not isinstance(node, ComparisonExpr) or len(node.operands) != 2:
        return False
    sides = [_called_with_one(side, "id") if node.operators == ["=="] else side for side in node.operands]
    return node.operators[0] in ("is", "==") and {_bare(side) for side in sides} == {scope.self, scope.other}


def _called_with_one(node: Expression, name: str) -> Expression | None:
    if isinstance(node, CallExpr) and dotted_name(node.callee) == name and len(node.args) == 1:
        return node.args[0]
    return None


def _bare(node: Node | None) -> str | None:
    return node.name if isinstance(node, NameExpr) else None


# Expressions


def _read(node: Node, scope: _MethodScope) -> Iterator[str]:
    if isinstance(node, NameExpr):
        tokens: Iterable[str] | None = _read_name(node, scope)
    elif isinstance(node, MemberExpr):
        tokens = _read_attribute(node, scope)
    elif isinstance(node, SuperExpr):
        tokens = [SUPER if node.name == _EQ else UNKNOWN]
    elif isinstance(node, CallExpr):
        tokens = _read_call(node, scope)
    elif isinstance(node, ComparisonExpr) and {"is", "is not"}.issuperset(node.operators):
        tokens = _read_all(node.operands, scope)
    else:
        tokens = None
    yield from _read_below(node, scope) if tokens is None else tokens


def _read_below(node: Node, scope: _MethodScope) -> Iterator[str]:
    below = children(node)
    if below is None:
        yield UNKNOWN
    for child in below or ():
        yield from _read(child, scope)


def _read_all(nodes: Iterable[Node], scope: _MethodScope) -> Iterator[str]:
    """Reads nodes among which `self` and `other` themselves do not count."""
    for node in nodes:
        if _bare(node) not in (scope.self, scope.other):
            yield from _read(node, scope)


def _read_name(node: NameExpr, scope: _MethodScope) -> list[str]:
    """`self` itself may be compared in any way; `other` may be asked for its class."""
    return {scope.self: [UNKNOWN], scope.other: [CLASS]}.get(node.name, [])


def _read_attribute(node: MemberExpr, scope: _MethodScope) -> list[str] | None:
    base = _bare(node.expr)
    if node.name in _SHAPES and isinstance(node.expr, MemberExpr) and _bare(node.expr.expr) == scope.self:
        return [f"{SHAPE}{node.expr.name}"]
    if base not in (scope.self, scope.other):
        return None
    if node.name == "__class__":
        return [CLASS]
    if base == scope.other:
        return []
    if node.name in _WHOLE:
        return [EVERYTHING]
    return [UNKNOWN if node.name.startswith("__") and node.name.endswith("__") and node.name != _HASH else node.name]


def _read_call(node: CallExpr, scope: _MethodScope) -> Iterable[str] | None:
    callee, name = node.callee, (dotted_name(node.callee) or "").rpartition(".")[2]
    first = _bare(node.args[0]) if node.args else None
    if isinstance(callee, SuperExpr) or (isinstance(callee, MemberExpr) and _bare(callee.expr) == scope.self):
        return [*_read(callee, scope), *_read_all(node.args, scope)]
    if name == "cast":
        return _read_all(node.args[1:], scope)
    if first not in (scope.self, scope.other):
        return None
    if name == _EQ and isinstance(callee, MemberExpr) and first == scope.self:
        full_name = scope.resolve(callee.expr)
        return [UNKNOWN if full_name is None else SUPER + full_name]
    if name == "isinstance" and len(node.args) == 2:
        return _read_isinstance(node.args[1], scope) if first == scope.other else [CLASS]
    if name == "getattr" and len(node.args) > 1:
        named = _named_attributes(node.args[1], scope) if first == scope.self else []
        return [*named, *_read_all(node.args[1:], scope)]
    row = _CALLS.get(name)
    return (row if first == scope.self or row == [CLASS] else []) if row is not None else None


# What a call with `self` reads. A call with `other` reads nothing, except its class.
_CALLS: Final[dict[str, list[str]]] = {
    "type": [CLASS],
    "hash": [_HASH],
    "id": [],
    "hasattr": [],
    "vars": [EVERYTHING],
    "fields": [EVERYTHING],
    "astuple": [EVERYTHING],
    "asdict": [EVERYTHING],
}


def _named_attributes(name: Expression, scope: _MethodScope) -> list[str]:
    if isinstance(name, StrExpr):
        return [name.value]
    return scope.loops.get(_bare(name) or "", [EVERYTHING])


def _read_isinstance(tested: Expression, scope: _MethodScope) -> Iterator[str]:
    """Takes everything but the names of classes, and the class of `self`, for an exact test of the class."""
    for node in tested.items if isinstance(tested, TupleExpr) else [tested]:
        if any(token == CLASS for token in _read(node, scope)):
            yield INSTANCE
        else:
            full_name = scope.resolve(node)
            yield CLASS if full_name is None else INSTANCE + full_name
