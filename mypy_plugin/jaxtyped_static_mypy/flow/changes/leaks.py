"""Decides whether a value that is stored during a trace may hold one of its tracers."""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictionaryComprehension,
    Expression,
    FuncItem,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    SetComprehension,
    StrExpr,
    SymbolNode,
)
from mypy.types import CallableType, Instance, NoneType, ProperType, TupleType, UnionType, get_proper_type

from ...classes import class_model
from ...knowledge.differentiable import FUNCTIONS_WITHOUT_DERIVATIVE
from ...knowledge.function_rows import Derives, Effect, New, Result
from ...knowledge.jax_functions import FACTORIES, VALUE_AREAS, jax_function, jax_name
from ...knowledge.members import CONCRETE_ATTRIBUTES, CONCRETE_METHODS, CONCRETE_OPERATORS
from ...knowledge.type_rows import Trait
from ...libraries import known_function, types_with
from ...markers.marker import Marker, marker_of
from ...reach.roots import Root
from ...reach.uses import POSSIBLE, uses_of
from ...source.bindings import UPDATED, Binding, Path
from ...source.checked_file import CheckedFile
from ...source.local_bindings import LocalBinding, reaching_bindings
from ...source.nested_functions import Functions
from ...source.parameters import parameters
from ...source.surroundings import surroundings
from ...syntax.arguments import named_arguments
from ...syntax.literals import literal
from ...syntax.names import function_of
from ...syntax.trees import parts_of
from ..declared_types import declared_type, return_types

_SECOND: Final = ("[1]",)
_FLATTENING: Final = frozenset(
    {
        "flatten_util.ravel_pytree",
        "tree.flatten",
        "tree.flatten_with_path",
        "tree_util.tree_flatten",
        "tree_util.tree_flatten_with_path",
    }
)
_NEW_FUNCTIONS: Final = frozenset({New.FUNCTION, New.OPTIMISER, New.OPTIMISER_FACTORY})
_CONCRETE_TYPES: Final = types_with(Trait.CONCRETE)
_MAX_PASSES: Final = 8
_MAX_DEPTH: Final = 8  # a type alias may contain itself, or another alias twice


