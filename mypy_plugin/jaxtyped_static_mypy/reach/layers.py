"""What the decorators of a function do with it: the known functions that they apply, through the program's own helpers.

A helper is a function or class of the program that returns what it is given, wrapped. `@logged` and `f = logged(f)` are
read alike, as calls.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    ARG_STAR2,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    Var,
)
from mypy.types import CallableType, Instance, Overloaded, ProperType, Type, TypeVarType, get_proper_type

from ..compat import mypy_api
from ..config.settings import Settings
from ..facts.functions.expanding import Applied, expansion
from ..facts.functions.keeping import facts_of_function, split_name
from ..facts.functions.steps import FORWARDS, REWRITES
from ..jit.site_names import site_of
from ..jit.sites import JitSite
from ..knowledge.full_names import KNOWN_PACKAGES
from ..knowledge.function_rows import NO_ROW, Effect
from ..libraries import jit_function, known_function
from ..source.checked_file import CheckedFile
from ..syntax.decorators import applied
from ..syntax.imports import full_name
from ..syntax.literals import literal
from ..syntax.names import callee_name
from ..syntax.written import call_of


class LayerKind(Enum):
    """What a layer does."""

    PASSES = auto()  # passes every call on, and JAX sees the function's own parameters
    HIDES = auto()  # passes every call on, but JAX sees `(*args, **kwargs)`
    JIT = auto()  # compiles, or has lists like jit
    CALLS = auto()  # calls the function with tracers
    REWRITES = auto()  # JAX sees the function's own parameters, but the function gets other arguments
    CHANGES = auto()  # a helper that was read, and changes what it passes on
    UNKNOWN = auto()


PASSING: Final = frozenset({LayerKind.PASSES, LayerKind.HIDES})
UNREADABLE: Final = frozenset({LayerKind.REWRITES, LayerKind.CHANGES, LayerKind.UNKNOWN})


class Layer(NamedTuple):
    """One known function that is applied, as a call whose first argument is the function."""

    kind: LayerKind
    call: CallExpr
    function: str  # full name

    @property
    def shows_parameters(self) -> bool:
        """Whether JAX certainly sees the function's own parameters; a type does not tell `functools.wraps`."""
        return self.kind is LayerKind.PASSES and self.passes_calls

    @property
    def passes_calls(self) -> bool:
        """Whether it certainly passes every call on, and does nothing else; a type does not tell."""
        is_read = self.function == FORWARDS or Effect.SAME_FUNCTION in known_function(self.function).effects
        return self.kind in PASSING and is_read


class Layers(NamedTuple):
    """What one decorator, or one call, applies."""

    layers: tuple[Layer, ...]  # innermost first
    helpers: frozenset[str]  # modules that were read: for `record_helpers`

    @property
    def kinds(self) -> frozenset[LayerKind]:
        return frozenset(layer.kind for layer in self.layers)


class Names(NamedTuple):
    """Where names are resolved: a file, in the modules of the build."""

    file: MypyFile
    modules: dict[str, MypyFile]
    settings: Settings

    @classmethod
    def of(cls, file: CheckedFile) -> "Names":
        return cls(file.tree, file.modules, file.settings)

    def knows(self, fullname: str) -> bool:
        """Whether a function is known by name: then its source is not read."""
        is_named = fullname in self.settings.jit_functions or known_function(fullname) is not NO_ROW
        return is_named or fullname.partition(".")[0] in KNOWN_PACKAGES

    def is_helper(self, fullname: str) -> bool:
        """Whether a function's source says what it does with the function it is given."""
        return not self.knows(fullname) and facts_of_function(fullname, self.modules) is not None


def layers_of_decorator(node: Expression, names: Names) -> Layers:
    return layers_of(applied(node), names)


def layers_of(call: CallExpr, names: Names) -> Layers:
    """What a call does with its first argument."""
    name = name_called(call.callee, names.file)
    if (site := _site(call.callee)) is not None:
        call, name = _spelled_out(site, call), site.function
    subject = subject_of(call, names)
    keywords: dict[str, Any] = dict(_keywords(call))
    positional = tuple(
        value if not kind.is_star() else None  # nobody knows how many
        for value, key, kind in zip(call.args, call.arg_names, call.arg_kinds, strict=True)
        if key is None and value is not subject and not _is_decorated(value)
    )
    if not name:
        return Layers((Layer(LayerKind.UNKNOWN, call, name),), frozenset())
    found = expansion(name, keywords, names.modules, positional, is_known=names.knows, decorates=True)
    if found is None:
        return Layers((Layer(LayerKind.CHANGES, call, name),), _module_of(name, names))
    is_helper = names.is_helper(name)
    layers = [_layer(step, call, names, is_helper=is_helper) for step in found.steps]
    return Layers(tuple(layers), found.modules)


def compilers_in(decorator: Expression, file: CheckedFile) -> Iterator[str]:
    """The functions by which a decorator compiles, also in a helper of the program: `def fast(f): return jit(f)`."""
    name = callee_name(applied(decorator))
    if jit_function(name, file.settings.jit_functions) is not None:
        yield name
        return
    names = Names.of(file)
    if names.is_helper(name_called(applied(decorator).callee, file.tree)):
        found = layers_of_decorator(decorator, names)
        file.helpers.update(found.helpers)
        yield from (layer.function for layer in found.layers if layer.kind is LayerKind.JIT)


def layers_below(decorator: Decorator, node: Expression | None, names: Names) -> list[Layers]:
    """What the decorators below `node` do, innermost first."""
    nodes = decorator.original_decorators
    below = nodes[nodes.index(node) + 1 :] if node in nodes else []
    return [layers_of_decorator(applied_below, names) for applied_below in reversed(below)]


