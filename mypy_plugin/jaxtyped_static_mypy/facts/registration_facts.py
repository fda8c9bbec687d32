"""Reads calls that register classes with JAX, in the module of the class or in another."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypedDict

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    LambdaExpr,
    ListExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    Statement,
    TupleExpr,
    TypeInfo,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import enclosing_function, file_of, resolve_name
from ..knowledge.full_names import FLATTEN_METHODS
from ..memory import keep_last
from ..syntax.literals import keywords
from ..syntax.names import attribute_of, dotted_name, is_named
from ..syntax.stand_ins import is_text
from ..syntax.trees import ByKind, mentioned_names, names_and_attributes, statements
from .class_body import ClassBody
from .flatten_facts import FlattenFacts, read_flatten
from .helpers import Helpers, named_arguments, positional_arguments

_REGISTER: Final = "register_"  # how every function that registers a class begins
_REGISTERING: Final = (ExpressionStmt, AssignmentStmt, ForStmt)  # statements that can
_HANDING: Final = (ExpressionStmt, ForStmt)  # statements that may pass a class to what registers it
_FLATTENS: Final = ("register_pytree_node", "register_pytree_with_keys")


class RegistrationFacts(TypedDict, total=False):
    """Facts of the calls that register a class, in its module or known to the one being checked."""

    registrations: list[list[Any]]  # full name and literal arguments of each
    mentioned: bool  # in a statement that might register it
    flatten: FlattenFacts | None


def read_registrations(cls: ClassDef, body: ClassBody, helpers: Helpers) -> RegistrationFacts:
    api, methods = helpers.api, body.methods
    scope = _registering_in(enclosing_function(api) or file_of(api))
    facts: RegistrationFacts = {"mentioned": cls.name in scope.mentioned}
    if cls.name not in scope.calls and methods.keys().isdisjoint(FLATTEN_METHODS):
        return facts
    found = [(name, call) for call in scope.calls.get(cls.name, ()) if (name := _callee(call, api)) is not None]
    facts["registrations"] = [
        applied
        for name, call in found
        for applied in helpers.applied(name, keywords(call), positional_arguments(call, 1))
    ]
    taken = [call.args[1] for name, call in found if _takes_flatten(name, call)]
    passed = [_method(node, cls, methods) or _function(node, scope.functions) for node in taken]
    written = [methods[name] for name in FLATTEN_METHODS if name in methods and not taken]
    read = next((function for function in (*passed, *written) if function is not None), None)
    if read is not None:
        facts["flatten"] = read_flatten(read)
    return facts


def _callee(call: CallExpr, api: SemanticAnalyzerPluginInterface) -> str | None:
    name = dotted_name(call.callee)
    return resolve_name(api, name, call) if name is not None else None


def _takes_flatten(name: str, call: CallExpr) -> bool:
    return name.rpartition(".")[2] in _FLATTENS and len(call.args) > 1


def read_foreign_registrations(file: MypyFile) -> dict[str, RegistrationFacts]:
    """The facts of classes of other modules that a module registers, by full name."""
    body = list(statements(file.defs, into_definitions=False))
    functions = {node.name: node for node in body if isinstance(node, FuncDef)}
    found: dict[str, RegistrationFacts] = {}
    for registered, call in (pair for node in body for pair in _registrations(node)):
        info, callee = registered.node, call.callee
        if isinstance(info, TypeInfo) and info.module_name != file.fullname and isinstance(callee, RefExpr):
            arguments = named_arguments(callee.fullname, positional_arguments(call, 1))
            facts = found.setdefault(info.fullname, {"registrations": []})
            facts["registrations"].append([callee.fullname, arguments | keywords(call)])
            flatten = _function(call.args[1], functions) if _takes_flatten(callee.fullname, call) else None
            facts["flatten"] = read_flatten(flatten) if flatten is not None else None
    return found


# Which statements register a class


class Registering(NamedTuple):
    """What registers classes, or might, in a module or in a function that defines classes."""

    calls: dict[str, list[CallExpr]]
    functions: dict[str, FuncDef]
    mentioned: set[str]  # names passed to something that might register them, also inside functions


@keep_last
def _registering_in(node: MypyFile | FuncItem) -> Registering:
    """What registers classes in a module or function; mypy analyses its classes one after another."""
    body = node.defs if isinstance(node, MypyFile) else node.body.body
    everywhere = ByKind(statements(body))
    classes = {definition.name for definition in everywhere.of(ClassDef)}
    handing = [*everywhere.of(ForStmt), *(node for node in everywhere.of(ExpressionStmt) if _has_any(node, classes))]
    found = Registering({}, {}, {name for statement in handing for name in names_maybe_registered(statement)})
    for statement in statements(body, into_definitions=False):
        if isinstance(statement, FuncDef):
            found.functions[statement.name] = statement
        elif isinstance(statement, _REGISTERING):
            for registered, call in _registrations(statement):
                if isinstance(registered, NameExpr):
                    found.calls.setdefault(registered.name, []).append(call)
    return found


def _has_any(node: ExpressionStmt, names: set[str]) -> bool:
    """Whether one of these names is in a statement. Most have none."""
    found, attributes = names_and_attributes(node.expr)
    return not names.isdisjoint([*(name.name for name in found), *(member.name for member in attributes)])


def names_maybe_registered(node: Statement) -> Iterable[str]:
    """Names in a statement whose value is not used, such as `register(Cls)`, which might register them."""
    return mentioned_names(node) if isinstance(node, _HANDING) and not is_text(node) else ()


def _registrations(node: Statement) -> Iterator[tuple[RefExpr, CallExpr]]:
    """`register(A)`, `A = register(A)`, `for cls in (A, B): register(cls)`."""
    if isinstance(node, (ExpressionStmt, AssignmentStmt)):
        call = node.expr if isinstance(node, ExpressionStmt) else node.rvalue
        if (registered := _first_argument(call)) is not None and isinstance(call, CallExpr):
            yield registered, call
    elif isinstance(node, ForStmt) and isinstance(node.index, NameExpr):
        items = node.expr.items if isinstance(node.expr, (ListExpr, TupleExpr)) else []
        for call in (inner.expr for inner in node.body.body if isinstance(inner, ExpressionStmt)):
            if isinstance(call, CallExpr) and is_named(_first_argument(call), node.index.name):
                yield from ((item, call) for item in items if isinstance(item, RefExpr))


def _first_argument(node: Expression) -> RefExpr | None:
    """The first argument of a register function, if it is a name."""
    if not isinstance(node, CallExpr) or not node.args or not isinstance(node.args[0], RefExpr):
        return None
    called = (dotted_name(node.callee) or "").rpartition(".")[2]
    return node.args[0] if called.startswith(_REGISTER) else None


def _function(node: Expression, functions: dict[str, FuncDef]) -> FuncItem | None:
    """The flatten function that is passed: a lambda, or a function of the same scope."""
    if isinstance(node, LambdaExpr):
        return node
    return functions.get(node.name) if isinstance(node, NameExpr) else None


def _method(node: Expression, cls: ClassDef, methods: dict[str, FuncDef]) -> FuncItem | None:
    return methods.get(attribute_of(node, cls.name) or "")
