"""Whether a result surely depends on a parameter through a loop of JAX whose number of passes the trace does not know.

JAX cannot go through such a loop backwards. Each value is known as far as it surely has a derivative by the parameter:
what is not followed has none, so that nothing is said of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    ReturnStmt,
    SliceExpr,
    Statement,
    TupleExpr,
    UnaryExpr,
    Var,
    WithStmt,
)

from ..knowledge.differentiable import DIFFERENTIABLE
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import jax_name
from ..knowledge.members import AS_ARRAY
from ..libraries import known_function
from ..source.bindings import bound_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.functions import functions_around
from ..syntax.arguments import argument, unpacks
from ..syntax.imports import full_name
from ..syntax.trees import statements
from .handed_functions import Handed, handed
from .traced.analysis import analysis_of
from .traced.values import without_value
from .ways import Way, Ways, common, flat, joined, least, looped, most
from .written_values import written_value

_MAX_DEPTH: Final = 8  # of functions that are followed
_MAX_CALLS: Final = 300  # of them, in all
_OPEN_LOOPS: Final = frozenset({"lax.fori_loop", "lax.while_loop"})
_PASSES: Final = 3  # after which the parts of a carry have what they get from each other, mostly
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "**", "@"})
_KEEPING_ATTRIBUTES: Final = frozenset({"T", "mT", "real"})
_SELECTING: Final = "where"  # its first argument has no derivative
_SAME: Final = ("api.jit", "ad_checkpoint.checkpoint", "ad_checkpoint.remat", "api.vmap")


_Names = Mapping[Var, Ways]


def loop_on_the_way(function: Handed, positions: Iterable[int], file: CheckedFile) -> CallExpr | None:
    """The loop through which the first result of a function depends on these of its parameters; None if none is."""
    if not _has_loops(file):
        return None
    walk = _Walk(file, [], [])
    given = [Way.DIRECT if index in set(positions) else Way.UNKNOWN for index in range(len(function.parameters))]
    returned = walk.call(function, given, {}, _MAX_DEPTH)
    first = returned[0] if isinstance(returned, tuple) and returned else returned
    return walk.loops[0] if first == Way.LOOPED and walk.loops else None


@once_per_file
def _has_loops(file: CheckedFile) -> bool:
    """Whether a file loops at all: only its own functions are followed."""
    names = (jax_name(full_name(call.callee, file.tree)) for call in file.calls)
    return any(name in _OPEN_LOOPS for name in names)


class _Walk(NamedTuple):
    """Goes through the bodies of functions; `loops`: those of unknown length that a derivative meets."""

    file: CheckedFile
    loops: list[CallExpr]
    followed: list[FuncItem]  # each call of each function

    def call(self, function: Handed, given: Sequence[Ways], names: _Names, depth: int) -> Ways:
        """What a call of a function returns, in the surroundings that its free variables have."""
        definition = function.function
        if depth <= 0 or len(self.followed) > _MAX_CALLS or not _is_plain(definition, self.file):
            return Way.UNKNOWN
        self.followed.append(definition)
        variables = {one.variable.name: one.variable for one in definition.arguments}
        bound: dict[Var, Ways] = {**names, **dict.fromkeys(variables.values(), Way.UNKNOWN)}
        for value, taken in zip(given, function.parameters, strict=False):
            if taken.kind.is_positional() and taken.name in variables:
                bound[variables[taken.name]] = value
        returned: list[Ways] = []
        _Body(self, bound, returned, depth - 1).run(definition.body)
        return common(returned)


class _Body(NamedTuple):
    """One run of a function."""

    walk: _Walk
    names: dict[Var, Ways]
    returned: list[Ways]
    depth: int

    def run(self, block: Block) -> None:
        for statement in block.body:
            self._follow(statement)

    def _follow(self, statement: Statement) -> None:
        if isinstance(statement, AssignmentStmt):
            value = self.read(statement.rvalue)
            for target in statement.lvalues:
                self._bind(target, value)
        elif isinstance(statement, OperatorAssignmentStmt):
            is_known = statement.op in _ARITHMETIC
            both = most([self.read(statement.lvalue), self.read(statement.rvalue)]) if is_known else Way.UNKNOWN
            self._bind(statement.lvalue, both)
        elif isinstance(statement, ReturnStmt):
            self.returned.append(self.read(statement.expr) if statement.expr is not None else Way.UNKNOWN)
        elif isinstance(statement, (ForStmt, WithStmt)):
            self.run(statement.body)
        elif isinstance(statement, IfStmt):
            self._choose(statement)
        else:
            self._forget(statement)

    def _forget(self, statement: Statement) -> None:
        """What other statements assign is not known."""
        for node in statements([statement]):
            self.names.update((variable, Way.UNKNOWN) for variable, _ in bound_by(node) if isinstance(variable, Var))

    def _choose(self, statement: IfStmt) -> None:
        """A name has what it has after each of the branches."""
        ends = []
        for block in (*statement.body, statement.else_body):
            branch = self._replace(names=dict(self.names))
            if block is not None:
                branch.run(block)
            ends.append(branch.names)
        for variable in set().union(*ends):
            self.names[variable] = common([names.get(variable, Way.UNKNOWN) for names in ends])

    def _bind(self, target: Expression, value: Ways) -> None:
        if isinstance(target, NameExpr) and isinstance(target.node, Var):
            self.names[target.node] = value
        elif isinstance(target, (TupleExpr, ListExpr)):
            is_fitting = isinstance(value, tuple) and len(value) == len(target.items)
            parts = value if is_fitting and isinstance(value, tuple) else (least(value),) * len(target.items)
            for item, part in zip(target.items, parts, strict=True):
                self._bind(item, part)

    def read(self, node: Expression) -> Ways:
        read = _READ.get(type(node))
        return read(self, node) if read is not None else Way.UNKNOWN

    def read_all(self, nodes: Iterable[Expression]) -> list[Ways]:
        return [self.read(node) for node in nodes]

    def function(self, node: Expression | None) -> Handed | None:
        """The function that an expression stands for, unless it has a derivative of its own, or another result."""
        found = handed(node, self.walk.file) if node is not None else None
        return found if found is not None and not found.is_transformed else None

    def call(self, node: Expression | None, given: Sequence[Ways]) -> Ways:
        function = self.function(node)
        return self.walk.call(function, given, self.names, self.depth) if function is not None else Way.UNKNOWN


def _is_plain(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a call runs the body of a function, and JAX finds its derivative from that."""
    if isinstance(function, LambdaExpr):
        return True
    if not isinstance(function, FuncDef) or not file.defines(function) or function.is_generator:
        return False
    decorator = file.decorators.get(function)
    layers = [full_name(one, file.tree) for one in decorator.original_decorators] if decorator is not None else []
    return not any(known_function(layer).effects & Effect.TAKES_RULES for layer in layers)


