"""On which values of its function's parameters it depends whether some code runs, and what calls pass for them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from mypy.nodes import (
    Block,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    FuncDef,
    IfStmt,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    TupleExpr,
    UnaryExpr,
)

from ...source.surroundings import nodes_around, parents_below
from ...syntax.arguments import unpacks
from ...syntax.literals import is_none, literal
from ...syntax.names import is_named
from ...syntax.trees import covers, last_statement
from .bodies import Body, Bound, bodies

Constant = bool | int | str | None
_SELF: Final = "self"  # `Base.step(self, x)` counts its arguments from another one on
_EQUAL: Final[Mapping[str, bool]] = {"is": True, "==": True, "is not": False, "!=": False}


class Condition(NamedTuple):
    """A test of a parameter, and the outcome without which the code does not run."""

    parameter: str
    outcome: bool
    compared: tuple[Constant, ...] = ()  # with one value; with none: whether it counts as true

    def allows(self, value: Constant) -> bool:
        found = value == self.compared[0] if self.compared else bool(value)
        return found is self.outcome


class Given(NamedTuple):
    """What a call passes for a parameter, or a parameter has as its default."""

    key: int | str  # the position or the name of the parameter
    value: tuple[Constant, ...] = ()  # the constant that it is; empty for anything else
    parameter: str = ""  # the parameter of the function around the call that it is
    is_something: bool = False  # it is not None, as far as the source shows


class _Guards(NamedTuple):
    """The statements of a block behind which code goes on only if a test fails: `if not flag: return`."""

    indices: Mapping[Node, int]  # of all statements
    tests: Sequence[tuple[int, Expression]]


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions in the functions of a file."""

    _guards: dict[Block, _Guards] = field(default_factory=dict)

    def of(self, around: Sequence[Node], body: Body) -> tuple[Condition, ...]:
        """Those under which the body, a function's, gets to a node. `around`: the nodes around it, itself first."""
        if body.function is None or not body.function.arguments:
            return ()
        found: dict[Condition, None] = {}
        for child, parent in pairwise(around):
            if parent is body.function:
                break
            tests = self._before(child, parent) if isinstance(parent, Block) else _tests(child, parent)
            for test, outcome in tests:
                known = (condition for condition in _read(test, outcome=outcome) if _is_given(condition, test, body))
                found.update((condition, None) for condition in known)
        return tuple(found)

    def _before(self, child: Node, block: Block) -> Iterator[tuple[Expression, bool]]:
        if block not in self._guards:
            indices: dict[Node, int] = {node: index for index, node in enumerate(block.body)}
            leaving = (node for node in block.body if isinstance(node, IfStmt) and node.else_body is None)
            tests = [(indices[node], node.expr[0]) for node in leaving if _leaves(node.body[0])]
            self._guards[block] = _Guards(indices, tests)
        guards = self._guards[block]
        index = guards.indices.get(child, 0)
        return ((test, False) for guard, test in guards.tests if guard < index)


@dataclass(frozen=True, eq=False)
class ConditionsAtLines:
    """The conditions of a file, which is read once for all of its lines."""

    file: MypyFile
    _conditions: Conditions = field(default_factory=Conditions)

    @cached_property
    def _bodies(self) -> list[Body]:
        return bodies(self.file)

    @cached_property
    def _parents(self) -> Mapping[Node, Node]:
        return parents_below(self.file)

    def at(self, line: int) -> Iterator[tuple[str, tuple[Condition, ...]]]:
        """Those of the code at a line, for each function around it."""
        inner = [body for body in self._bodies if body.function is not None and covers(body.function, line)]
        if not inner:
            return
        own = [node for node in inner[-1].nodes if isinstance(node, Statement | Decorator) and covers(node, line)]
        node = max(own, key=lambda node: node.line, default=inner[-1].function)
        lambdas = [body.function for body in inner[-1].nested if isinstance(body.function, LambdaExpr)]
        at_line = [made for made in lambdas if made.line == line]
        node = at_line[0] if len(at_line) == 1 else node  # it is what a finding at this line is about
        body: Body | None = inner[-1]
        while body is not None and body.function is not None and node is not None:
            yield body.name, self._conditions.of(nodes_around(node, self._parents), body)
            node, body = body.function, body.outer


