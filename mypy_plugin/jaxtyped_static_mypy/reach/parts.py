"""Ways from a value to what it holds: the items of dicts and tuples, and the attributes of objects."""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    FuncDef,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StarExpr,
    TupleExpr,
    TypeInfo,
)

from ..classes import class_model
from ..classes.constructors import parameter_names, parameters_of_fields
from ..knowledge.full_names import ABSTRACT_BASE
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.literals import text_or_number
from ..syntax.names import callee_name, is_self
from ..syntax.trees import nodes_below


class Step(NamedTuple):
    """One item, or an attribute of objects of a class."""

    key: str | int | None  # None: an item that the source does not name
    owner: TypeInfo | None = None


Path: TypeAlias = tuple[Step, ...]
ANY_ITEM: Final = Step(None)
# What `jax.jit(f).lower(x)` and `.trace(x)` return leads to the compiled function by methods of these names.
COMPILED: Final = Step("compile()")
LOWERING: Final = frozenset({"lower", "trace"})

_DICT: Final = "builtins.dict"
# Bases that do nothing to the objects of a class.
_BARE: Final = frozenset({ABSTRACT_BASE, "builtins.object", "typing.Generic", "typing.Protocol"})
# With these, an attribute may be another one than the source shows, or the object somebody else's, too.
_UNSEEN: Final = frozenset({"__getattr__", "__getattribute__", "__init_subclass__", "__new__", "__setattr__"})


def item_at(index: Expression) -> Step:
    """The item that an index names."""
    key = text_or_number(index)
    return ANY_ITEM if isinstance(key, int) and key < 0 else Step(key)


def below(path: Path, step: Step) -> Path | None:
    """The rest of a path behind its first step, if that is this one, or may be; None if it leads to something else."""
    first, key = path[0], step.key
    if first.owner is not None and step.owner is None:
        names = parameter_names(first.owner) if first.owner.is_named_tuple else []
        key = names[key] if isinstance(key, int) and key < len(names) else None
    return path[1:] if None in (first.key, key) or first.key == key else None


def step_in_display(display: DictExpr | ListExpr | TupleExpr, value: Expression) -> Step | None:
    """Where a display holds a value; None if that is a key, or unpacked."""
    if isinstance(display, DictExpr):
        return next((item_at(key) for key, item in display.items if item is value and key is not None), None)
    index = next(index for index, item in enumerate(display.items) if item is value)
    is_shifted = any(isinstance(item, StarExpr) for item in display.items[:index])
    return ANY_ITEM if is_shifted else Step(index)


def step_in_call(call: CallExpr, value: Expression, file: CheckedFile) -> Step | None:
    """Where what a call makes holds an argument: `dict(step=f)`, or an object with a field; None if unknown."""
    if callee_name(call) == _DICT:
        name = next((name for name, given in zip(call.arg_names, call.args, strict=True) if given is value), None)
        return Step(name) if name is not None else None
    info = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(info, TypeInfo) or unpacks(call) or not shows_uses(file, info):
        return None
    given = named_arguments(call, parameter_names(info) or _names_without_types(info))
    name = next((name for name, argument in given.items() if argument is value), None)
    if name is None:
        return None
    field = parameters_of_fields(info).get(name)
    attribute = field.name if field is not None else _attribute_given(info, name)
    return Step(attribute, info) if attribute is not None else None


def _constructor(info: TypeInfo) -> FuncDef | None:
    symbol = info.names.get("__init__")
    return symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None


def _names_without_types(info: TypeInfo) -> list[str]:
    init = _constructor(info)
    return [argument.variable.name for argument in init.arguments[1:]] if init is not None else []


def _attribute_given(info: TypeInfo, parameter: str) -> str | None:
    """The attribute that a class without fields sets to what it gets, and does nothing else with it."""
    method = _constructor(info)
    if method is None:
        return None
    below_init = nodes_below(method.body)
    reads = [node for node in below_init if isinstance(node, NameExpr) and node.name == parameter]
    set_to = [
        target.name
        for node in below_init
        if isinstance(node, AssignmentStmt) and reads == [node.rvalue]
        for target in node.lvalues
        if isinstance(target, MemberExpr) and is_self(target.expr)
    ]
    return set_to[0] if len(set_to) == 1 else None


@once_per_file
def shows_uses(file: CheckedFile, info: TypeInfo) -> bool:
    """Whether the file shows all that the code of a class does with its objects."""
    own = [base for base in info.mro if base.fullname not in _BARE and not _is_of_tuple(base, info)]
    if any(base.module_name != file.tree.fullname for base in own) or not class_model.is_readable(info):
        return False
    return all(_UNSEEN.isdisjoint(base.names) or base.is_named_tuple for base in own)


def has_bases(info: TypeInfo) -> bool:
    """Whether a class inherits code."""
    return any(base.fullname not in _BARE and not _is_of_tuple(base, info) for base in info.mro[1:])


def _is_of_tuple(base: TypeInfo, info: TypeInfo) -> bool:
    """Whether this is a base that every tuple has."""
    return info.is_named_tuple and base is not info


def owners_of(paths: Iterable[Path]) -> frozenset[TypeInfo]:
    return frozenset(step.owner for path in paths for step in path if step.owner is not None)
