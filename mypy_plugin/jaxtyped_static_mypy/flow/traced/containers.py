"""What Python's containers, and NumPy's arrays, ask of a tracer: an index, a hash, a comparison, or its value."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    LDEF,
    CallExpr,
    ComparisonExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import Instance, ProperType, TupleType, get_proper_type

from ...classes.array_holders import is_array
from ...knowledge.function_rows import Result
from ...knowledge.jax_functions import jax_name
from ...knowledge.members import (
    COMPARING_METHODS,
    HASHING_METHODS,
    INDEXING_METHODS,
    NUMBER_ATTRIBUTES,
    UNAMBIGUOUS_METHODS,
)
from ...knowledge.type_rows import Trait
from ...libraries import known_function, types_with
from ...source.bindings import bindings_of, made_by
from ...source.checked_file import CheckedFile
from ...source.local_bindings import LocalBinding, reaching_bindings
from ...syntax.imports import full_name
from ...syntax.names import callee_name
from ..declared_types import class_in, declared_type
from .array_items import are_of_array
from .conversions import is_never_equal
from .frame import Frame
from .given import is_array_given
from .host_tables import is_host_array
from .values import Each, Entries, Items, Traced, Value, array_from, origin, present


class Container(Enum):
    """How a container finds its items."""

    LISTED = auto()  # by number; a value by comparing it with each
    TEXT = auto()  # by number
    HASHED = auto()
    HOST = auto()  # an array of NumPy, which converts what it gets


_DISPLAYS: Final[Mapping[type[Expression], Container]] = {
    ListExpr: Container.LISTED,
    TupleExpr: Container.LISTED,
    ListComprehension: Container.LISTED,
    StrExpr: Container.TEXT,
    DictExpr: Container.HASHED,
    SetExpr: Container.HASHED,
    DictionaryComprehension: Container.HASHED,
    SetComprehension: Container.HASHED,
}
# By the class, which also makes one.
_CLASSES: Final[Mapping[str, Container]] = {
    "builtins.list": Container.LISTED,
    "builtins.tuple": Container.LISTED,
    "builtins.range": Container.LISTED,
    "builtins.sorted": Container.LISTED,
    "builtins.str": Container.TEXT,
    "builtins.dict": Container.HASHED,
    "builtins.set": Container.HASHED,
    "builtins.frozenset": Container.HASHED,
}

_SETS: Final = ("builtins.frozenset", "builtins.set")
_WRITTEN_OUT: Final = (ListExpr, SetExpr, TupleExpr)
_NUMBERS: Final = types_with(Trait.NUMBER)


def container_of(node: Expression, value: Value, file: CheckedFile) -> Container | None:
    """The container that an expression is: by what is known of its value, its declared type, or where it is made."""
    made = made_by(node, file)
    if (display := _DISPLAYS.get(type(made))) is not None:
        return display
    if isinstance(made, CallExpr) and value is None and (found := _CLASSES.get(full_name(made.callee, file.tree))):
        return found
    if value is None and is_host_array(made, file):
        return Container.HOST
    if isinstance(value, Entries):
        return Container.HASHED
    if isinstance(value, (Items, Each)):
        return Container.LISTED
    declared = declared_type(node) if value is None and isinstance(node, NameExpr) else None
    if isinstance(declared, TupleType):
        return Container.LISTED
    info = class_in(declared)
    if info is None or (isinstance(node, NameExpr) and _may_be_array(node, declared, file)):
        return None
    return _CLASSES.get(info.fullname)


def _may_be_array(node: NameExpr, declared: ProperType | None, file: CheckedFile) -> bool:
    """Whether it is a parameter that is declared as a list of numbers, which people also write for an array of them."""
    if not isinstance(declared, Instance) or declared.type.fullname != "builtins.list" or not declared.args:
        return False
    item = get_proper_type(declared.args[0])
    is_number = isinstance(item, Instance) and item.type.fullname in _NUMBERS
    return is_number and node.kind == LDEF and not bindings_of(node.node, file)


def record_key(node: Expression, container: Container | None, key: Value, frame: Frame) -> None:
    """Records the key or index of `container[key]`."""
    match container:
        case Container.LISTED:
            frame.needs_concrete(node, "subscript", key)
        case Container.TEXT:
            frame.needs_concrete(node, "subscript-text", key)
        case Container.HASHED:
            is_number = isinstance(node, IndexExpr) and _has_numbers_for_keys(node.base, frame.walk.file)
            record_hashed(node, array_from(key.source) if is_number and isinstance(key, Traced) else key, frame)
        case Container.HOST:
            frame.needs_concrete(node, "host-index", _held(key))


def _has_numbers_for_keys(node: Expression, file: CheckedFile) -> bool:
    """Whether a dict is written out with numbers for keys, so that a key without a type is a number, too, or raises."""
    made = made_by(node, file)
    keys = [key for key, _ in made.items] if isinstance(made, DictExpr) else []
    return bool(keys) and all(_is_number(key) for key in keys)


def _is_number(key: Expression | None) -> bool:
    return isinstance(key.expr if isinstance(key, UnaryExpr) and key.op == "-" else key, IntExpr | FloatExpr)


def record_hashed(node: Expression, value: Value, frame: Frame) -> None:
    """Records a key, or an item of a set; a tuple has a hash if all its items have one."""
    frame.needs_concrete(node, "hash", _held(value))


def record_membership(node: ComparisonExpr, container: Container | None, value: Value, frame: Frame) -> None:
    """Records `value in container`. `node`: the comparison."""
    listed = made_by(node.operands[1], frame.walk.file)
    if isinstance(listed, (ListExpr, TupleExpr)) and all(is_never_equal(item) for item in listed.items):
        return
    if _begins_with(node.operands[0], listed):
        return
    if container is Container.LISTED:
        frame.needs_concrete(node, "in", value)
    elif container is Container.HASHED:
        of_numbers = _is_set_of_numbers(listed)
        record_hashed(node, array_from(value.source) if of_numbers and isinstance(value, Traced) else value, frame)


def _is_set_of_numbers(made: Expression) -> bool:
    """`{3, 5}`, also in `frozenset({3, 5})`."""
    is_set = isinstance(made, CallExpr) and callee_name(made) in _SETS and len(made.args) == 1
    items = made.args[0] if is_set and isinstance(made, CallExpr) else made
    return isinstance(items, SetExpr if items is made else _WRITTEN_OUT) and all(map(_is_number, items.items))


def _begins_with(value: Expression, listed: Expression) -> bool:
    """Whether a value is the first item of a list, which Python finds without comparing: `x in [x, y]`."""
    first = listed.items[0] if isinstance(listed, (ListExpr, TupleExpr)) and listed.items else None
    return isinstance(value, NameExpr) and isinstance(first, NameExpr) and value.node is first.node


def record_assigned(target: IndexExpr, base: Value, key: Value, value: Value, frame: Frame) -> None:
    """Records `base[key] = value`: JAX's arrays refuse it, and NumPy's get no tracers."""
    if isinstance(base, Traced):
        frame.needs_concrete(target, "in-place", _array_changed(target, base, frame.walk.file))
        return
    container = container_of(target.base, base, frame.walk.file)
    record_key(target, container, key, frame)
    if container is Container.HOST:
        frame.needs_concrete(target, "host-item", _held(value))


def _array_changed(target: IndexExpr, base: Traced, file: CheckedFile) -> Traced | None:
    """What `x[i] = value` changes, if that is an array for sure."""
    if _is_array(target.base, base, file):
        return base
    is_known = are_of_array(target, file) or _is_computed(target.base, file)
    return array_from(base.source) if is_known else None


def _is_computed(node: Expression, file: CheckedFile) -> bool:
    """Whether a name holds what methods of arrays return, or functions that compute arrays, wherever it was bound."""
    if not isinstance(node, NameExpr) or not isinstance(node.node, Var) or node.kind != LDEF:
        return False
    bound = reaching_bindings(file, node, node.node)
    return bool(bound) and all(_computes(found, file) for found in bound)


def _computes(bound: LocalBinding, file: CheckedFile) -> bool:
    if bound.value is None or bound.binding.path:
        return False
    callee = bound.value.callee if isinstance(bound.value, CallExpr) else None
    is_method = isinstance(callee, MemberExpr) and not isinstance(getattr(callee.expr, "node", None), MypyFile)
    is_of_arrays = is_method and isinstance(callee, MemberExpr) and callee.name in UNAMBIGUOUS_METHODS
    return is_of_arrays or is_array_given(bound.value, file)


def _is_array(node: Expression, value: Traced, file: CheckedFile) -> bool:
    """Whether a traced value is an array for sure: what a transformed function returns may be a list or a dict."""
    made = made_by(node, file)
    info = class_in(declared_type(made)) if isinstance(made, NameExpr) else None
    if isinstance(made, CallExpr) and known_function(callee_name(made)).result is Result.ITEMS_SUMMED:
        return value.source.is_array and len(made.args) == 1  # which begins with 0
    if isinstance(made, CallExpr):
        area = (jax_name(full_name(made.callee, file.tree)) or "").partition(".")[0]
        return value.source.is_array and area == "numpy"
    is_parameter = isinstance(made, NameExpr) and made.kind == LDEF and not bindings_of(made.node, file)
    is_declared = info is not None and is_array(info)
    return value.source.is_array and (isinstance(made, OpExpr) or is_declared or (info is None and is_parameter))


def record_method(call: CallExpr, base: Value, values: Sequence[Value], frame: Frame) -> None:
    """Records `items.index(x)`, `table.get(x)` and the like, and `n.bit_length()`."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and isinstance(base, Traced) and callee.name in NUMBER_ATTRIBUTES:
        frame.needs_concrete(call, "attribute", base)
    if not isinstance(callee, MemberExpr) or not values or isinstance(base, Traced):
        return
    container = container_of(callee.expr, base, frame.walk.file)
    if container is Container.HASHED and callee.name in HASHING_METHODS:
        record_hashed(call, values[0], frame)
    elif container is Container.LISTED and callee.name in COMPARING_METHODS:
        if not _begins_with(call.args[0], made_by(callee.expr, frame.walk.file)):
            frame.needs_concrete(call, "lookup", values[0])
    elif container is Container.LISTED and callee.name in INDEXING_METHODS:
        frame.needs_concrete(call, "subscript", values[0])


def record_repeated(node: OpExpr, left: Value, right: Value, frame: Frame) -> bool:
    """Records `[0] * n` and `n * "a"`; returns whether it is one. Of a tuple, it mostly is a shape: `static-traced`."""
    if node.op != "*":
        return False
    for items, value, count in ((node.left, left, right), (node.right, right, left)):
        container = container_of(items, value, frame.walk.file) if isinstance(present(count), Traced) else None
        made = made_by(items, frame.walk.file)
        is_list = container is Container.LISTED and isinstance(made, (ListExpr, ListComprehension))
        # A parameter that says it is text may be a tracer all the same: `jit-untraceable` reports the annotation.
        is_text = container is Container.TEXT and not isinstance(made, RefExpr)
        if is_list or is_text:
            frame.needs_concrete(node, "repeated", count)
            return True
    return False


def _held(value: Value) -> Value:
    """The tracer that a value is, or that is an item of it."""
    if isinstance(value, (Items, Traced)) and (source := origin(value)) is not None:
        return Traced(source)
    return None
