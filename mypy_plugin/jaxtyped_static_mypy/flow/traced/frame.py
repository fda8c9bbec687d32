"""The state of a walk through functions: where it is, and what it has found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, Statement, SymbolNode, TypeInfo

from ...source.checked_file import CheckedFile
from ...syntax.trees import self_parameter
from .always import runs_always
from .flags import Flags, common_flags
from .joining import join
from .values import Doubted, Source, Tree, Value, as_argument, limited, without_value

_MAX_METHODS: Final = 40  # that one walk looks into
_MAX_USES: Final = 4  # of one of these that pass different values

Env = dict[SymbolNode, Value]  # known variables, never None; all others are unknown


@dataclass(frozen=True)
class PassedValues:
    """What one use of a function, or all of them, pass: the value for each parameter."""

    values: Mapping[str, Value]
    staged: bool
    by_jax: bool = False  # one transformation passes them
    is_partial: bool = False  # other calls may pass other values
    flags: Mapping[str, bool] = field(default_factory=dict)  # the parameters that get `True` or `False` for sure
    captured: Flags = field(default_factory=dict)  # the same of parameters of the function that makes this one


@dataclass(frozen=True)
class Nested:
    """A function or lambda inside another, walked after it."""

    function: FuncItem
    decorator: Decorator | None
    env: Env  # where it is defined
    owner: "Frame"

    def captured(self) -> Env:
        """A nested function sees a variable's value at the time of the call: joins all it ever holds."""
        if self.owner.partly is not None:
            return {}
        bound = self.owner.bound
        known = ((variable, value) for variable, value in self.env.items() if not isinstance(value, Doubted))
        joined = {variable: join(value, bound.get(variable)) for variable, value in known}
        return {variable: value for variable, value in joined.items() if value is not None}


@dataclass(frozen=True)
class ConcreteUse:
    """A place that needs a concrete value: a condition or a conversion."""

    kind: str  # "if", "while", ...; the function that converts; one of those in `shapes`
    value: Value  # what is asked
    function: str = ""  # whose result has a shape that depends on the value
    option: str = ""  # of that function


@dataclass
class Budget:
    """How many bodies of called functions one walk may still look into."""

    bodies: int = 60


@dataclass
class FunctionWalk:
    """The walk through one outermost function and those nested in it."""

    file: CheckedFile
    walk_body: "Callable[[FuncItem, Env, Frame], None]"
    unstable: frozenset[str] = frozenset()  # names that an inner function may assign through `nonlocal` or `global`
    arguments: dict[Expression, Value] = field(default_factory=dict)  # of all calls
    staged: dict[CallExpr, bool] = field(default_factory=dict)  # calls, and whether each is always part of a program
    concrete_uses: dict[tuple[Expression, str], ConcreteUse] = field(default_factory=dict)  # by place and kind
    walked: dict[FuncItem, PassedValues] = field(default_factory=dict)
    # Methods of objects, and helpers, in the same file: what each call passes may raise, whatever others pass.
    methods: dict[FuncDef, list[PassedValues]] = field(default_factory=dict)
    uses: dict[FuncItem, dict[Expression, PassedValues]] = field(default_factory=dict)
    nested: dict[FuncItem, Nested] = field(default_factory=dict)
    consulted: set[TypeInfo] = field(default_factory=set)
    budget: Budget = field(default_factory=Budget)
    is_helper: bool = False  # the function being walked is one that others call with tracers
    depth: int = 0  # of calls that are followed into a body

    def record_argument(self, node: Expression, value: Value) -> None:
        self.arguments[node] = join(self.arguments[node], value) if node in self.arguments else value

    def record_call(self, call: CallExpr, *, staged: bool) -> None:
        self.staged[call] = staged and self.staged.get(call, True)

    def record_method(
        self,
        symbol: SymbolNode | None,
        tree: Tree,
        passed: Mapping[str, Value] | None = None,
        *,
        staged: bool,
        flags: Mapping[str, bool] | None = None,
    ) -> None:
        """Records a method or property used on a pytree argument: its body is walked with `self` traced."""
        is_property = isinstance(symbol, Decorator) and symbol.var.is_property and len(symbol.original_decorators) == 1
        function = symbol.func if isinstance(symbol, Decorator) and is_property else symbol
        if not isinstance(function, FuncDef) or function.info.module_name != self.file.tree.fullname:
            return
        if (own := self_parameter(function)) is not None:
            source = Source(
                _called(function, own.name), has_value=tree.source.has_value, arrays_only=tree.source.arrays_only
            )
            values = _arguments(function, passed or {}) | {own.name: replace(tree, source=source)}
            self._add_use(function, PassedValues(values, staged, flags=flags or {}))

    def record_helper(self, function: FuncDef, use: PassedValues) -> None:
        """Records a function of the file that a compiled program calls: its body is walked with what a call passes."""
        if function in self.methods or len(self.methods) < _MAX_METHODS:
            self._add_use(function, replace(use, values=_arguments(function, use.values)))

    def _add_use(self, function: FuncDef, use: PassedValues) -> None:
        uses = self.methods.setdefault(function, [])
        if use not in uses and len(uses) < _MAX_USES:
            uses.append(use)

    def keep_found(self, inside: "FunctionWalk") -> None:
        """Keeps what the walk through one use of a helper has found: a tracer that one use passes is enough."""
        for argument, value in inside.arguments.items():
            if self.arguments.get(argument) is None:
                self.arguments[argument] = value
        for place, use in inside.concrete_uses.items():
            if place not in self.concrete_uses or self.concrete_uses[place].value is None:
                self.concrete_uses[place] = use

    def add_nested(self, nested: Nested) -> None:
        earlier = self.nested.get(nested.function)
        env = join_envs(earlier.env, nested.env) if earlier is not None else nested.env
        self.nested[nested.function] = replace(nested, env=env or {})

    def record_use(self, function: FuncItem, mention: Expression, use: PassedValues) -> None:
        """Records a use; a loop is walked more than once, so keep what holds each time."""
        uses = self.uses.setdefault(function, {})
        if (earlier := uses.get(mention)) is not None:
            both = {name: join(value, use.values.get(name)) for name, value in earlier.values.items()}
            flags = common_flags(earlier.flags, use.flags)
            use = PassedValues(both, earlier.staged and use.staged, earlier.by_jax and use.by_jax, flags=flags)
        uses[mention] = use


