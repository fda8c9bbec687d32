"""Code that asks arrays for their values, and raises in every compiled function: `float(jnp.sum(x))`.

JAX traces whatever its functions compute there, also from constants. So this shows that nobody compiles the code, for
all that its parameters may be.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mypy.nodes import (
    AssertStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    TryStmt,
    UnaryExpr,
    WhileStmt,
)

from ..knowledge.full_names import ARRAY_MAKERS, JAX, NUMPY
from ..knowledge.jax_functions import jax_name, returns_one_array
from ..knowledge.members import ARRAY_METHODS
from ..syntax.names import last_name
from ..syntax.trees import nodes_below
from .values_given import Values, values_bound

NameOf = Callable[[Expression], str | None]

_NUMBERS: Final = frozenset({"bool", "complex", "float", "int"})
_HOST_ARRAYS: Final = frozenset({f"{NUMPY}.array", f"{NUMPY}.asarray"})
_BY_IDENTITY: Final = frozenset({"in", "is", "is not", "not in"})
# Below these, arrays have values in a trace, too; or the code asks first whether it is in one.
_CONCRETE_WITHIN: Final = frozenset({"ensure_compile_time_eval", "disable_jit"})
_TRACER: Final = "Tracer"
_MOST_STEPS: Final = 8  # from a name to the call that makes what it stands for


def asks_for_values(function: FuncItem, nodes: Sequence[Node], name_of: NameOf) -> bool:
    """Whether a function asks for the value of an array that it has from JAX, whatever it is called with.

    `nodes`: its own. `name_of`: the full name of what is called. Nothing below a flag or in a `try` counts.
    """
    asked = list(_asked(nodes, name_of))
    if not asked or any(map(_is_prepared, nodes)):
        return False
    arrays = _Arrays(function, nodes, name_of)
    left_out = {id(inner) for node in nodes for inner in _perhaps(node)}
    return any(id(node) not in left_out and arrays.has(value) for node, value in asked)


def _asked(nodes: Iterable[Node], name_of: NameOf) -> Iterator[tuple[Node, Expression]]:
    """What code makes a number or an array of NumPy's of, and what it branches on, with the node that does so."""
    for node in nodes:
        match node:
            case CallExpr(args=[value, *_], callee=NameExpr(name=name)) if name in _NUMBERS:
                yield node, value
            case CallExpr(args=[value, *_]) if name_of(node.callee) in _HOST_ARRAYS:
                yield node, value
            case IfStmt(expr=conditions):
                yield from ((node, condition) for condition in conditions)
            case WhileStmt(expr=condition) | AssertStmt(expr=condition):
                yield node, condition


def _is_prepared(node: Node) -> bool:
    name = last_name(node) if isinstance(node, (NameExpr, MemberExpr)) else ""
    return name in _CONCRETE_WITHIN or name.endswith(_TRACER)


def _perhaps(node: Node) -> Iterator[Node]:
    """What a flag may leave out, or what may raise."""
    if isinstance(node, TryStmt):
        yield from nodes_below(node.body)
    elif isinstance(node, IfStmt) and any(map(_is_flag, node.expr)):
        for block in (*node.body, node.else_body):
            yield from nodes_below(block) if block is not None else ()


def _is_flag(condition: Expression) -> bool:
    match condition:
        case UnaryExpr(op="not"):
            return _is_flag(condition.expr)
        case OpExpr(op="and" | "or"):
            return _is_flag(condition.left) or _is_flag(condition.right)
    return not isinstance(condition, ComparisonExpr)


@dataclass(frozen=True, eq=False)
class _Arrays:
    """The values of a function that are arrays, because functions of JAX compute them there."""

    function: FuncItem
    nodes: Sequence[Node]
    name_of: NameOf

    def has(self, value: Expression | FuncDef, steps: int = _MOST_STEPS) -> bool:
        if steps == 0:
            return False
        match value:
            case NameExpr():
                given = self._values.get(value.name, ()) if value.name not in self._parameters else ()
                return bool(given) and all(self.has(one, steps - 1) for one in given)
            case CallExpr():
                return self._returns_array(value, steps)
            case IndexExpr():
                return self.has(value.base, steps)
            case UnaryExpr() if value.op != "not":
                return self.has(value.expr, steps)
            case OpExpr(op="and" | "or"):
                return self.has(value.left, steps)
            case OpExpr():
                return self.has(value.left, steps) or self.has(value.right, steps)
            case ComparisonExpr(operators=[operator, *_]) if operator not in _BY_IDENTITY:
                return any(self.has(operand, steps) for operand in value.operands)
        return False

    def _returns_array(self, call: CallExpr, steps: int) -> bool:
        name = self.name_of(call.callee) or ""
        if name.startswith(JAX) and (name in ARRAY_MAKERS or returns_one_array(jax_name(name) or "", len(call.args))):
            return True
        callee = call.callee
        if not isinstance(callee, MemberExpr) or callee.name not in ARRAY_METHODS:
            return False
        return self.has(callee.expr, steps)

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(argument.variable.name for argument in self.function.arguments)

    @cached_property
    def _values(self) -> Values:
        return values_bound(self.nodes)
