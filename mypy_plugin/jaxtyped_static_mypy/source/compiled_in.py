"""What functions compile in, because no compiled program takes it as an argument: code that they call, and sizes.

`jax.jit(lambda p: model.loss(p))` needs another program for another `model`; not so `jax.jit(lambda x: x * k)` for
another `k`, which could be an argument. Only names are compared, so that the answer is the same in a file that mypy has
not analysed. They are paths: `args.model` is one part of `args`.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SliceExpr,
    StrExpr,
)

from ..knowledge import naming
from ..knowledge.eager_functions import eager_function
from ..knowledge.full_names import JAX, NUMPY, PARTIAL
from ..knowledge.jax_functions import jax_function
from ..knowledge.members import ARRAY_ATTRIBUTES, ARRAY_METHODS, SPREAD_OF_METHODS, UPDATING_METHODS
from ..knowledge.optimisers import MAKERS
from ..syntax.arguments import argument
from ..syntax.imports import full_name, imported_names
from ..syntax.names import last_name
from ..syntax.paths import Paths, part_of, path_of, paths_in, paths_without, split_path, variables_of
from ..syntax.trees import nodes_below, parts_of
from .checked_file import CheckedFile, once_per_file
from .concrete_parts import concrete_parts
from .sized_results import SizedResults
from .values_given import ANY_PART, Values, all_but_data, constructors_in, functions_in, sizes_given, values_bound

_NONE: Final[Paths] = frozenset()
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
    _needed: dict[FuncItem, Paths] = field(default_factory=dict)
    _given: dict[FuncItem, Paths] = field(default_factory=dict)

    @cached_property
    def _functions(self) -> Mapping[str, FuncDef]:
        return functions_in(self.tree.defs)

    @cached_property
    def _constructors(self) -> Mapping[str, FuncDef]:
        return constructors_in(self.tree.defs)

    @cached_property
    def sizes(self) -> SizedResults:
        return SizedResults(self._function, self._variables_of)

    def _variables_of(self, found: Iterable[Expression], values: Values) -> frozenset[str]:
        return variables_of(self.back(_NONE.union(*map(self.brought, found)), values))

    def parameters(self, function: FuncItem) -> Paths:
        """The parameters, or parts of them, for each value of which a function compiles another program."""
        if function not in self._given:
            self._given[function] = _NONE  # while it is read: functions may call each other
            self._given[function] = self._read_parameters(function)
        return self._given[function]

    def _read_parameters(self, function: FuncItem) -> Paths:
        own, nodes = all_but_data(function), list(_below(function))
        new = [node for node in nodes if isinstance(node, FuncItem)]
        calls = [node for node in nodes if isinstance(node, CallExpr)]
        values = values_bound(nodes)
        captured, compiled = (self.captured(node) for node in new), (self._compiled_by(call, values) for call in calls)
        found = paths_in(self.back(_NONE.union(*captured, *compiled), values), own)
        return found | paths_in(self._optimised(calls, values), {one.variable.name for one in function.arguments})

    def _optimised(self, calls: Iterable[CallExpr], values: Values) -> Paths:
        """What optimisers are made of: their numbers, too, are a part of the code that is compiled."""
        makers = (call for call in calls if self._name(call.callee) in MAKERS)
        return self.back(_NONE.union(*(self.brought(given) for call in makers for given in call.args)), values)

    def _compiled_by(self, call: CallExpr, values: Values) -> Paths:
        """What a call brings into what it compiles, itself or in the function of the file that it calls."""
        name = self._name(call.callee)
        if naming.compiles(name):
            return _NONE.union(*(self.brought(given) for given in call.args[:1]))
        if (row := eager_function(name)) is not None:
            given = (argument(call, *place) for place in (*row.bodies, *row.counts))
            items = (argument(call, *place) for place in row.items)
            counts = (count for item in items if item is not None for count in self.sizes.counts(item, values))
            found = (*(one for one in given if one is not None), *counts)
            return _NONE.union(*map(self.brought, found))
        if self._is_compiled(call.callee, values):  # for arguments of each size
            counts = (count for given in call.args for count in self.sizes.counts(given, values))
            return _NONE.union(*map(self.brought, counts))
        called = self._function(call.callee)
        return self._passed(call, called, self.parameters(called), _LOOKING_BACK) if called is not None else _NONE

    def _is_compiled(self, callee: Expression, values: Values) -> bool:
        """Whether this is what the function has compiled: `jax.jit(f)(x)`, or `f(x)` after `f = jax.jit(...)`."""
        made = values.get(callee.name, ()) if isinstance(callee, NameExpr) else [callee]
        return any(isinstance(value, CallExpr) and naming.compiles(self._name(value.callee)) for value in made)

    def captured(self, function: FuncItem) -> Paths:
        """What a new function brings into what compiles it, by the names around it."""
        return paths_without(self._needs(function), {argument.variable.name for argument in function.arguments})

    def brought(self, node: Expression | FuncItem, rules: _Rules = _LOOKING_BACK) -> Paths:
        """The names on which it depends which code an expression stands for, or which size."""
        if rules.depth == 0:
            return _NONE
        match node:
            case NameExpr():
                return frozenset({node.name})
            case LambdaExpr() | FuncDef():
                return self.captured(node)
            case MemberExpr(name=name) if name in _OF_ARRAYS:
                return _NONE
            case MemberExpr() | IndexExpr() if (path := path_of(node)) is not None:
                return frozenset({path})
            case MemberExpr():
                return self.brought(node.expr, rules)
            case IndexExpr():
                return self.brought(node.base, rules) | self.brought(node.index, rules)
            case CallExpr():
                return self._brought_by_call(node, rules)
            case ConditionalExpr():
                parts = (*concrete_parts(node), node.if_expr, node.else_expr)
                return _NONE.union(*(self.brought(part, rules) for part in parts))
            case StrExpr() | SliceExpr():
                return _NONE
        inner = (part for part in parts_of(node) if isinstance(part, Expression))
        return _NONE.union(*(self.brought(part, rules) for part in inner))

    def _brought_by_call(self, call: CallExpr, rules: _Rules) -> Paths:
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
        owner = self._owner(call.callee, rules)
        if called is not None:
            makes = self.parameters(called) if _makes_functions(called) else all_but_data(called)
            return self._passed(call, called, makes, rules)
        if not rules.makers:
            return owner
        constructor = self._constructors.get(last)
        if constructor is not None:
            return self._passed(call, constructor, all_but_data(constructor), rules, first=1)
        return owner.union(*(self.brought(part, rules) for part in call.args))

    def _brought_by_partial(self, call: CallExpr, rules: _Rules) -> Paths:
        function, *values = call.args
        found, called = self.brought(function, rules), self._function(function)
        if called is None:
            return found
        inner = call.arg_names[1:]
        names = [argument.variable.name for argument in called.arguments]
        needs = variables_of(self._needs(called))
        for index, (value, name) in enumerate(zip(values, inner, strict=True)):
            place = name if name is not None else names[index] if index < len(names) else ""
            found |= self.brought(value, rules) if place in needs else _NONE
        return found

    def _passed(
        self, call: CallExpr, called: FuncItem, wanted: AbstractSet[str], rules: _Rules, first: int = 0
    ) -> Paths:
        """What a call brings with the arguments for some parameters of a function. `first`: the one passed first."""
        places = {argument.variable.name: index for index, argument in enumerate(called.arguments[first:])}
        found = (
            (argument(call, places[name], name), part)
            for name, part in map(split_path, sorted(wanted))
            if name in places
        )
        return _NONE.union(*(self._part(value, part, rules) for value, part in found if value is not None))

    def _part(self, value: Expression | FuncDef, part: str, rules: _Rules) -> Paths:
        """What a part of a value brings; all of it, if the part is empty, or the value has no name."""
        if part and isinstance(value, NameExpr):
            return frozenset({part_of(value.name, part)})
        return self.brought(value, rules)

    def _needs(self, function: FuncItem) -> Paths:
        """The names on which the code that a function runs, or its sizes, depend: its own parameters, and others'."""
        if function not in self._needed:
            self._needed[function] = _NONE
            nodes = nodes_below(function)
            found = {name for node in nodes for name in self._needed_by(node)}
            inner = [node for node in nodes if isinstance(node, FuncItem) and node is not function]
            names = {node.name for node in inner if isinstance(node, FuncDef)}
            bound = {argument.variable.name for node in inner for argument in node.arguments}
            self._needed[function] = paths_without(self.back(found, values_bound(nodes)), bound | names)
        return self._needed[function]

    def _needed_by(self, node: Node) -> Paths:
        found = self._needed_by_call(node) if isinstance(node, CallExpr) else _NONE
        return found.union(*map(self.brought, concrete_parts(node)))

    def called_by(self, call: CallExpr) -> Paths:
        """The names on which it depends which code a call runs, or hands to JAX."""
        row = jax_function(self._name(call.callee))
        places = row.calls.callbacks if row.calls is not None else ()
        given = (argument(call, *place) for place in places)
        return self._owner(call.callee).union(*(self.brought(value) for value in given if value is not None))

    def _needed_by_call(self, call: CallExpr) -> Paths:
        found, called = self.called_by(call), self._function(call.callee)
        name, last = self._name(call.callee), last_name(call.callee)
        if last in SPREAD_OF_METHODS or name in _BUILT_IN_RANGES:
            found = found.union(*map(self.brought, call.args))
        elif name.startswith((JAX, f"{NUMPY}.")):
            found = found.union(*map(self.brought, sizes_given(call, last)))
        if called is not None:
            found |= self._passed(call, called, self._needs(called), _LOOKING_BACK)
        return found

    def _owner(self, callee: Expression, rules: _Rules = _LOOKING_BACK) -> Paths:
        """What is called: `f` of `f(x)`, `model.loss` of `model.loss(x)`, and nothing of `x.sum()`."""
        if isinstance(callee, MemberExpr) and (callee.name in _METHODS or callee.name in _OF_ARRAYS):
            return _NONE
        owner: Expression = callee
        while isinstance(owner, MemberExpr) and path_of(owner) is None:
            owner = owner.expr
        if isinstance(owner, IndexExpr) and last_name(owner.base) == _AT:
            return _NONE
        return paths_without(self.brought(owner, rules), imported_names(self.tree))

    def back(self, found: Iterable[str], values: Values, rules: _Rules = _LOOKING_BACK) -> Paths:
        """The names from which others have their values, themselves among them, through assignments.

        An object with a part that is made of a number is the same code each time, as what a function makes of that.
        """
        known, pending = set(found), list(found)
        while pending:
            path = pending.pop()
            variable, part = split_path(path)
            bound = [(value, part) for value in values.get(variable, ())]
            if part or rules.makers:
                bound += [(value, "") for value in values.get(path if part else part_of(variable, ANY_PART), ())]
            added = _NONE.union(*(self._part(value, of, rules) for value, of in bound)) - known
            known |= added
            pending += added
        return frozenset(known)

    def origins(self, value: Expression | FuncItem | str, values: Values, *, makers: bool) -> Paths:
        """The names on which it depends which code a value is, or which size, also through these assignments."""
        rules = _Rules(makers=makers)
        match value:
            case str():
                return self.back([value], values, rules)
            case LambdaExpr() | FuncDef():
                return self.back(self.captured(value), values, rules)
        return self.back(self.brought(value, rules), values, rules)

    def _function(self, node: Expression) -> FuncDef | None:
        return self._functions.get(node.name) if isinstance(node, NameExpr) else None

    def _name(self, node: Expression) -> str:
        return full_name(node, self.tree) or last_name(node)


# Arrays have no `apply` themselves, as models do: only `x.at[i]` has.
_METHODS: Final = (ARRAY_METHODS - UPDATING_METHODS) | {"max", "min"}
_AT: Final = "at"
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