def given_to(call: CallExpr, body: Body) -> tuple[Given, ...] | None:
    """What a call passes, as far as it is a constant or a parameter of the function around; None if that is hidden."""
    if unpacks(call) or (call.args and is_named(call.args[0], _SELF)):
        return None
    keys = (name if name is not None else index for index, name in enumerate(call.arg_names))
    return tuple(_given(key, value, body) for key, value in zip(keys, call.args, strict=True))


def parameters_of(function: FuncDef) -> tuple[Given, ...]:
    """The parameters of a function by name, each with its default."""
    plain = (argument for argument in function.arguments if not argument.kind.is_star())
    return tuple(Given(argument.variable.name, _constant(argument.initializer)) for argument in plain)


def _given(key: int | str, node: Expression, body: Body) -> Given:
    if isinstance(node, NameExpr) and body.function is not None and _is_constant(node.name, body):
        return Given(key, parameter=node.name)
    return Given(key, _constant(node), is_something=_is_something(node, body))


def _is_something(node: Expression, body: Body) -> bool:
    """Whether a value is made where it stands, or has a name that nothing there binds to None: an object, a function.

    An attribute may be None, unless it is one of a module.
    """
    if isinstance(node, MemberExpr):
        return isinstance(node.expr, NameExpr) and not _is_bound(node.expr.name, body)
    if isinstance(node, NameExpr):
        return all(_is_made(bound) for bound in body.bound.get(node.name, ()))
    return isinstance(node, (CallExpr, LambdaExpr, TupleExpr))


def _is_bound(name: str, body: Body | None) -> bool:
    """Whether a function, or one around it, binds a name; or the module does, other than by an import."""
    while body is not None:
        if name in body.bound:
            return True
        body = body.outer
    return False


def _is_made(bound: Bound) -> bool:
    return isinstance(bound.binding.whole, (CallExpr, LambdaExpr, TupleExpr))


def _constant(node: Expression | None) -> tuple[Constant, ...]:
    value = literal(node) if node is not None else None
    return (value,) if is_none(node) or isinstance(value, bool | int | str) else ()


def _is_constant(name: str, body: Body) -> bool:
    """Whether a name is a parameter of a function that binds it to nothing else."""
    bound = body.bound.get(name, ())
    return len(bound) == 1 and bound[0].binding.is_parameter and not bound[0].is_many and name not in body.foreign


def _is_given(condition: Condition, test: Expression, body: Body) -> bool:
    """Whether a test asks what the call gave: what binds the parameter to something else comes after it."""
    bound = body.bound.get(condition.parameter, ())
    if not bound or not bound[0].binding.is_parameter or bound[0].is_many or condition.parameter in body.foreign:
        return False
    later = (other.binding.value for other in bound[1:])
    return len(bound) == 1 or (
        test not in body.repeated and all(value is not None and value.line >= test.line for value in later)
    )


def _tests(child: Node, parent: Node) -> Iterator[tuple[Expression, bool]]:
    """The tests that the code around a part of a node makes, each with the outcome that leads to that part."""
    match parent:
        case IfStmt() if isinstance(child, Block):
            index = parent.body.index(child) if child in parent.body else len(parent.body)
            yield from ((test, False) for test in parent.expr[:index])
            yield from ((test, True) for test in parent.expr[index : index + 1])
        case ConditionalExpr() if child is not parent.cond:
            yield parent.cond, child is parent.if_expr
        case OpExpr(op="and" | "or") if child is parent.right:
            yield parent.left, parent.op == "and"


def _leaves(block: Block) -> bool:
    return isinstance(last_statement(block), RaiseStmt | ReturnStmt)


def _read(test: Expression, *, outcome: bool) -> Iterator[Condition]:
    """What a test asks of names, if it has this outcome."""
    match test:
        case NameExpr():
            yield Condition(test.name, outcome)
        case UnaryExpr(op="not"):
            yield from _read(test.expr, outcome=not outcome)
        case OpExpr(op="and" | "or") if (test.op == "and") is outcome:
            yield from (*_read(test.left, outcome=outcome), *_read(test.right, outcome=outcome))
        case ComparisonExpr(operators=[operator], operands=[NameExpr() as asked, other]) if operator in _EQUAL:
            if compared := _constant(other):
                yield Condition(asked.name, outcome is _EQUAL[operator], compared)
