"""What functions compile in, because no compiled program takes it as an argument: code that they call, and sizes.

`jax.jit(lambda p: model.loss(p))` needs another program for another `model`; not so `jax.jit(lambda x: x * k)` for
another `k`, which could be an argument. Only names are compared, so that the answer is the same in a file that mypy has
not analysed.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ClassDef,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    FuncItem,
    IfStmt,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SliceExpr,
    StrExpr,
    UnaryExpr,
)

from ..knowledge import naming
from ..knowledge.eager_functions import eager_function
from ..knowledge.full_names import JAX, NUMPY, PARTIAL
from ..knowledge.jax_functions import jax_function
from ..knowledge.members import ARRAY_ATTRIBUTES, ARRAY_METHODS, SPREAD_OF_METHODS, UPDATING_METHODS
from ..syntax.arguments import argument
from ..syntax.imports import full_name, imported_names
from ..syntax.literals import is_none
from ..syntax.names import last_name
from ..syntax.trees import nodes_below, parts_of
from .checked_file import CheckedFile, once_per_file
from .values_given import Values, all_but_data, counts_of, functions_in, sizes_given, values_bound

Names = frozenset[str]

_NONE: Final[Names] = frozenset()
_RANGES: Final = frozenset({"range"})
# What no function returns that makes an object or a function: numbers of Python's, and what describes an array.
_NUMBERS: Final = frozenset({"bool", "float", "len", "max", "min", "sum"})
_DEEPEST: Final = 5  # functions that call each other


class _Rules(NamedTuple):
    """How far to look back from a value."""

    depth: int = _DEEPEST
    makers: bool = True  # also from what an unknown function returns to what it gets: `make_env(name)`


_LOOKING_BACK: Final = _Rules()


@dataclass(frozen=True, eq=False)
class CompiledIn:
    """The functions of a file."""

    tree: MypyFile
    _needed: dict[FuncItem, Names] = field(default_factory=dict)
    _given: dict[FuncItem, Names] = field(default_factory=dict)

    @cached_property
    def _functions(self) -> Mapping[str, FuncDef]:
        return functions_in(self.tree.defs)

    @cached_property
    def _constructors(self) -> Mapping[str, FuncDef]:
        """Those of the classes of the file that have one, by the name of the class."""
        classes = (node for node in self.tree.defs if isinstance(node, ClassDef))
        methods = ((node.name, functions_in(node.defs.body).get("__init__")) for node in classes)
        return {name: method for name, method in methods if method is not None}

    def parameters(self, function: FuncItem) -> Names:
        """The parameters for which a function compiles another program: of each value that they have."""
        if function not in self._given:
            self._given[function] = _NONE  # while it is read: functions may call each other
            self._given[function] = self._read_parameters(function)
        return self._given[function]

    def _read_parameters(self, function: FuncItem) -> Names:
        own, nodes = all_but_data(function), list(_below(function))
        new = (node for node in nodes if isinstance(node, FuncItem))
        found, values = {name for node in new for name in self.captured(node)}, values_bound(nodes)
        for node in nodes:
            if isinstance(node, CallExpr):
                found |= self._compiled_by(node, values)
        return frozenset(own & self.back(found, values, _LOOKING_BACK))

    def _compiled_by(self, call: CallExpr, values: Values) -> Names:
        """What a call brings into what it compiles, itself or in the function of the file that it calls."""
        name = self._name(call.callee)
        if naming.compiles(name):
            return _NONE.union(*(self.brought(given) for given in call.args[:1]))
        if (row := eager_function(name)) is not None:
            given = (argument(call, *place) for place in (*row.bodies, *row.counts))
            items = (argument(call, *place) for place in row.items)
            counts = (count for item in items if item is not None for count in counts_of(item, values))
            found = (*(one for one in given if one is not None), *counts)
            return _NONE.union(*map(self.brought, found))
        if self._is_compiled(call.callee, values):  # for arguments of each size
            counts = (count for given in call.args for count in counts_of(given, values))
            return _NONE.union(*map(self.brought, counts))
        called = self._function(call.callee)
        return self._passed(call, called, self.parameters(called), _LOOKING_BACK) if called is not None else _NONE

    def _is_compiled(self, callee: Expression, values: Values) -> bool:
        """Whether this is what the function itself has compiled: `f(x)`, after `f = jax.jit(...)`."""
        made = values.get(callee.name, ()) if isinstance(callee, NameExpr) else ()
        return any(isinstance(value, CallExpr) and naming.compiles(self._name(value.callee)) for value in made)

    def captured(self, function: FuncItem) -> Names:
        """What a new function brings into what compiles it, by the names around it."""
        return self._needs(function) - {argument.variable.name for argument in function.arguments}

    def brought(self, node: Expression, rules: _Rules = _LOOKING_BACK) -> Names:
        """The names on which it depends which code an expression stands for, or which size."""
        if rules.depth == 0:
            return _NONE
        match node:
            case NameExpr():
                return frozenset({node.name})
            case LambdaExpr():
                return self.captured(node)
            case MemberExpr():
                return self.brought(node.expr, rules) if node.name not in _OF_ARRAYS else _NONE
            case IndexExpr():
                return self.brought(node.base, rules) | self.brought(node.index, rules)
            case CallExpr():
                return self._brought_by_call(node, rules)
            case ConditionalExpr():
                ways = (node.if_expr, node.else_expr)
                return self._asked(node.cond).union(*(self.brought(way, rules) for way in ways))
            case StrExpr() | SliceExpr():
                return _NONE
        inner = (part for part in parts_of(node) if isinstance(part, Expression))
        return _NONE.union(*(self.brought(part, rules) for part in inner))

    def _brought_by_call(self, call: CallExpr, rules: _Rules) -> Names:
        rules = rules._replace(depth=rules.depth - 1)
        name, last = self._name(call.callee), last_name(call.callee)
        called = self._function(call.callee)
        if name == PARTIAL and call.args:
            return self._brought_by_partial(call, rules)
        if jax_function(name).calls is not None or naming.compiles(name) or naming.transforms(name):
            return _NONE.union(*(self.brought(given, rules) for given in call.args[:1]))
        is_of_array = isinstance(call.callee, MemberExpr) and last in _METHODS  # and not `round(size)`
        if last in _NUMBERS or is_of_array or name.startswith((JAX, f"{NUMPY}.")):
            return _NONE
        owner = self._owner(call.callee)
        if called is not None:
            makes = self.parameters(called) if _makes_functions(called) else all_but_data(called)
            return self._passed(call, called, makes, rules)
        if not rules.makers:
            return owner
        constructor = self._constructors.get(last)
        if constructor is not None:
            return self._passed(call, constructor, all_but_data(constructor), rules, first=1)
        return owner.union(*(self.brought(part, rules) for part in call.args))

    def _brought_by_partial(self, call: CallExpr, rules: _Rules) -> Names:
        function, *values = call.args
        found, called = self.brought(function, rules), self._function(function)
        if called is None:
            return found
        inner = call.arg_names[1:]
        names = [argument.variable.name for argument in called.arguments]
        needs = self._needs(called)
        for index, (value, name) in enumerate(zip(values, inner, strict=True)):
            place = name if name is not None else names[index] if index < len(names) else ""
            found |= self.brought(value, rules) if place in needs else _NONE
        return found

    def _passed(
        self, call: CallExpr, called: FuncItem, wanted: AbstractSet[str], rules: _Rules, first: int = 0
    ) -> Names:
        """What a call brings with the arguments for some parameters of a function. `first`: the one passed first."""
        places = {argument.variable.name: index for index, argument in enumerate(called.arguments[first:])}
        given = (argument(call, places[name], name) for name in sorted(wanted) if name in places)
        return _NONE.union(*(self.brought(value, rules) for value in given if value is not None))

    def _needs(self, function: FuncItem) -> Names:
        """The names on which the code that a function runs, or its sizes, depend: its own parameters, and others'."""
        if function not in self._needed:
            self._needed[function] = _NONE
            nodes = nodes_below(function)
            found = {name for node in nodes for name in self._needed_by(node)}
            inner = [node for node in nodes if isinstance(node, FuncItem) and node is not function]
            names = {node.name for node in inner if isinstance(node, FuncDef)}
            bound = {argument.variable.name for node in inner for argument in node.arguments}
            self._needed[function] = self.back(found, values_bound(nodes), _LOOKING_BACK) - bound - names
        return self._needed[function]

    def _needed_by(self, node: Node) -> Names:
        match node:
            case CallExpr():
                return self._needed_by_call(node)
            case IndexExpr(index=SliceExpr() as part):
                bounds = (part.begin_index, part.end_index)
                return _NONE.union(*(self.brought(bound) for bound in bounds if bound is not None))
            case IfStmt():
                return _NONE.union(*map(self._asked, node.expr))
            case ConditionalExpr():
                return self._asked(node.cond)
        return _NONE

    def called_by(self, call: CallExpr) -> Names:
        """The names on which it depends which code a call runs, or hands to JAX."""
        row = jax_function(self._name(call.callee))
        places = row.calls.callbacks if row.calls is not None else ()
        given = (argument(call, *place) for place in places)
        return self._owner(call.callee).union(*(self.brought(value) for value in given if value is not None))

    def _needed_by_call(self, call: CallExpr) -> Names:
        found, called = self.called_by(call), self._function(call.callee)
        name, last = self._name(call.callee), last_name(call.callee)
        if last in SPREAD_OF_METHODS or name in _BUILT_IN_RANGES:
            found = found.union(*map(self.brought, call.args))
        elif name.startswith((JAX, f"{NUMPY}.")):
            found = found.union(*map(self.brought, sizes_given(call, last)))
        if called is not None:
            found |= self._passed(call, called, self._needs(called), _LOOKING_BACK)
        return found

    def _owner(self, callee: Expression) -> Names:
        """Whose code is called: `f` of `f(x)`, `model` of `model.loss(x)`, and nothing of `x.sum()`."""
        if isinstance(callee, MemberExpr) and (callee.name in _METHODS or callee.name in _OF_ARRAYS):
            return _NONE
        root: Node = callee
        while isinstance(root, MemberExpr):
            root = root.expr
        if isinstance(root, IndexExpr):
            return self.brought(root) if root is callee else _NONE
        is_own = isinstance(root, NameExpr) and root.name not in imported_names(self.tree)
        return frozenset({root.name}) if is_own and isinstance(root, NameExpr) else _NONE

    def _asked(self, condition: Expression) -> Names:
        """What a condition asks that has to be no tracer: a flag, or a text."""
        match condition:
            case UnaryExpr(op="not"):
                return self._asked(condition.expr)
            case NameExpr() | MemberExpr():
                return self.brought(condition)
            case ComparisonExpr(operands=[asked, other]) if isinstance(other, StrExpr) or is_none(other):
                return self.brought(asked)
        return _NONE

    def back(self, found: Iterable[str], values: Values, rules: _Rules = _LOOKING_BACK) -> Names:
        """The names from which others have their values, themselves among them, through assignments."""
        known, pending = set(found), list(found)
        while pending:
            for value in values.get(pending.pop(), ()):
                added = self.brought(value, rules) - known
                known |= added
                pending += added
        return frozenset(known)

    def origins(self, node: Expression | FuncItem, values: Values, *, makers: bool) -> Names:
        """The names on which it depends which code a value is, or which size, also through these assignments."""
        rules = _Rules(makers=makers)
        found = self.brought(node, rules) if isinstance(node, Expression) else self.captured(node)
        return self.back(found, values, rules)

    def _function(self, node: Expression) -> FuncDef | None:
        return self._functions.get(node.name) if isinstance(node, NameExpr) else None

    def _name(self, node: Expression) -> str:
        return full_name(node, self.tree) or last_name(node)


# Arrays have no `apply` themselves, as models do: only `x.at[i]` has.
_METHODS: Final = (ARRAY_METHODS - UPDATING_METHODS) | {"max", "min"}
_OF_ARRAYS: Final = ARRAY_ATTRIBUTES | {"shape", "ndim", "size", "dtype"}
_BUILT_IN_RANGES: Final = _RANGES | {f"builtins.{name}" for name in _RANGES}


def _below(function: FuncItem) -> Iterator[Node]:
    """The nodes of a function, without itself."""
    return (node for node in nodes_below(function) if node is not function)


def _makes_functions(function: FuncDef) -> bool:
    return any(isinstance(node, FuncItem) for node in _below(function))


@once_per_file
def code_of(file: CheckedFile) -> CompiledIn:
    """What the functions of a file that is being checked compile in."""
    return CompiledIn(file.tree)
