"""Classes that are registered with JAX by a call after their definition, and what a flatten function takes apart."""

import functools
from collections import Counter
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
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    ReturnStmt,
    Statement,
    TupleExpr,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from .compat_names import enclosing_function, file_of, resolve_name
from .literals import keywords, literal
from .syntax import dotted_name, statements, walk

_REGISTER: Final = "register_"  # how every function that registers a class begins
# Parameters of these functions after the class, by the last part of their name.
_PARAMETERS: Final = {"register_dataclass": ("data_fields", "meta_fields", "drop_fields")}
_FLATTENS: Final = ("register_pytree_node", "register_pytree_with_keys")
_METHODS: Final = ("tree_flatten", "tree_flatten_with_keys")

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
    known = _bound_once(body)
    children, auxiliary = (_expand(item, known) for item in pair.items)
    if not isinstance(children, (TupleExpr, ListExpr)):
        return None  # made by a call or a loop
    name = function.arguments[0].variable.name
    data = _attributes(children, name)
    return [data, [attribute for attribute in _kept(auxiliary, name) if attribute not in data]]


def _bound_once(body: list[Statement]) -> dict[str, Expression]:
    """Names that a body binds once, and what to."""
    assignments = [node for node in body if isinstance(node, AssignmentStmt)]
    bound = [
        (target.name, node.rvalue) for node in assignments for target in node.lvalues if isinstance(target, NameExpr)
    ]
    count = Counter(name for name, _ in bound)
    return {name: value for name, value in bound if count[name] == 1}


def _expand(node: Expression, known: dict[str, Expression]) -> Expression:
    return known.get(node.name, node) if isinstance(node, NameExpr) else node


def _attributes(node: Expression, of: str) -> list[str]:
    """Every attribute of a name that an expression mentions."""
    found = (part.name for part in walk(node) if _is_attribute(part, of) and isinstance(part, MemberExpr))
    return list(dict.fromkeys(found))


def _kept(node: Expression, of: str) -> Iterator[str]:
    """Attributes that stand as they are in a tuple, list or dict; not what is made from one."""
    if isinstance(node, MemberExpr) and _is_attribute(node, of):
        yield node.name
    elif isinstance(node, (TupleExpr, ListExpr)):
        for item in node.items:
            yield from _kept(item, of)
    elif isinstance(node, DictExpr):
        for _, value in node.items:
            yield from _kept(value, of)


def _is_attribute(node: object, of: str) -> bool:
    return isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and node.expr.name == of
