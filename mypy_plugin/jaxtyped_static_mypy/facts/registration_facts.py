"""Classes that are registered with JAX by a call after their definition, and what a flatten function takes apart."""

import functools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    DictExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    ReturnStmt,
    Statement,
    TupleExpr,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat_names import enclosing_function, file_of, resolve_name
from ..syntax import assignment_targets, children, dotted_name, statements, walk
from .literals import keywords, literal

_REGISTER: Final = "register_"  # how every function that registers a class begins
# Parameters of these functions after the class, by the last part of their name.
_PARAMETERS: Final = {"register_dataclass": ("data_fields", "meta_fields", "drop_fields")}
_FLATTENS: Final = ("register_pytree_node", "register_pytree_with_keys")
_METHODS: Final = ("tree_flatten", "tree_flatten_with_keys")

_CONSTANTS: Final = ("None", "True", "False")

Registration = list[Any]  # [full name of the function, its literal arguments]


def read_registrations(
    cls: ClassDef, api: SemanticAnalyzerPluginInterface, methods: dict[str, FuncDef]
) -> Iterator[tuple[str, Any]]:
    """Facts `registrations` (calls that name the class) and `flatten` (`[children, static]`, names of attributes)."""
    scope = _scope(enclosing_function(api) or file_of(api))
    found = [(name, call) for call in scope.calls.get(cls.name, ()) if (name := _callee(call, api)) is not None]
    yield "registrations", [[name, _arguments(name, call)] for name, call in found]
    passed = [_function(call.args[1], cls, methods, scope) for name, call in found if _takes_flatten(name, call)]
    written = [methods[name] for name in _METHODS if name in methods]
    read = next((function for function in (*passed, *written) if function is not None), None)
    if read is not None:
        yield "flatten", _read_flatten(read)


def _callee(call: CallExpr, api: SemanticAnalyzerPluginInterface) -> str | None:
    name = dotted_name(call.callee)
    return resolve_name(api, name, call) if name is not None else None


def _takes_flatten(name: str, call: CallExpr) -> bool:
    return name.rpartition(".")[2] in _FLATTENS and len(call.args) > 1


def _arguments(name: str, call: CallExpr) -> dict[str, Any]:
    positional = [value for value, given in zip(call.args, call.arg_names, strict=True) if given is None][1:]
    parameters = _PARAMETERS.get(name.rpartition(".")[2], ())
    return {key: literal(value) for key, value in zip(parameters, positional, strict=False)} | keywords(call)


# Who registers what


class _Scope(NamedTuple):
    """Of a module, or of a function with classes of its own: what registers a name, and the functions."""

    calls: dict[str, list[CallExpr]]
    functions: dict[str, FuncDef]


@functools.lru_cache(maxsize=1)
def _scope(node: MypyFile | FuncItem) -> _Scope:
    """Classes are analysed one after another, so that of the last one is kept."""
    scope = _Scope({}, {})
    for statement in statements(node.defs if isinstance(node, MypyFile) else node.body.body, into_definitions=False):
        if isinstance(statement, FuncDef):
            scope.functions[statement.name] = statement
        for name, call in _registering(statement):
            scope.calls.setdefault(name, []).append(call)
    return scope


def _registering(node: Statement) -> Iterator[tuple[str, CallExpr]]:
    """`register(A)`, `A = register(A)`, `for cls in (A, B): register(cls)`."""
    if isinstance(node, (ExpressionStmt, AssignmentStmt)):
        call = node.expr if isinstance(node, ExpressionStmt) else node.rvalue
        if (name := _first_argument(call)) is not None and isinstance(call, CallExpr):
            yield name, call
    elif isinstance(node, ForStmt) and isinstance(node.index, NameExpr):
        items = node.expr.items if isinstance(node.expr, (ListExpr, TupleExpr)) else []
        names = [item.name for item in items if isinstance(item, NameExpr)]
        calls = (inner.expr for inner in node.body.body if isinstance(inner, ExpressionStmt))
        for call in calls:
            if isinstance(call, CallExpr) and _first_argument(call) == node.index.name:
                yield from ((name, call) for name in names)


def _first_argument(node: Expression) -> str | None:
    """The name that a register function is given first."""
    if not isinstance(node, CallExpr) or not node.args or not isinstance(node.args[0], NameExpr):
        return None
    called = (dotted_name(node.callee) or "").rpartition(".")[2]
    return node.args[0].name if called.startswith(_REGISTER) else None


# What a flatten function returns


