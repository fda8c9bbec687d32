"""The names, attributes and items that hold a value, and all uses of these: a part of `lives`."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
)

from ..facts.set_facts import CONSTRUCTORS
from ..source.bindings import ANY_KEY, names_bound_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.surroundings import surroundings
from ..syntax.assignments import assigned_pairs
from ..syntax.trees import assignment_targets, nodes_below
from . import passing
from .parts import Path, Step, below, item_at, shows_uses
from .passing import is_of_self


class Held(NamedTuple):
    """An expression or a function that is the value, or holds it."""

    node: Node
    path: Path = ()  # from what it holds to the value
    may_call: bool = False  # it is a function which has the value


@dataclass
class Holders:
    """Follows a value to the uses of what is bound to it."""

    file: CheckedFile
    root: FuncItem | None  # the function that makes it
    owners: frozenset[TypeInfo]  # the classes of the objects that hold it
    pending: list[Held]
    seen: set[Held] = field(default_factory=set)
    calls: list[Node] = field(default_factory=list)
    handed: list[Node] = field(default_factory=list)
    over: set[Node] = field(default_factory=set)
    collected: set[Node] = field(default_factory=set)
    returned: list[Path] = field(default_factory=list)
    is_global: bool = False
    leaves: bool = False
    is_looped: bool = False
    is_compiled_in: bool = False

    def assign(self, statement: Node, held: Held) -> None:
        if not isinstance(statement, AssignmentStmt):
            self.leaves = True
            return
        whole = [target for target, given in assigned_pairs(statement) if given is held.node]
        for target in whole:
            self.bind(target, statement, held)
        if not whole:
            self._take_apart(statement, held)

    def _take_apart(self, statement: AssignmentStmt, held: Held) -> None:
        """`step, evaluate = make()`."""
        bound = [(name, found.path) for name, found in names_bound_by(statement) if found.value is held.node]
        is_clear = len(bound) == len(list(assignment_targets(statement))) and bool(held.path)
        if not is_clear or any(ANY_KEY in path for _, path in bound):
            self.leaves = True
            return
        for name, path in bound:
            rest: Path | None = held.path
            for key in path:
                rest = below(rest, Step(int(key[1:-1]))) if rest else None
            if rest is not None:
                self.bind(name, statement, held._replace(path=rest))

    def bind(self, target: Expression, binding: Node, held: Held) -> None:
        """Follows a name, or what an attribute or item belongs to, to its uses."""
        root = surroundings(target, self.file).function
        if isinstance(target, MemberExpr) and is_of_self(target):
            self._set(target, root, held)
        elif isinstance(target, IndexExpr):
            self._put(target, root, binding, held)
        elif (
            isinstance(target, NameExpr)
            and target.node is not None
            and not passing.is_of_others(target, root, self.file)
        ):
            self.is_global = self.is_global or root is None
            self.use((target.node,), root, {*nodes_below(binding), *self._of_others(target.node, root, binding)}, held)
        else:
            self.leaves = True

    def _of_others(self, variable: SymbolNode, root: FuncItem | None, binding: Node) -> Iterator[NameExpr]:
        """The uses of a local name that stand for another value: `f` in `f = jax.vmap(f)`, in front of `f = jit(f)`."""
        is_function = isinstance(variable, (Decorator, FuncDef))  # which a use in front of all assignments stands for
        for node in nodes_below(root) if root is not None and isinstance(binding, AssignmentStmt) else ():
            if isinstance(node, NameExpr) and node.node is variable:
                seen = {found.statement for found in reaching_bindings(self.file, node, variable)}
                if binding not in seen and (seen or is_function):
                    yield node

    def _set(self, target: MemberExpr, root: FuncItem | None, held: Held) -> None:
        """An attribute of the object that is being made goes where that goes."""
        info = root.info if root is not None and root.info else None
        if info is None or (held.may_call and info in self.owners):
            self.leaves = self.leaves or info is None
        elif root is self.root and root is not None and root.name in CONSTRUCTORS and shows_uses(self.file, info):
            self.returned.append((Step(target.name, info), *held.path))
        else:
            self.leaves = True

    def _put(self, target: IndexExpr, root: FuncItem | None, binding: Node, held: Held) -> None:
        """An item of a dict that the same code has just made."""
        holder, inside = target.base, held._replace(path=(item_at(target.index), *held.path))
        if isinstance(holder, MemberExpr) and is_of_self(holder):
            self._set(holder, root, inside)
        elif (
            isinstance(holder, NameExpr)
            and holder.node is not None
            and passing.is_made_beside(holder, target, self.file)
        ):
            self.is_global = self.is_global or root is None
            self.use((holder.node,), root, set(nodes_below(binding)), inside)
        else:
            self.leaves = True

    def define(self, function: FuncDef | Decorator, held: Held) -> None:
        """Follows a function to its uses."""
        root = surroundings(function, self.file).function
        definition = function.func if isinstance(function, Decorator) else function
        if definition.info or function in self.file.tree.defs:
            self.leaves = True
            return
        self.is_global = self.is_global or root is None
        self.use(passing.symbols_of(function), root, (), held)

    def use(self, symbols: Collection[SymbolNode], root: FuncItem | None, own: Collection[Node], held: Held) -> None:
        """`own`: the nodes that bind the name, which are no uses of this value."""
        targets = passing.targets_in(self.file, root)
        for node in nodes_below(root or self.file.tree):
            if isinstance(node, NameExpr) and node.node in symbols and node not in targets and node not in own:
                self.pending.append(held._replace(node=node))
                if not self._reads_other(node, held):
                    self._hold(surroundings(node, self.file).function, root, held)

    def _reads_other(self, node: Expression, held: Held) -> bool:
        """Whether this is an attribute of the object that has nothing to do with the value: `self.scale`."""
        owner = held.path[0].owner if held.path else None
        read = surroundings(node, self.file).parent
        if owner is None or not isinstance(read, MemberExpr) or below(held.path, Step(read.name, owner)) is not None:
            return False
        has_object = read.name in passing.function_attributes(self.file, owner)
        return passing.member(owner, read.name).is_data and not has_object

    def _hold(self, function: FuncItem | None, root: FuncItem | None, held: Held) -> None:
        """The functions nested in `root` that use the value hold it."""
        is_of_object = bool(held.path) and held.path[0].owner is not None
        while function is not None and function is not root:
            decorator = self.file.decorators.get(function) if isinstance(function, FuncDef) else None
            for call in passing.applied_by(decorator):
                compiles = passing.compiles(call, self.file)
                self.is_compiled_in = self.is_compiled_in or (compiles and not is_of_object)
                self.leaves = self.leaves or not (compiles or passing.calls_its_argument(call))
            self.pending.append(Held(decorator or function, may_call=True))
            self.is_looped = self.is_looped or passing.calls_itself(function, self.file)
            function = surroundings(decorator or function, self.file).function