def _of_item(body: _Body, node: IndexExpr) -> Ways:
    value = body.read(node.base)
    if not isinstance(value, tuple) or isinstance(node.index, SliceExpr):
        return least(value) if isinstance(value, tuple) else value
    index = node.index.value if isinstance(node.index, IntExpr) else None
    return value[index] if index is not None and index < len(value) else least(value)


def _of_call(body: _Body, call: CallExpr) -> Ways:
    if unpacks(call):
        return Way.UNKNOWN
    file = body.walk.file
    name = jax_name(full_name(call.callee, file.tree))
    if name is not None:
        read = _LOOPS.get(name)
        return read(body, call) if read is not None else _of_jax(body, call, name.rpartition(".")[2])
    made = written_value(call.callee, file)
    if isinstance(made, CallExpr) and jax_name(full_name(made.callee, file.tree)) in _SAME and made.args:
        return body.call(made.args[0], body.read_all(call.args))
    if isinstance(call.callee, MemberExpr) and call.callee.name in DIFFERENTIABLE:
        value = body.read(call.callee.expr)
        if value is not Way.UNKNOWN and not isinstance(value, tuple):
            return value
    if any(one is not None for one in call.arg_names):
        return Way.UNKNOWN
    return body.call(call.callee, body.read_all(call.args))