def subject_of(call: CallExpr, names: Names) -> Expression | None:
    """The function or class that a call of a helper is given."""
    name = name_called(call.callee, names.file)
    facts = facts_of_function(name, names.modules) or {}
    takes, parameters = facts.get("takes"), facts.get("parameters", [])
    for value, key in zip(call.args, call.arg_names, strict=True):
        if key is not None and key == takes:
            return value
    if not facts.get("direct", True) and not _is_decorated(call.args[0] if call.args else None):
        return None  # it is given options, and returns the decorator
    index = parameters.index(takes) if takes in parameters else 0
    is_given = index < len(call.args) and call.arg_names[index] is None and not call.arg_kinds[index].is_star()
    return call.args[index] if is_given else None


def takes_options(call: CallExpr, names: Names) -> bool:
    """Whether a helper returns a decorator where a call gives it no function: `@logged(level=1)`."""
    facts = facts_of_function(name_called(call.callee, names.file), names.modules)
    return bool(facts and facts.get("options"))


def _module_of(name: str, names: Names) -> frozenset[str]:
    return frozenset({split_name(name, names.modules)[0]} & names.modules.keys())


def _is_decorated(node: Expression | None) -> bool:
    """Whether a node stands for what a decorator is applied to."""
    return isinstance(node, NameExpr) and not node.name


def name_called(callee: Expression, file: MypyFile) -> str:
    """The full name of what a call calls, also one that is only written, and one of a package without types."""
    is_written = isinstance(callee, RefExpr) and callee.node is None and callee.fullname  # by `call_of`
    return callee.fullname if is_written and isinstance(callee, RefExpr) else full_name(callee, file)


def _site(callee: Expression) -> JitSite | None:
    """The lists of a variable that holds a decorator, `jit_n = jax.jit(static_argnames="n")`."""
    node = callee.node if isinstance(callee, RefExpr) else None
    return site_of(node.type) if isinstance(node, Var) else None


def _spelled_out(site: JitSite, call: CallExpr) -> CallExpr:
    """With the lists of the variable, and those that the call gives itself: `jit_n(f, static_argnums=1)`."""
    lists: dict[str, Any] = {given.option: list(given.items) if given.known else None for given in site.lists}
    return call_of(site.function, call.args[:1], lists | dict(_keywords(call)))


def _keywords(call: CallExpr) -> Iterator[tuple[str, Expression]]:
    for name, kind, value in zip(call.arg_names, call.arg_kinds, call.args, strict=True):
        if name is not None:
            yield name, value
        elif kind is ARG_STAR2:
            yield "**", value


def _layer(step: Applied, call: CallExpr, names: Names, *, is_helper: bool) -> Layer:
    subject = subject_of(call, names) or NameExpr("")
    made = call_of(step.function, [subject], step.keywords, step.positional) if is_helper else call
    return Layer(_kind(step, made, names, is_helper=is_helper), made, step.function)


def _kind(step: Applied, call: CallExpr, names: Names, *, is_helper: bool) -> LayerKind:
    name, row = step.function, known_function(step.function)
    if name == FORWARDS:
        return LayerKind.PASSES if literal(call.args[-1]) is True else LayerKind.HIDES
    if name == REWRITES:
        return LayerKind.REWRITES
    if name in names.settings.jit_functions or (row.compiles is not None and row.compiles.compiles):
        return LayerKind.JIT
    if Effect.SAME_FUNCTION in row.effects:
        return LayerKind.PASSES
    if row.compiles is not None or row.calls is not None or row.retraces is not None:
        return LayerKind.CALLS
    if is_helper or not isinstance(call.callee, RefExpr):
        return LayerKind.UNKNOWN
    return LayerKind.PASSES if row.new is None and passes_by_type(call) else LayerKind.UNKNOWN


# Decorators that pass calls on by their type: `F -> F`, or with a `ParamSpec`


def passes_by_type(call: CallExpr) -> bool:
    """Whether a decorator, read as a call with the function first, has a declared type under which nothing changes."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(node, (FuncDef, OverloadedFuncDef, Decorator, Var)):
        return False
    declared = _items(_declared(node))
    if len(call.args) == 1 and any(map(_keeps_callable, declared)):
        return True
    return any(_keeps_callable(item) for signature in declared for item in _items(signature.ret_type))


def _declared(node: SymbolNode) -> Type | None:
    if isinstance(node, Decorator):
        return node.var.type
    return node.type if isinstance(node, (FuncDef, OverloadedFuncDef, Var)) else None


def _items(typ: Type | None) -> list[CallableType]:
    proper: ProperType | None = get_proper_type(typ)
    if isinstance(proper, Instance):
        proper = get_proper_type(mypy_api.call_method(proper))
    items = proper.items if isinstance(proper, Overloaded) else [proper]
    return [item for item in items if isinstance(item, CallableType) and not item.is_type_obj()]


def _keeps_callable(typ: CallableType) -> bool:
    """`F -> F`, or `Callable[P, R] -> Callable[P, S]`."""
    taken = get_proper_type(typ.arg_types[0]) if typ.arg_types else None
    returned = get_proper_type(typ.ret_type)
    if isinstance(taken, TypeVarType):
        bound = get_proper_type(taken.upper_bound)
        return isinstance(returned, TypeVarType) and returned.id == taken.id and _may_be_callable(bound)
    if not isinstance(taken, CallableType) or not isinstance(returned, CallableType):
        return False
    given, kept = taken.param_spec(), returned.param_spec()
    is_whole = len(taken.arg_types) == len(returned.arg_types) == 2
    return given is not None and kept is not None and given.id == kept.id and is_whole


def _may_be_callable(bound: ProperType) -> bool:
    if isinstance(bound, CallableType):
        return True
    return isinstance(bound, Instance) and (bound.type.is_protocol or bound.type.fullname == "builtins.object")
