"""How calls of one compiled function pass the same values: JAX looks up each form by itself.

`f(x, 5)`, `f(x, n=5)` and `f(x)` with 5 as the default are three programs, and so are 2 and 2.0 as one static argument.
The order of keywords does not matter.
"""

from collections.abc import Collection, Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    Argument,
    CallExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import CallableType

from ..knowledge.full_names import NUMPY
from ..markers.marker import Marker, marker_of
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.self_values import attribute_of_self, values_of_self
from ..source.surroundings import surroundings
from ..syntax.arguments import unpacks
from ..syntax.imports import full_name
from ..syntax.names import base_of, dotted_name

_CONSTANTS: Final = {"builtins.True": True, "builtins.False": False, "builtins.None": None}
_LITERALS: Final = (IntExpr, FloatExpr, StrExpr)


class How(Enum):
    POSITION = auto()
    NAME = auto()
    DEFAULT = auto()  # left out


class Passed(NamedTuple):
    how: How
    value: Expression | None  # None for a default that nobody sees


class Constant(NamedTuple):
    """A value that the source gives, with the name of its type."""

    kind: str
    value: object


class Difference(NamedTuple):
    """What tells a call from an earlier one with the same values."""

    parameter: str
    earlier: How
    later: How
    kinds: tuple[str, str] | None = None  # the types of an equal static value, the earlier first
    is_same_trace: bool = True  # whether what is traced has the same shapes for sure


Form = Mapping[str, Passed]


class Caller(NamedTuple):
    """A call, and what it passes for each parameter."""

    call: CallExpr
    form: Form


def caller(call: CallExpr, signature: CallableType, function: FuncDef | None) -> Caller | None:
    """None if a call unpacks arguments, or passes some that the signature does not name."""
    if unpacks(call) or any(kind.is_star() for kind in signature.arg_kinds):
        return None
    names = list(signature.arg_names)
    form: dict[str, Passed] = {}
    for index, (name, value) in enumerate(zip(call.arg_names, call.args, strict=True)):
        key = name if name is not None else names[index] if index < len(names) else None
        if key is None or key not in names or key in form:
            return None
        form[key] = Passed(How.POSITION if name is None else How.NAME, value)
    defaults = {argument.variable.name: argument.initializer for argument in _arguments(function)}
    for name in names:
        if name is not None and name not in form:
            form[name] = Passed(How.DEFAULT, defaults.get(name))
    return Caller(call, form)


def static_names(signature: CallableType, markers: frozenset[str]) -> frozenset[str]:
    """The parameters that the type of a compiled function marks as static."""
    named = zip(signature.arg_names, signature.arg_types, strict=True)
    return frozenset(name for name, typ in named if name is not None and marker_of(typ, markers) is Marker.STATIC)


