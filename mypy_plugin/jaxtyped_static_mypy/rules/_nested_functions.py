"""Functions nested in a method that read its object when JAX traces them: `jit(lambda x: x * self.rate)`."""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    DelStmt,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    Statement,
    StrExpr,
    TypeInfo,
    Var,
)

from ..facts.self_facts import SelfUses, joined, uses_in
from ..knowledge.full_names import CACHES
from ..knowledge.function_rows import Effect
from ..libraries import known_function
from ..reach.lives import VALUE, life_of
from ..reach.uses import uses_of
from ..source.bindings import innermost, only_value
from ..source.checked_file import CheckedFile
from ..source.functions import functions_around
from ..source.parameters import described
from ..source.surroundings import Surroundings, surroundings, uses_of_bound
from ..syntax.decorators import last_names
from ..syntax.names import callee_name, is_self
from ..syntax.trees import assignment_targets, covers, nodes_below, self_parameter

_CACHES: Final = frozenset(name.rpartition(".")[2] for name in CACHES)


class NestedFunction(NamedTuple):
    """A function nested in a method, and what it does with the object of that, by itself and by what it calls."""

    function: FuncItem
    method: FuncDef
    info: TypeInfo
    own: Var  # the object
    uses: SelfUses

    @property
    def shown(self) -> str:
        return described(self.function)

    @property
    def key(self) -> str:
        """A name that no method has."""
        return f"{self.method.name}.<{self.function.name}>"


def nested_function(node: Expression, decorated: FuncDef | None, file: CheckedFile) -> NestedFunction | None:
    """The nested function that an expression stands for; None if it does nothing with the object."""
    function = decorated or _function_at(innermost(node, file, below_wrapper))
    outer = functions_around(function.line, file)[:1] if function is not None else []
    method = outer[0].node if outer else None
    own = self_parameter(method) if method is not None else None
    if function is None or method is None or own is None or not own.is_self or function is method:
        return None
    parts = [part for part in _with_called(function, file) if _captures(part, own)]
    if not parts:
        return None
    uses = reduce(joined, (uses_in(part, own.name) for part in parts))
    return NestedFunction(function, method, method.info, own, uses)


def _function_at(node: Expression) -> FuncItem | None:
    if isinstance(node, LambdaExpr):
        return node
    found = node.node if isinstance(node, NameExpr) else None
    found = found.func if isinstance(found, Decorator) else found
    return found if isinstance(found, FuncDef) else None


def below_wrapper(made: Expression) -> Expression | None:
    """The `f` in `functools.partial(f, ...)`, `jax.grad(f)` and the like."""
    if not isinstance(made, CallExpr) or not made.args:
        return None
    return made.args[0] if Effect.WRAPS in known_function(callee_name(made)).effects else None


def _with_called(function: FuncItem, file: CheckedFile) -> Iterator[FuncItem]:
    """A function, and those nested beside it that it uses, also under a name for what JAX makes of them."""
    seen, pending = set[FuncItem](), [function]
    while pending:
        part = pending.pop()
        if part not in seen:
            seen.add(part)
            yield part
            pending += (used for name in _names_in(part) if (used := _nested_at(name, file)) is not None)


def _nested_at(name: NameExpr, file: CheckedFile) -> FuncItem | None:
    """The nested function that a local name stands for, if JAX traces it with what uses it."""
    found = _function_at(name)
    if found is None and isinstance(name.node, Var) and "." not in name.node.fullname:
        value = only_value(name.node, file)
        found = _function_at(innermost(value, file, below_wrapper)) if value is not None else None
    if found is None or found.info or surroundings(found, file).function is None:
        return None
    return found if not uses_of(file, found).is_callback else None  # the host reads what is there when it runs


def sets_while_traced(nested: NestedFunction, line: int, file: CheckedFile) -> bool:
    """Whether a line only runs where JAX traces a nested function: in it, or in one beside it that it alone uses.

    What such a line sets, it sets again whenever JAX compiles.
    """
    if covers(nested.function, line):
        return True
    parts = list(_with_called(nested.function, file))
    around = [part for part in parts if covers(part, line)]
    outside = [name for name in _names_in(nested.method) if not any(covers(part, name.line) for part in parts)]
    return bool(around) and not any(_nested_at(name, file) in around for name in outside)


def _names_in(function: FuncItem) -> Iterator[NameExpr]:
    return (node for node in nodes_below(function.body) if isinstance(node, NameExpr))


def _captures(function: FuncItem, own: Var) -> bool:
    return any(isinstance(node, NameExpr) and node.node is own for node in nodes_below(function.body))


def keepers(place: Surroundings, file: CheckedFile) -> frozenset[str] | None:
    """The attributes and cached properties that keep what is compiled at a place; None if nothing does between calls.

    Empty if it is only known to leave the function around it in another way, or to be called there.
    """
    node, maker = place.around[0], place.function
    life = life_of(file, node, VALUE)
    made = (path[0].key for path in life.returned if path and path[0].owner is not None)  # by a constructor
    names = frozenset([*_attributes_given(node, place, file), *map(str, made)])
    if names or not life.returned:
        return names
    if not isinstance(maker, FuncDef) or not maker.info:
        return None
    decorators = set(last_names(file.decorators[maker])) if maker in file.decorators else set[str]()
    if not decorators.isdisjoint(_CACHES):
        return frozenset({maker.name})
    calls = [use.call for use in uses_of(file, maker).all if use.call is not None]
    return frozenset(name for call in calls for name in _attributes_of(surroundings(call, file).parent)) or None


def _attributes_given(node: Node, place: Surroundings, file: CheckedFile) -> Iterator[str]:
    """The attributes that hold a function, by itself or by its name: `self._step = step`."""
    yield from _attributes_of(place.parent) if isinstance(node, Expression) else ()
    yield from (name for use in uses_of_bound(place, file) for name in _attributes_of(use.parent))


def _attributes_of(statement: Node | None) -> Iterator[str]:
    """The attributes that an assignment sets, also an item of one."""
    for target in assignment_targets(statement) if isinstance(statement, AssignmentStmt) else ():
        held = target.base if isinstance(target, IndexExpr) else target
        yield from (held.name,) if isinstance(held, MemberExpr) else ()


def renews(line: int, names: frozenset[str], file: CheckedFile) -> bool:
    """Whether the function around a line, or a method that it calls, drops or replaces what these attributes keep."""
    seen, pending = set[FuncDef](), [found.node for found in functions_around(line, file)[:1]]
    while pending:
        function = pending.pop()
        if function in seen:
            continue
        seen.add(function)
        nodes = nodes_below(function.body)
        if any(_drops(node, names) for node in nodes):
            return True
        called = (node.name for node in nodes if isinstance(node, MemberExpr) and is_self(node.expr))
        pending += (method for name in called for method in file.functions_named.get(name, ()) if method.info)
    return False


def _drops(node: Node, names: frozenset[str]) -> bool:
    """`self._step = None`, `del self._step`, `self.__dict__.pop("_step")`."""
    if isinstance(node, StrExpr):
        return node.value in names
    targets: Iterable[Expression] = ()
    if isinstance(node, DelStmt):
        targets = (node.expr,)
    elif isinstance(node, Statement):
        targets = assignment_targets(node)
    return any(isinstance(target, MemberExpr) and target.name in names for target in targets)