class Leaks:
    """The variables that may hold a tracer of the given traces: their parameters, and what is computed from them."""

    def __init__(self, crossed: Iterable[Root], functions: Functions) -> None:
        self._functions = functions
        self.stages = False  # what JAX computes is a tracer
        self._traced: set[SymbolNode] = set()
        for root in crossed:
            self.stages = self.stages or root.stages
            self._traced |= root.traced
        self._inner = [
            inner for inner in functions.parents if any(functions.is_inside(inner, root.function) for root in crossed)
        ]
        self._bindings = [
            (variable, binding)
            for variable, found in functions.bindings.items()
            if functions.owners.get(variable) in self._inner
            for binding in found
            if not _is_structure(binding.value, binding.path[:1])
            if binding.value is None or not is_computed_at_once(binding.value, functions.file)
        ]
        self._bindings += [pair for called, call in self._calls_inside() for pair in _passed(called, call)]
        self._asking: set[FuncItem] = set()
        self._asking_names: set[NameExpr] = set()
        self._flow()

    def may_hold(self, values: Iterable[Expression]) -> bool:
        return any(self._holds(value) for value in values)

    def is_returned_by(self, function: FuncItem | None) -> bool:
        """Whether a function that runs in the trace returns what holds one of its tracers."""
        if function is None or function not in self._inner or function in self._asking:
            return False
        self._asking.add(function)
        nodes = (node for node in self._functions.nodes[function] if isinstance(node, ReturnStmt))
        returned = [node.expr for node in nodes if not is_computed_at_once(node, self._functions.file)]
        found = self.may_hold(value for value in returned if value is not None)
        self._asking.discard(function)
        return found

    def _calls_inside(self) -> Iterator[tuple[FuncItem, CallExpr]]:
        """The calls of these functions by name, and of methods on `self`, in their own code."""
        functions = self._functions
        inside = {node for inner in self._inner for node in functions.nodes[inner] if isinstance(node, CallExpr)}
        for called in self._inner:
            for call in uses_of(functions.file, called).calls(POSSIBLE):
                callee = functions.adopted.get(call.callee) or function_of(call.callee)
                if call in inside and callee is called:
                    yield called, call

    def _flow(self) -> None:
        for _ in range(_MAX_PASSES):
            before = len(self._traced)
            for variable, binding in self._bindings:
                if binding.value is not None and variable not in self._traced and self._holds(binding.value):
                    self._traced.add(variable)
            if len(self._traced) == before:
                return

    def _holds(self, node: Expression) -> bool:
        if isinstance(node, NameExpr):
            return node.node in self._traced and not self._is_renewed(node)
        if isinstance(node, MemberExpr):
            is_held = node.name not in CONCRETE_ATTRIBUTES and self._holds(node.expr) and not self._is_static(node)
            return is_held or self.is_returned_by(self._functions.adopted.get(node))
        if isinstance(node, IndexExpr):
            key = literal(node.index)
            return not _is_structure(node.base, (f"[{key}]",)) and self._holds(node.base)
        if isinstance(node, CallExpr):
            return self._call_holds(node)
        if isinstance(node, ComparisonExpr):
            return CONCRETE_OPERATORS.isdisjoint(node.operators) and any(map(self._holds, node.operands))
        if isinstance(node, LambdaExpr):
            return False
        return any(self._holds(part) for part in _made_of(node))

    def _is_renewed(self, name: NameExpr) -> bool:
        """Whether a variable that may hold a tracer elsewhere holds another value here: `x = np.array(x)`."""
        if name.node is None or name in self._asking_names:
            return False
        self._asking_names.add(name)
        seen = reaching_bindings(self._functions.file, name, name.node)
        found = bool(seen) and all(map(self._is_without_tracers, seen))
        self._asking_names.discard(name)
        return found

    def _is_without_tracers(self, found: LocalBinding) -> bool:
        return found.value is not None and UPDATED not in found.binding.path and not self._holds(found.value)

    def _is_static(self, node: MemberExpr) -> bool:
        """Whether this is a static field of a parameter."""
        declared = declared_type(node.expr) if isinstance(node.expr, NameExpr) else None
        if not isinstance(declared, Instance):
            return False
        self._functions.consulted.update(declared.type.mro)
        markers = self._functions.file.settings.static_markers
        field = next((field for field in class_model.fields(declared.type) if field.name == node.name), None)
        return field is not None and class_model.is_static(field, markers)

    def _call_holds(self, call: CallExpr) -> bool:
        callee = call.callee
        name = callee.fullname if isinstance(callee, RefExpr) else ""
        if known_function(name).result is Result.CONCRETE or _makes_function(callee):
            return False
        if not self.stages and (jax_name(name) or "").rpartition(".")[2] in FUNCTIONS_WITHOUT_DERIVATIVE:
            return False
        if Effect.CALLS_FIRST in known_function(name).effects and call.args:
            return self._applied_holds(call)
        if isinstance(callee, CallExpr) and _makes_function(callee.callee):
            made_by = callee.callee.fullname if isinstance(callee.callee, RefExpr) else ""
            is_concrete = known_function(made_by).result is Result.CONCRETE
            return not is_concrete and (self.stages or self.may_hold(call.args))
        if self.stages and (jax_name(name) or "").partition(".")[0] in VALUE_AREAS and _returns_arrays(callee):
            return True
        calling = call.args[0] if name == "builtins.map" and call.args else callee
        if isinstance(calling, RefExpr) and _returns_concrete(calling):
            return False
        if self.is_returned_by(self._functions.adopted.get(callee) or function_of(callee)):
            return True
        if isinstance(callee, MemberExpr):
            if isinstance(callee.expr, StrExpr) or callee.name in CONCRETE_METHODS:
                return False
            if self._holds(callee.expr):
                return True
        elif isinstance(callee, CallExpr) and self._holds(callee):
            return True
        return self.may_hold(call.args)

    def _applied_holds(self, call: CallExpr) -> bool:
        """Whether what `jax.tree.map(f, tree)` makes may hold a tracer: not where `f` reads shapes alone."""
        function, *trees = call.args
        if isinstance(function, RefExpr):
            is_concrete = known_function(function.fullname).result is Result.CONCRETE or _returns_concrete(function)
            return not is_concrete and self.may_hold(call.args)
        if not isinstance(function, LambdaExpr):
            return self.may_hold(call.args)
        given = {argument.variable for argument in function.arguments} - self._traced
        if self.may_hold(trees):
            self._traced |= given
        found = self._holds(function.expr())
        self._traced -= given
        return found