def _function(node: Expression, cls: ClassDef, methods: dict[str, FuncDef], scope: _Scope) -> FuncItem | None:
    """What is passed as the flatten function: a lambda, a function of the same scope, `Cls.method`."""
    if isinstance(node, LambdaExpr):
        return node
    if isinstance(node, NameExpr):
        return scope.functions.get(node.name)
    return methods.get(node.name) if isinstance(node, MemberExpr) and _is_attribute(node, cls.name) else None


def _read_flatten(function: FuncItem) -> list[list[str]] | None:
    """`[children, static]`: attributes of the first parameter among the children, and those kept as they are beside."""
    body = list(statements(function.body.body, into_definitions=False))
    returned = [node.expr for node in body if isinstance(node, ReturnStmt)]
    pair = returned[0] if len(returned) == 1 else None
    if not function.arguments or not isinstance(pair, TupleExpr) or len(pair.items) != 2:
        return None
    name, local = function.arguments[0].variable.name, _bound(body)
    made, auxiliary = (_expand(item, local) for item in pair.items)
    data = _children(made, name, local) if isinstance(made, (TupleExpr, ListExpr)) else None
    return None if data is None else [data, [kept for kept in _kept(auxiliary, name, local, set()) if kept not in data]]


_Local = dict[str, Expression | None]


def _bound(body: list[Statement]) -> _Local:
    """Local names, and what each is bound to; None where more than one assignment makes it."""
    bound: _Local = {}
    for node in body:
        for name, value in _bindings(node):
            bound[name] = None if name in bound else value
    return bound


def _bindings(node: Statement) -> Iterator[tuple[str, Expression | None]]:
    if isinstance(node, ForStmt):
        yield from ((part.name, None) for part in walk(node.index) if isinstance(part, NameExpr))
    elif isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr):
        yield from ((name, None) for name in _root(node.expr.callee))  # `children.append(...)`
    for target in assignment_targets(node):
        if isinstance(target, NameExpr):
            whole = isinstance(node, AssignmentStmt) and target in node.lvalues
            yield target.name, node.rvalue if whole and isinstance(node, AssignmentStmt) else None
        else:
            yield from ((name, None) for name in _root(target))


def _root(node: Expression) -> list[str]:
    """The name at the root of `name.part` or `name[part]`."""
    while isinstance(node, (MemberExpr, IndexExpr)):
        node = node.expr if isinstance(node, MemberExpr) else node.base
    return [node.name] if isinstance(node, NameExpr) else []


def _expand(node: Expression, local: _Local) -> Expression:
    return (local.get(node.name) or node) if isinstance(node, NameExpr) else node


def _children(node: Node, of: str, local: _Local) -> list[str] | None:
    """Every attribute of a name that the children mention; None where they come from something that is not followed."""
    found: list[str] = []
    pending, followed = [node], set[str]()
    while pending:
        part = pending.pop(0)
        below = _below(part, of, local)
        if below is None:
            return None
        if isinstance(part, MemberExpr) and _is_attribute(part, of):
            found.append(part.name)
        elif not isinstance(part, NameExpr) or part.name not in followed:
            followed.update([part.name] if isinstance(part, NameExpr) else ())
            pending += below
    return list(dict.fromkeys(found))


def _below(node: Node, of: str, local: _Local) -> list[Node] | None:
    """What a part of the children is made of; None where that is not known: the whole object, a variable of a loop."""
    if isinstance(node, NameExpr):
        value = local.get(node.name)
        return [value] if value is not None else [] if node.name in _CONSTANTS else None
    if isinstance(node, MemberExpr) and _is_attribute(node, of):
        return None if node.name.startswith("__") else []
    if isinstance(node, CallExpr):
        if _is_attribute(node.callee, of):
            return None
        if not {of, *local}.intersection(_root(node.callee)):
            return [*node.args]  # of a function from elsewhere
    return children(node)


def _kept(node: Expression, of: str, local: _Local, followed: set[str]) -> Iterator[str]:
    """Attributes that stand as they are in a tuple, list or dict; not what is made from one."""
    if isinstance(node, NameExpr):
        value = local.get(node.name) if node.name not in followed else None
        followed.add(node.name)
        yield from _kept(value, of, local, followed) if value is not None else ()
    elif isinstance(node, MemberExpr) and _is_attribute(node, of):
        yield node.name
    elif isinstance(node, (TupleExpr, ListExpr)):
        for item in node.items:
            yield from _kept(item, of, local, followed)
    elif isinstance(node, DictExpr):
        for _, value in node.items:
            yield from _kept(value, of, local, followed)


def _is_attribute(node: object, of: str) -> bool:
    return isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and node.expr.name == of
