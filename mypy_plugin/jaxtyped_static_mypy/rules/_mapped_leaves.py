"""jax-call: `jax.tree.map` of a function that waits for a node of the tree, and gets its leaves: it changes nothing."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    Block,
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    IfStmt,
    LambdaExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    ReturnStmt,
    Statement,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)

from ..classes import class_model
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..compat.modules import is_installed
from ..knowledge.full_names import JAX
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import jax_function
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile
from ..source.parameters import parameters
from ..syntax.arguments import unpacks
from ..syntax.names import dotted_name, function_of
from ..syntax.stand_ins import is_text
from ._refused import JaxCall, Refused

_IS_LEAF: Final = "is_leaf"
_WITH_PATH: Final = "with_path"  # a function gets the path of each leaf first
_ISINSTANCE: Final = "builtins.isinstance"
_NODES: Final = frozenset(
    {
        "builtins.dict",
        "builtins.list",
        "builtins.tuple",
        "collections.OrderedDict",
        "collections.defaultdict",
    }
)
_WAITS: Final = Message(
    '"{callee}" passes leaves, never a {cls}, so this call changes nothing',
    "say where it stops: is_leaf=lambda node: isinstance(node, {cls})",
    kind="leaves-unchanged",
)


def mapped_leaves(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    """A function that returns every leaf as it is, because it changes only what is a node of trees."""
    call = found.call
    is_map = found.made_by is None and Effect.MAPS_LEAVES in jax_function(f"{JAX}{found.name}").effects
    if (
        not is_map
        or found.name.endswith(_WITH_PATH)
        or unpacks(call)
        or _IS_LEAF in call.arg_names
        or len(call.args) != 2
    ):
        return
    function = function_of(call.args[0])
    if not isinstance(function, (FuncDef, LambdaExpr)) or not _is_read(function, file):
        return
    variable = next((one.variable for one in parameters(function)), None)
    if variable is None or bindings_of(variable, file):
        return
    cls = _awaited(function, variable, file)
    if cls is not None:
        statement = _WAITS.fill(callee=dotted_name(call.callee) or found.name, cls=cls)
        yield Refused(call, statement, Harm.WRONG)


def _is_read(function: FuncDef | LambdaExpr, file: CheckedFile) -> bool:
    """Whether mypy has its parameters and body: of other modules it may have read the types only, from its cache."""
    return not isinstance(function, FuncDef) or (not function.is_decorated and file.defines(function))


def _awaited(function: FuncDef | LambdaExpr, variable: Var, file: CheckedFile) -> str | None:
    """The class of nodes for which a function waits, if it returns anything else as it is."""
    body = [node for node in function.body.body if not is_text(node)]
    match body:
        case [ReturnStmt(expr=ConditionalExpr(cond=asked, else_expr=other))] if _is(other, variable):
            return _node_asked(asked, variable, file)
        case [IfStmt(expr=[UnaryExpr(op="not", expr=asked)], body=[returning]), *_] if _returns(returning, variable):
            return _node_asked(asked, variable, file)
        case [*tests, ReturnStmt(expr=NameExpr() as last)] if tests and _is(last, variable):
            return _node_of_all(tests, variable, file)
    return None


def _node_of_all(tests: Sequence[Statement], variable: Var, file: CheckedFile) -> str | None:
    found: list[str] = []
    for node in tests:
        alone = node.expr[0] if isinstance(node, IfStmt) and len(node.expr) == 1 and node.else_body is None else None
        cls = _node_asked(alone, variable, file) if alone is not None else None
        if cls is None:
            return None
        found.append(cls)
    return found[0]


def _node_asked(condition: Expression, variable: Var, file: CheckedFile) -> str | None:
    """The class of nodes that a condition asks for, and that no leaf is."""
    if isinstance(condition, OpExpr) and condition.op == "and":
        return _node_asked(condition.left, variable, file) or _node_asked(condition.right, variable, file)
    match condition:
        case CallExpr(callee=RefExpr(fullname=name), args=[asked, classes]) if name == _ISINSTANCE:
            named = classes.items if isinstance(classes, TupleExpr) else [classes]
            are_nodes = _is(asked, variable) and all(_is_node(cls, file) for cls in named)
            return dotted_name(named[0]) if named and are_nodes else None
    return None


def _is_node(cls: Expression, file: CheckedFile) -> bool:
    info = cls.node if isinstance(cls, RefExpr) else None
    if not isinstance(info, TypeInfo):
        return False
    record_dependency(file.api, info.mro)
    if info.fullname in _NODES or info.is_named_tuple:
        return True
    module = mypy_api.module_of(file.api, info)  # a library may keep some of its own classes as leaves
    return class_model.is_pytree(info) and module is not None and not is_installed(module)


def _is(node: Expression, variable: Var) -> bool:
    return isinstance(node, NameExpr) and node.node is variable


def _returns(body: Block, variable: Var) -> bool:
    match body.body:
        case [ReturnStmt(expr=NameExpr() as returned)]:
            return _is(returned, variable)
    return False