def is_computed_at_once(node: Node, file: CheckedFile) -> bool:
    """Whether code stands below `jax.ensure_compile_time_eval()`, which computes no tracers."""
    return any(map(_computes_at_once, surroundings(node, file).managers))


def _makes_function(callee: Expression) -> bool:
    """Whether a function of JAX's makes another function, or what is made of functions, and computes nothing."""
    name = callee.fullname if isinstance(callee, RefExpr) else ""
    row = known_function(name)
    is_maker = row.new in _NEW_FUNCTIONS and row.derives is not Derives.PULLBACK
    return is_maker or Effect.WRAPS in row.effects or row.compiles is not None or name.startswith(FACTORIES)


def _is_structure(value: Node | None, path: Path) -> bool:
    """Whether this is the second part of `jax.tree.flatten(x)`, which holds no leaves."""
    called = value.callee if isinstance(value, CallExpr) else None
    return path == _SECOND and isinstance(called, RefExpr) and jax_name(called.fullname) in _FLATTENING


def _computes_at_once(manager: Expression) -> bool:
    called = manager.callee if isinstance(manager, CallExpr) else None
    return isinstance(called, RefExpr) and Effect.UNTRACED_BODY in jax_function(called.fullname).effects


def _made_of(node: Expression) -> Iterator[Expression]:
    """The expressions that make up a value; for a comprehension, its element."""
    if isinstance(node, (ListComprehension, SetComprehension)):
        node = node.generator
    if isinstance(node, GeneratorExpr):
        yield node.left_expr
    elif isinstance(node, ConditionalExpr):
        yield from (node.if_expr, node.else_expr)
    elif isinstance(node, DictionaryComprehension):
        yield node.value
    else:
        yield from (part for part in parts_of(node) if isinstance(part, Expression))


def _passed(function: FuncItem, call: CallExpr) -> Iterator[tuple[SymbolNode, Binding]]:
    """Yields what a direct call binds to a function's parameters."""
    known = {parameter.name: parameter.variable for parameter in parameters(function)}
    is_method = bool(function.info) and isinstance(call.callee, MemberExpr)
    for name, value in named_arguments(call, list(known)[is_method:]).items():
        if name in known:
            yield known[name], Binding(value)
    for value, kind in zip(call.args, call.arg_kinds, strict=True):
        if kind.is_star():
            yield from ((variable, Binding(value)) for variable in known.values())


def _returns_concrete(callee: RefExpr) -> bool:
    declared = return_types(callee.node)
    return bool(declared) and all(map(_is_concrete, declared))


def _is_concrete(typ: ProperType, depth: int = 0) -> bool:
    if depth > _MAX_DEPTH:
        return False
    if isinstance(typ, (TupleType, UnionType)):
        return all(_is_concrete(get_proper_type(part), depth + 1) for part in typ.items)
    if isinstance(typ, Instance) and marker_of(typ) is not Marker.DYNAMIC:
        element = get_proper_type(typ.args[0]) if typ.type.fullname == "builtins.tuple" and typ.args else None
        is_tuple = element is not None and _is_concrete(element, depth + 1)
        return is_tuple or typ.type.fullname in _CONCRETE_TYPES
    return isinstance(typ, NoneType)


def _returns_arrays(callee: Expression) -> bool:
    """Whether a function may return arrays, by its declared result."""
    declared = return_types(callee.node if isinstance(callee, RefExpr) else None)
    return not declared or not all(isinstance(typ, CallableType) or _is_concrete(typ) for typ in declared)