def _of_jax(body: _Body, call: CallExpr, name: str) -> Ways:
    if name not in DIFFERENTIABLE or (name in AS_ARRAY and len(call.args) > 1):
        return Way.UNKNOWN  # the second argument of `array` may say that it holds integers
    given = body.read_all(call.args[1:] if name == _SELECTING else call.args)
    return max(map(flat, given), default=Way.UNKNOWN)


def _carried(body: _Body, first: Expression | None, step: Callable[[Ways], Ways]) -> Ways:
    carry = body.read(first) if first is not None else Way.UNKNOWN
    for _ in range(_PASSES):
        carry = joined([carry, step(carry)])
    return carry


def _of_while(body: _Body, call: CallExpr) -> Ways:
    step = argument(call, 1, "body_fun")
    carry = looped(_carried(body, argument(call, 2, "init_val"), lambda carry: body.call(step, [carry])))
    return _noted(body, call, carry)


def _of_fori(body: _Body, call: CallExpr) -> Ways:
    step = argument(call, 2, "body_fun")
    first = argument(call, 3, "init_val")
    carry = _carried(body, first, lambda carry: body.call(step, [Way.UNKNOWN, carry]))
    bounds = (argument(call, 0, "lower"), argument(call, 1, "upper"))
    is_open = any(bound is not None and _is_traced(bound, body.walk.file) for bound in bounds)
    return _noted(body, call, looped(carry)) if is_open else carry


def _noted(body: _Body, call: CallExpr, carry: Ways) -> Ways:
    if flat(carry) is Way.LOOPED and call not in body.walk.loops:
        body.walk.loops.append(call)
    return carry


def _of_scan(body: _Body, call: CallExpr) -> Ways:
    step, items = argument(call, 0, "f"), argument(call, 2, "xs")
    item = body.read(items) if items is not None else Way.UNKNOWN

    def after(carry: Ways) -> tuple[Ways, Ways]:
        returned = body.call(step, [carry, item])
        return (returned[0], returned[1]) if isinstance(returned, tuple) and len(returned) == 2 else (Way.UNKNOWN,) * 2

    carry = _carried(body, argument(call, 1, "init"), lambda carry: after(carry)[0])
    return carry, after(carry)[1]


def _of_branches(body: _Body, call: CallExpr) -> Ways:
    """JAX differentiates all branches, whichever runs."""
    branches: Sequence[Expression | None]
    if jax_name(full_name(call.callee, body.walk.file.tree)) == "lax.cond":
        branches, operands = [argument(call, 1, "true_fun"), argument(call, 2, "false_fun")], call.args[3:]
    else:
        listed = argument(call, 1, "branches")
        branches, operands = listed.items if isinstance(listed, (ListExpr, TupleExpr)) else [], call.args[2:]
    given = body.read_all(operands)
    return joined([body.call(branch, given) for branch in branches])


def _is_traced(bound: Expression, file: CheckedFile) -> bool:
    around = functions_around(bound.line, file)
    return bool(around) and without_value(analysis_of(file, around[0].node).arguments.get(bound)) is not None


_LOOPS: Final[Mapping[str, Callable[[_Body, CallExpr], Ways]]] = {
    "lax.while_loop": _of_while,
    "lax.fori_loop": _of_fori,
    "lax.scan": _of_scan,
    "lax.cond": _of_branches,
    "lax.switch": _of_branches,
}
_READ: Final[Mapping[type[Expression], Callable[[_Body, Any], Ways]]] = {
    NameExpr: lambda body, node: body.names.get(node.node, Way.UNKNOWN),
    TupleExpr: lambda body, node: tuple(body.read_all(node.items)),
    ListExpr: lambda body, node: tuple(body.read_all(node.items)),
    DictExpr: lambda body, node: tuple(body.read_all(value for _, value in node.items)),
    OpExpr: lambda body, node: most(body.read_all([node.left, node.right])) if node.op in _ARITHMETIC else Way.UNKNOWN,
    UnaryExpr: lambda body, node: body.read(node.expr) if node.op == "-" else Way.UNKNOWN,
    ConditionalExpr: lambda body, node: common(body.read_all([node.if_expr, node.else_expr])),
    IndexExpr: _of_item,
    MemberExpr: lambda body, node: body.read(node.expr) if node.name in _KEEPING_ATTRIBUTES else Way.UNKNOWN,
    CallExpr: _of_call,
}
