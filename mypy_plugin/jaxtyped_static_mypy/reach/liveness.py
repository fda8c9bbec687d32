"""Where a value goes that a function makes: who calls it, and whether it leaves the function."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mypy.nodes import (
    LDEF,
    AssertStmt,
    AssertTypeExpr,
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    CastExpr,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, get_proper_type

from ..knowledge import naming
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import Surroundings, surroundings
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.assignments import assigned_pairs, targets_of
from ..syntax.decorators import applied, last_names
from ..syntax.trees import callee_name, is_self, names_declared_outside, nodes_below
from .uses import CERTAIN, Use, uses_of

_LEAVES_AS_IS: Final = frozenset({"classmethod", "property", "staticmethod"})


class Life(NamedTuple):
    """What becomes of a value in the function that makes it, and in those that it hands the value to."""

    calls: tuple[Node, ...]  # that call the value, or what holds nothing else
    handed: tuple[Node, ...]  # calls that hand it to a function of the file, which calls it
    is_returned: bool
    is_global: bool  # a name of the module holds it, which others may use
    leaves: bool  # perhaps: in another way than these

    @property
    def is_used_up(self) -> bool:
        """Whether the function calls the value, and drops it."""
        return bool(self.calls) and not self.leaves and not self.is_returned

    @property
    def places(self) -> tuple[Node, ...]:
        return (*self.calls, *self.handed)


@once_per_file
def life_of(file: CheckedFile, value: Node) -> Life:
    """`value`: an expression, or a decorated function."""
    walk = _Walk(file, surroundings(value, file).function, [value])
    while walk.pending and not walk.leaves:
        node = walk.pending.pop()
        if node not in walk.seen:
            walk.seen.add(node)
            walk.follow(node)
    return Life(tuple(walk.calls), tuple(walk.handed), walk.is_returned, walk.is_global, walk.leaves)


def is_used_up_on_each_pass(site: Surroundings, file: CheckedFile) -> bool:
    """Whether the value is only called, on the same pass of the same loop, and not kept."""
    life = life_of(file, site.around[0])
    on_pass = [_is_on_pass(surroundings(node, file), site) for node in life.places]
    return life.is_used_up and True in on_pass and False not in on_pass


def _is_on_pass(place: Surroundings, site: Surroundings) -> bool | None:
    """Whether the value is used on the pass that made it; None if that is not known, or the loop is over."""
    if place.function is not site.function:
        return False if place.loops else None
    if len(place.loops) < len(site.loops):
        return None
    return place.loops == site.loops and site.block in place.around


def is_used_up_on_each_call(site: Surroundings, file: CheckedFile) -> bool:
    """Whether the value never leaves the function around it, which calls it outside of loops.

    In a loop, one compilation may serve many calls.
    """
    if site.is_called:
        return True
    life = life_of(file, site.around[0])
    is_looped = any(surroundings(node, file).loops for node in life.places)
    return life.is_used_up and not life.is_global and not is_looped


def never_leaves(site: Surroundings, file: CheckedFile) -> bool:
    """Whether the value is only called in the function around it, or by what that hands it to."""
    life = life_of(file, site.around[0])
    return life.is_used_up and not life.is_global


def results_used_up(value: Node, maker: FuncDef, file: CheckedFile) -> Iterator[Node]:
    """The calls of the function that makes a value, and returns it, where the caller calls that, and drops it."""
    decorator, life = file.decorators.get(maker), life_of(file, value)
    is_kept = decorator is not None and not _LEAVES_AS_IS.issuperset(last_names(decorator))
    if life.leaves or not life.is_returned or is_kept:
        return
    for use in uses_of(file, maker).all:
        result = use.expression if maker.is_property else use.call
        if result is None or not _means(use, maker, file):
            continue
        site = surroundings(result, file)
        if is_used_up_on_each_pass(site, file) if site.repeating else is_used_up_on_each_call(site, file):
            yield result


def _means(use: Use, maker: FuncDef, file: CheckedFile) -> bool:
    """Whether a name means this function: that of a method on `self`, or on an object of its class."""
    holder = use.expression.expr if isinstance(use.expression, MemberExpr) else None
    if use.naming in CERTAIN or not maker.info or not isinstance(holder, NameExpr):
        return use.naming in CERTAIN
    if is_self(holder):
        around = surroundings(holder, file).around
        info = next((node.info for node in around if isinstance(node, ClassDef)), None)
    else:
        typ = get_proper_type(holder.node.type) if isinstance(holder.node, Var) else None
        info = typ.type if isinstance(typ, Instance) else None
    symbol = info.get(maker.name) if info is not None else None
    return symbol is not None and symbol.node in symbols_of(file.decorators.get(maker) or maker)


@dataclass
class _Walk:
    """Follows a value from where it is made to all of its uses."""

    file: CheckedFile
    root: FuncItem | None  # the function that makes it
    pending: list[Node]  # expressions with the value, and functions that hold it
    seen: set[Node] = field(default_factory=set)
    calls: list[Node] = field(default_factory=list)
    handed: list[Node] = field(default_factory=list)
    is_returned: bool = False
    is_global: bool = False
    leaves: bool = False

    def follow(self, value: Node) -> None:
        if isinstance(value, (FuncDef, Decorator)):
            self._define(value)
            return
        place = surroundings(value, self.file)
        match place.parent:
            case CallExpr(callee=callee) as call if callee is value:
                self.calls.append(call)
            case CallExpr() as call:
                self._hand(value, call)
            case AssignmentExpr(value=bound, target=target) as parent if bound is value:
                self.pending.append(parent)
                self._bind(target, parent)
            case ConditionalExpr(cond=condition) as parent:
                self.pending += [parent] if condition is not value else []
            case OpExpr(op="and" | "or") as parent:
                self.pending.append(parent)
            case AssignmentStmt() as parent:
                self._assign(parent, value)
            case TupleExpr() | ListExpr() as parent if _is_taken_apart(parent, place):
                self._assign(place.around[2], value)
            case ReturnStmt() if place.function is self.root:
                self.is_returned = True
            case AssertStmt() | ComparisonExpr() | ExpressionStmt() | IfStmt() | UnaryExpr(op="not"):
                pass  # drops it, or only looks whether it is there
            case _:
                self.leaves = True

    def _assign(self, statement: Node, value: Node) -> None:
        pairs = assigned_pairs(statement) if isinstance(statement, AssignmentStmt) else ()
        targets = [target for target, given in pairs if given is value]
        self.leaves = self.leaves or not targets
        for target in targets:
            self._bind(target, statement)

    def _bind(self, target: Expression, binding: Node) -> None:
        """Follows a name to its uses."""
        root = surroundings(target, self.file).function
        symbol = target.node if isinstance(target, NameExpr) else None
        if symbol is None or (root is not None and _is_of_others(target, root, self.file)):
            self.leaves = True
            return
        self.is_global = self.is_global or root is None
        self._use((symbol,), root, set(nodes_below(binding)))

    def _define(self, function: FuncDef | Decorator) -> None:
        """Follows a function to its uses."""
        root = surroundings(function, self.file).function
        definition = function.func if isinstance(function, Decorator) else function
        if root is None or definition.info:
            self.leaves = True
            return
        self._use(symbols_of(function), root, set())

    def _use(self, symbols: Collection[SymbolNode], root: FuncItem | None, own: Collection[Node]) -> None:
        """`own`: the nodes that bind the name, which are no uses of this value."""
        targets = _targets(self.file, root)
        for node in nodes_below(root or self.file.tree):
            if isinstance(node, NameExpr) and node.node in symbols and node not in targets and node not in own:
                self.pending.append(node)
                self._hold(surroundings(node, self.file).function, root)

    def _hold(self, function: FuncItem | None, root: FuncItem | None) -> None:
        """The functions nested in `root` that use the value hold it."""
        while function is not None and function is not root:
            decorator = self.file.decorators.get(function) if isinstance(function, FuncDef) else None
            if decorator is not None and not all(_calls_it(node) for node in _applied(decorator)):
                self.leaves = True
            self.pending.append(decorator or function)
            function = surroundings(decorator or function, self.file).function

    def _hand(self, value: Node, call: CallExpr) -> None:
        """A function of JAX calls the value or returns one that does; one of the file may do no more than call it."""
        if isinstance(call.analyzed, (AssertTypeExpr, CastExpr)) or (_calls_it(call) and value in call.args[:1]):
            self.pending.append(call)
        elif (calls := known_function(callee_name(call)).calls) is not None and calls.keeps_values:
            self.calls.append(call)  # `jax.vjp(f, x)`
        elif (function := _plain_function(call, self.file)) is not None:
            names = [argument.variable.name for argument in function.arguments]
            given = named_arguments(call, names)
            variables = [item.variable for item in function.arguments if given.get(item.variable.name) is value]
            self.handed.append(call)
            self.leaves = self.leaves or not variables
            for variable in variables:
                self._use((variable,), function, set())
        else:
            self.leaves = True


def symbols_of(function: FuncDef | Decorator) -> tuple[SymbolNode, ...]:
    return (function, function.func, function.var) if isinstance(function, Decorator) else (function,)


def _is_taken_apart(display: TupleExpr | ListExpr, place: Surroundings) -> bool:
    """`f, g = jit(a), jit(b)`."""
    statement = place.around[2] if len(place.around) > 2 else None
    return isinstance(statement, AssignmentStmt) and statement.rvalue is display


def _applied(decorator: Decorator) -> Iterator[CallExpr]:
    return (applied(node) for node in decorator.original_decorators)


def _calls_it(call: CallExpr) -> bool:
    """Whether a function returns one that calls its first argument, and does not compile that: `jax.vmap(f)`."""
    name = callee_name(call)
    return Effect.WRAPS in known_function(name).effects or naming.transforms(name)


def _plain_function(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The undecorated function of the file that a call names, if the call shows what each parameter gets."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef) or function.info or function in file.decorators or unpacks(call):
        return None
    is_here = function in file.functions_named.get(function.name, ())
    return function if is_here and not function.is_coroutine else None


def _is_of_others(target: Expression, root: FuncItem, file: CheckedFile) -> bool:
    """Whether a name that a function binds is that of a module, or of a function around or inside it."""
    return not isinstance(target, NameExpr) or target.kind != LDEF or target.name in _declared_outside(file, root)


@once_per_file
def _declared_outside(file: CheckedFile, root: FuncItem) -> frozenset[str]:
    return names_declared_outside(nodes_below(root))


@once_per_file
def _targets(file: CheckedFile, root: FuncItem | None) -> frozenset[Node]:
    return frozenset(target for node in nodes_below(root or file.tree) for target in targets_of(node))