def function_called(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The function of the file that is compiled, whose defaults are known."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(node, Decorator):
        return node.func if file.decorators.get(node.func) is node else None
    made = made_by(call.callee, file) if isinstance(node, Var) else None
    given = made.args[0] if isinstance(made, CallExpr) and made.args else None
    found = given.node if isinstance(given, RefExpr) else None
    return found if file.defines(found) else None


def method_called(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The compiled method that a method calls on `self`, also of `self.step = jax.jit(self._step)`."""
    info, name = surroundings(call, file).cls, attribute_of_self(call.callee)
    if info is None or name is None:
        return None
    symbol = info.names.get(name)
    if symbol is not None and isinstance(symbol.node, Decorator):
        return symbol.node.func if file.decorators.get(symbol.node.func) is symbol.node else None
    set_to = values_of_self(file, name)
    made = set_to[0] if len(set_to) == 1 else None
    given = made.args[0] if isinstance(made, CallExpr) and made.args else None
    inner = info.names.get(attribute_of_self(given) or "") if given is not None else None
    return inner.node if inner is not None and isinstance(inner.node, FuncDef) else None


def _arguments(function: FuncDef | None) -> list[Argument]:
    return function.arguments if function is not None else []


def is_same_call(later: Caller, earlier: Caller, static: Collection[str], file: CheckedFile) -> bool:
    """Whether the later call finds what the earlier one has compiled, as far as anyone sees."""
    return all(
        passed.how is later.form[name].how
        and (name not in static or _is_same_key(later.form[name].value, passed.value, file))
        for name, passed in earlier.form.items()
    )


def difference(later: Caller, earlier: Caller, static: Collection[str], file: CheckedFile) -> Difference | None:
    """The first thing that makes JAX compile again, if all values may be the same; else None."""
    found: list[Difference] = []
    is_same_trace = True
    for name, before in earlier.form.items():
        now = later.form[name]
        if before.how is now.how is How.DEFAULT:
            continue
        if now.value is None or before.value is None:
            return None
        old, new = constant_of(before.value, file), constant_of(now.value, file)
        are_equal = _are_equal(old, new) if name in static else _are_alike(old, new)
        is_same = are_equal if old is not None and new is not None else is_same_value(now.value, before.value, file)
        if not is_same and (name in static or How.DEFAULT in (before.how, now.how) or None not in (old, new)):
            return None
        is_same_trace = is_same_trace and is_same
        is_other_type = name in static and old is not None and new is not None and old.kind != new.kind
        if before.how is not now.how or is_other_type:
            kinds = (old.kind, new.kind) if is_other_type and old is not None and new is not None else None
            found.append(Difference(name, before.how, now.how, kinds))
    return found[0]._replace(is_same_trace=is_same_trace) if found else None


def _is_same_key(first: Expression | None, second: Expression | None, file: CheckedFile) -> bool:
    if first is None or second is None:
        return first is second
    old, new = constant_of(first, file), constant_of(second, file)
    return old == new and (old is not None or is_same_value(first, second, file))


def _are_equal(old: Constant | None, new: Constant | None) -> bool:
    return old is not None and new is not None and old.value == new.value


def _are_alike(old: Constant | None, new: Constant | None) -> bool:
    """Whether two numbers are traced alike: their values do not matter, unless they are None."""
    return old is not None and new is not None and old.kind == new.kind


def is_same_value(first: Expression, second: Expression, file: CheckedFile) -> bool:
    """Whether two places read the same variable, which was not bound anew in between."""
    name = dotted_name(first)
    if name is None or name != dotted_name(second):
        return False
    one, other = base_of(first), base_of(second)
    if not (isinstance(one, NameExpr) and isinstance(other, NameExpr) and one.node is other.node):
        return False
    if not isinstance(one.node, Var) or "." in one.node.fullname:
        return isinstance(first, NameExpr | MemberExpr)
    return [found.statement for found in reaching_bindings(file, one, one.node)] == [
        found.statement for found in reaching_bindings(file, other, one.node)
    ]


def constant_of(node: Expression, file: CheckedFile) -> Constant | None:
    """A literal, a tuple of literals, or a number of NumPy; also through names that are bound once."""
    node = made_by(node, file)
    if isinstance(node, _LITERALS):
        return Constant(type(node.value).__name__, node.value)
    if isinstance(node, NameExpr) and node.fullname in _CONSTANTS:
        value = _CONSTANTS[node.fullname]
        return Constant(type(value).__name__, value)
    if isinstance(node, UnaryExpr) and node.op == "-":
        return _negative(constant_of(node.expr, file))
    if isinstance(node, TupleExpr):
        items = list(_constants(node, file))
        return Constant("tuple", tuple(items)) if len(items) == len(node.items) else None
    return _number_of_numpy(node, file) if isinstance(node, CallExpr) else None


def _negative(constant: Constant | None) -> Constant | None:
    value = constant.value if constant is not None else None
    return constant._replace(value=-value) if constant is not None and isinstance(value, int | float) else None


def _constants(node: TupleExpr, file: CheckedFile) -> Iterator[object]:
    found = (constant_of(item, file) for item in node.items)
    return (constant.value for constant in found if constant is not None)


def _number_of_numpy(call: CallExpr, file: CheckedFile) -> Constant | None:
    """`np.int64(2)`, whose type tells it from 2."""
    package, _, name = full_name(call.callee, file.tree).partition(".")
    inner = constant_of(call.args[0], file) if len(call.args) == 1 and package == NUMPY else None
    kind = name.rpartition(".")[2]
    is_number = inner is not None and isinstance(inner.value, int | float) and kind[-1:].isdigit()
    return Constant(f"np.{kind}", inner.value) if is_number and inner is not None else None