def _arguments(function: FuncDef, passed: Mapping[str, Value]) -> dict[str, Value]:
    """What a call of a function passes, as its own parameters."""
    return {name: as_argument(value, _called(function, name)) for name, value in passed.items()}


def _called(function: FuncDef, parameter: str) -> str:
    of_class = f"{function.info.name}." if function.info else ""
    return f'"{parameter}" of "{of_class}{function.name}", called in a traced function'


@dataclass
class Loop:
    breaks: list[Env] = field(default_factory=list)
    continues: list[Env] = field(default_factory=list)


@dataclass(frozen=True)
class Settled:
    """A loop after its last pass."""

    entry: Env  # what holds whenever a pass begins
    breaks: list[Env]
    passes: int  # so far
    nested: int  # functions that were known then: a later pass may see uses of further ones

    def holds_for(self, entry: Env, walk: FunctionWalk) -> bool:
        return entry == self.entry and self.nested == len(walk.nested)


@dataclass
class Frame:
    """One function being walked."""

    walk: FunctionWalk
    name: str  # as messages have it
    staged: bool  # its body is staged: JAX's results are traced, even of concrete values
    decorated: FuncDef | None = None  # the function, if a decorator hands it to JAX
    partly: FuncItem | None = None  # the function, if other calls may pass other values
    concrete: bool = False  # below `jax.ensure_compile_time_eval`
    guarded: bool = False  # in what may be there to handle tracers: a `try`, or a test that expects an exception
    fails: bool = False  # in the `try` is what raises for a tracer that it gets
    emptied: set[SymbolNode] = field(default_factory=set)  # variables that a handler sets to None, if this raises
    bound: Env = field(default_factory=dict)  # the join of all values that a variable ever gets
    flags: Flags = field(default_factory=dict)  # parameters that are `True` or `False` for all who call it in a program
    loops: list[Loop] = field(default_factory=list)  # around the statement being walked
    settled: dict[Statement, Settled] = field(default_factory=dict)
    returned: list[Value] = field(default_factory=list)

    def bind(self, variable: SymbolNode, value: Value, env: Env) -> None:
        if self.concrete or variable.name in self.walk.unstable:
            value = None
        value = limited(value)
        self.emptied.discard(variable)
        self.bound[variable] = join(self.bound[variable], value) if variable in self.bound else value
        if value is None:
            env.pop(variable, None)
        else:
            env[variable] = value

    def needs_concrete(self, node: Expression, kind: str, value: Value) -> None:
        self.record_concrete(node, ConcreteUse(kind, value))

    def record_concrete(self, node: Expression, use: ConcreteUse) -> None:
        if not self.is_sure(node):
            return
        self.fails = self.fails or (self.guarded and without_value(use.value) is not None)
        key, found = (node, use.kind), self.walk.concrete_uses
        value = use.value if not (self.guarded or self.concrete) else None
        found[key] = replace(use, value=join(found[key].value, value) if key in found else value)

    def is_sure(self, node: Expression) -> bool:
        """Whether code gets what is known of its values: if other calls pass others, only where each call gets to."""
        return self.partly is None or runs_always(node, self.partly, self.walk.file)

    def result_of(self, function: str) -> Source:
        return Source(f'the result of "{function}", which is traced inside {self.name}')


def join_envs(a: Env | None, b: Env | None) -> Env | None:
    """Joins two paths: keeps what holds on both. None is a path that never arrives."""
    if a is None or b is None:
        return b if a is None else a
    return {
        variable: value for variable in a.keys() & b.keys() if (value := join(a[variable], b[variable])) is not None
    }
