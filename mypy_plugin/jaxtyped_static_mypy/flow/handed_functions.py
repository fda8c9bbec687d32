"""The functions that a call hands to JAX, and how many positional arguments each of them can still take."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mypy.nodes import (
    ArgKind,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
)

from ..knowledge.function_rows import Effect, KnownFunction
from ..libraries import known_function
from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile
from ..source.functions import functions_around
from ..syntax.arguments import unpacks
from ..syntax.imports import full_name
from ..syntax.names import dotted_name, is_self
from ..syntax.partials import is_partial
from ..syntax.stand_ins import stands_in
from .given_fields import value_of_field
from .written_values import attributes_assigned, written_value

_MAX_DEPTH: Final = 8  # of partials and wrappers around each other


class Taken(NamedTuple):
    """A parameter that a caller can still fill."""

    name: str | None
    kind: ArgKind


class Handed(NamedTuple):
    """A function of the program, as whoever gets it can call it."""

    function: FuncItem
    name: str  # as messages show it
    parameters: tuple[Taken, ...]
    is_transformed: bool = False  # what is called returns something else than the function does
    is_method: bool = False  # of an object whose class may have subclasses that replace it

    @property
    def least(self) -> int:
        """How many positional arguments it needs."""
        return sum(one.kind is ArgKind.ARG_POS for one in self.parameters)

    @property
    def most(self) -> int | None:
        """How many it can take; None if there is no limit."""
        if any(one.kind is ArgKind.ARG_STAR for one in self.parameters):
            return None
        return sum(one.kind.is_positional() for one in self.parameters)

    def fits(self, count: int) -> bool:
        """Whether a call with so many positional arguments, and no other, reaches its body."""
        is_needing_names = any(one.kind is ArgKind.ARG_NAMED for one in self.parameters)
        return self.least <= count and (self.most is None or count <= self.most) and not is_needing_names

    @property
    def taken(self) -> str:
        """How many it takes, in words."""
        least, most = self.least, self.most
        if most is None:
            return f"at least {counted(least, 'argument')}"
        if least == most:
            return counted(most, "argument") if most else "no argument"
        return f"{least} to {counted(most, 'argument')}"


def counted(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def handed(node: Expression, file: CheckedFile, depth: int = _MAX_DEPTH) -> Handed | None:
    """The function that an expression stands for; None unless the source shows it."""
    made = written_value(node, file)
    if isinstance(made, LambdaExpr):
        return Handed(made, "this lambda", _parameters(made))
    if isinstance(made, CallExpr):
        return _of_call(made, file, depth - 1) if depth else None
    if isinstance(made, NameExpr):
        return _of_symbol(made.node, made.name, file)
    return _of_attribute(made, file, depth) if isinstance(made, MemberExpr) else None


def _of_call(call: CallExpr, file: CheckedFile, depth: int) -> Handed | None:
    """`partial(f, a, k=b)`, `jax.jit(f)`, `jax.vmap(f)`."""
    if not call.args or call.arg_names[0] is not None:
        return None
    if is_partial(call):
        inner = None if unpacks(call) else handed(call.args[0], file, depth)
        return _without_bound(inner, call) if inner is not None else None
    row = known_function(full_name(call.callee, file.tree))
    is_kept = _keeps_parameters(row)
    if not is_kept and not (row.effects & Effect.WRAPS and row.calls is not None):
        return None
    inner = handed(call.args[0], file, depth)
    return inner._replace(is_transformed=inner.is_transformed or not is_kept) if inner is not None else None


def _without_bound(inner: Handed, call: CallExpr) -> Handed | None:
    """What a partial leaves: a parameter that it gives by name, and those behind it, can be given by name only."""
    bound = [name for name in call.arg_names if name is not None]
    count = len(call.args) - 1 - len(bound)
    is_open = any(one.kind.is_star() for one in inner.parameters)
    left = list(inner.parameters[count:])
    if is_open or len(left) + count != len(inner.parameters) or not set(bound) <= {one.name for one in left}:
        return None
    first = next((index for index, one in enumerate(left) if one.name in bound), len(left))
    behind = [_by_name(one) for one in left[first:] if one.name not in bound]
    return inner._replace(parameters=(*left[:first], *behind))


def _by_name(one: Taken) -> Taken:
    named = {ArgKind.ARG_POS: ArgKind.ARG_NAMED, ArgKind.ARG_OPT: ArgKind.ARG_NAMED_OPT}
    return one._replace(kind=named.get(one.kind, one.kind))


def _of_symbol(symbol: SymbolNode | None, name: str, file: CheckedFile) -> Handed | None:
    """A function of this module or of another one, unless something replaces it."""
    decorators: Sequence[Expression] = ()
    if isinstance(symbol, Decorator):
        decorators, symbol = symbol.decorators, symbol.func
    if not isinstance(symbol, FuncDef) or symbol.is_property or not all(_is_keeping(one, file) for one in decorators):
        return None
    if _is_replaced(symbol, file) or is_defined_again(symbol, name, file):
        return None
    return Handed(symbol, f'"{name}"', _parameters(symbol))


def _is_replaced(function: FuncDef, file: CheckedFile) -> bool:
    """Whether its name may stand for something else: a second definition, or an assignment."""
    others = [one for one in file.functions_named.get(function.name, ()) if one is not function]
    owner = _owner(function, file)
    is_second = any(one.info is function.info and _owner(one, file) is owner for one in others)
    symbols: list[SymbolNode] = [function]
    if function in file.decorators:
        symbols.append(file.decorators[function])
    return is_second or any(bindings_of(one, file) for one in symbols)


def is_defined_again(function: FuncDef, name: str, file: CheckedFile) -> bool:
    """Whether the module defines a function by the name by which it imports this one, which mypy (2.4.1) takes."""
    own = (one for one in file.functions_named.get(name, ()) if one is not function)
    return not file.defines(function) and any(not one.info and _owner(one, file) is None for one in own)


def _owner(function: FuncDef, file: CheckedFile) -> FuncDef | None:
    """The function around a function."""
    around = [one.node for one in functions_around(function.line, file) if one.node is not function]
    return around[-1] if around else None


def _of_attribute(node: MemberExpr, file: CheckedFile, depth: int) -> Handed | None:
    """`self.method`, `Class.method`, `module.function`, and the argument that `obj.field` was."""
    if is_self(node.expr):
        return _of_object(node, file)
    given = value_of_field(node, file) if depth else None
    if given is not None:
        return handed(given, file, depth - 1)
    owner = node.expr.node if isinstance(node.expr, RefExpr) else None
    shown = dotted_name(node) or node.name
    if not isinstance(owner, TypeInfo):
        return _of_symbol(node.node, shown, file)
    symbol = owner.names.get(node.name)
    found = _of_symbol(symbol.node if symbol is not None else None, shown, file)
    if found is None or not isinstance(found.function, FuncDef):
        return None
    is_bound = found.function.is_class
    return found._replace(parameters=found.parameters[1:] if is_bound else found.parameters, is_method=is_bound)


def _of_object(node: MemberExpr, file: CheckedFile) -> Handed | None:
    """`self.method`, of the class around the code, unless an object or a subclass has its own, or has to have."""
    around = functions_around(node.line, file)
    info = around[0].node.info if around else None
    symbol = info.get(node.name) if info else None
    found = _of_symbol(symbol.node if symbol is not None else None, f"self.{node.name}", file)
    if info is None or found is None or not isinstance(found.function, FuncDef):
        return None
    if node.name in attributes_assigned(file) or file.overriding(found.function, info) or stands_in(found.function):
        return None
    parameters = found.parameters if found.function.is_static else found.parameters[1:]
    return found._replace(parameters=parameters, is_method=True)


def _is_keeping(decorator: Expression, file: CheckedFile) -> bool:
    """Whether a decorator leaves the parameters as they are: `@jax.jit`, `@partial(jax.jit, ...)`."""
    if isinstance(decorator, CallExpr):
        subject = decorator.args[0] if is_partial(decorator) and decorator.args else decorator.callee
    else:
        subject = decorator
    return _keeps_parameters(known_function(full_name(subject, file.tree)))


def _keeps_parameters(row: KnownFunction) -> bool:
    """Whether it returns a function with the same parameters, which returns the same: `jit`, `checkpoint`."""
    return row.compiles is not None and not row.compiles.maps


def _parameters(function: FuncItem) -> tuple[Taken, ...]:
    """Also of a function that mypy has from its cache, without its body."""
    names, kinds = function.arg_names, function.arg_kinds
    return tuple(Taken(name, kind) for name, kind in zip(names, kinds, strict=True))
