"""Where the tree that an object is begins with a weak type, as its constructor, or what makes it, says."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    StrExpr,
    TypeInfo,
)

from ..classes import class_model
from ..classes.class_model import Field
from ..classes.constructors import parameter_names, parameters_of_fields, parameters_passed_on, passed_on_by_maker
from ..compat.dependencies import record_dependency
from ..facts.class_facts import facts_of
from ..facts.weak_facts import read_kept
from ..knowledge.full_names import JAX
from ..knowledge.jax_functions import jax_name
from ..libraries import jit_function
from ..source.bindings import Path, made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.weak_values import Reader, WeakValue, weak_value
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.assignments import targets_of
from ..syntax.changes import ChangeKind, changes
from ..syntax.decorators import applied
from ..syntax.imports import full_name
from ..syntax.names import base_of, callee_name, is_named, is_self
from ..syntax.trees import nodes_below, statements
from .declared_types import class_in

_MAX_DEPTH: Final = 6
_CONVERTER: Final = "converter"

Passed = Mapping[str, Expression]  # by the names of parameters


class Leaf(NamedTuple):
    """A part of a value that begins with a weak type."""

    path: Path
    weak: WeakValue
    line: int | None  # None in another file than the one checked
    owner: TypeInfo | None = None  # the class that makes it
    is_default: bool = False  # the default of a field of a dataclass

    def below(self, step: str) -> "Leaf":
        return self._replace(path=(step, *self.path))


def weak_reader(file: CheckedFile) -> Reader:
    """How the names of a checked file are read."""
    return Reader(lambda node: public_name(node, file), lambda node: _unchanged(node, file))


def public_name(node: Expression, file: CheckedFile) -> str:
    """The full name that an expression refers to, for what is JAX's as programs import it."""
    name = full_name(node, file.tree)
    known = jax_name(name)
    return f"{JAX}{known}" if known is not None else name


def weak_leaves(node: Expression, file: CheckedFile, depth: int = _MAX_DEPTH) -> Iterator[Leaf]:
    """The weakly typed numbers and arrays in a value; none of what nobody sees."""
    if not depth:
        return
    node = _unchanged(node, file)
    if (weak := weak_value(node, weak_reader(file))) is not None:
        yield Leaf((), weak, node.line)
    elif isinstance(node, DictExpr):
        # What a dict unpacks may have other values for the keys before it.
        last = max((index for index, (key, _) in enumerate(node.items) if key is None), default=-1)
        for key, value in node.items[last + 1 :]:
            if isinstance(key, StrExpr):
                yield from _below(f"[{key.value}]", value, file, depth)
    elif isinstance(node, CallExpr) and (info := class_made(node)) is not None:
        yield from _of_object(node, info, file, depth)
    elif isinstance(node, CallExpr) and (function := _factory(node, file)) is not None:
        body = statements(function.body.body, into_definitions=False)
        returned = [part.expr for part in body if isinstance(part, ReturnStmt)]
        if len(returned) == 1 and returned[0] is not None:
            yield from weak_leaves(returned[0], file, depth - 1)


def _unchanged(node: Expression, file: CheckedFile) -> Expression:
    """What makes the value of a name, or a name of which the file changes the value later."""
    return made_by(node, file, changed_in_place(file))


def class_made(call: CallExpr) -> TypeInfo | None:
    """The class of the program whose constructor, or class method, a call calls."""
    callee = call.callee
    if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return callee.node
    holder = callee.expr if isinstance(callee, MemberExpr) else None
    info = holder.node if isinstance(holder, RefExpr) else None
    return info if isinstance(info, TypeInfo) else None


@once_per_file
def changed_in_place(file: CheckedFile) -> frozenset[Node | None]:
    """The variables of which the file sets an attribute or an item, or calls a method that does."""
    found = (base_of(change.target) for change in changes(file.nodes) if change.kind is not ChangeKind.NAME)
    return frozenset(node.node for node in found if isinstance(node, NameExpr))


def leaf_fields(info: TypeInfo, file: CheckedFile) -> dict[str, Field]:
    """The fields that are part of the tree that an object is; none of a class that is no pytree."""
    if not (info.is_named_tuple or class_model.is_pytree(info)):
        return {}
    markers = file.settings.static_markers
    found = (field for field in class_model.fields(info) if not field.may_be_static)
    return {field.name: field for field in found if not class_model.is_static(field, markers)}


def arguments_by_field(call: CallExpr, info: TypeInfo) -> dict[str, Expression] | None:
    """What a constructor, or a class method that calls it, gets for each field; None if that is not to be seen."""
    if unpacks(call):
        return None
    fields = parameters_of_fields(info)
    if isinstance(call.callee, MemberExpr) and not isinstance(call.callee.node, TypeInfo):
        passed_on = passed_on_by_maker(info, call.callee.name)
        if passed_on is None:
            return None
        own = parameters_passed_on(passed_on, info, fields)
        given = named_arguments(call, ())
        return {fields[name].name: given[own[name]] for name in fields if own.get(name) in given}
    given = named_arguments(call, parameter_names(info) or list(fields))
    return {fields[name].name: value for name, value in given.items() if name in fields}


def _below(step: str, value: Expression, file: CheckedFile, depth: int) -> Iterator[Leaf]:
    return (leaf.below(step) for leaf in weak_leaves(value, file, depth - 1))


def _of_object(call: CallExpr, info: TypeInfo, file: CheckedFile, depth: int) -> Iterator[Leaf]:
    given = arguments_by_field(call, info)
    if given is None:
        return
    kept = kept_as_given(info, file)
    for name, value in given.items():
        if name in kept:
            yield from _below(f".{name}", value, file, depth)
    if isinstance(call.callee, RefExpr) and call.callee.node is info:  # a class method may set what it does not take
        passed = named_arguments(call, parameter_names(info))
        yield from (leaf for leaf in _of_class(info, passed, file, depth) if leaf.path[0][1:] not in given)


def _of_class(info: TypeInfo, passed: Passed | None, file: CheckedFile, depth: int) -> Iterator[Leaf]:
    """What a class itself gives to the fields of an object. `passed`: to its constructor; None if nobody sees that."""
    record_dependency(file.api, class_model.user_bases(info))
    owner = next((base for base in info.mro if "__init__" in base.names and base.fullname != class_model.OBJECT), info)
    if "__init__" in owner.names and not owner.names["__init__"].plugin_generated:
        yield from _of_init(info, owner, passed, file, depth)
    elif passed is not None:  # else arguments may take the places of the defaults
        fields = kept_as_given(info, file)
        for name, kept in facts_of(info).get("weak_defaults", {}).items():
            if name in fields:
                line = _line(name, info, file, in_init=False)
                yield Leaf((f".{name}",), read_kept(kept).weak, line, info, is_default=not info.is_named_tuple)


def _of_init(info: TypeInfo, owner: TypeInfo, passed: Passed | None, file: CheckedFile, depth: int) -> Iterator[Leaf]:
    """What the constructor that `owner` has gives to the fields."""
    facts, fields = facts_of(owner), kept_as_given(info, file)
    for name, kept in facts.get("begins_weak", {}).items():
        weak, parameters = read_kept(kept)
        if name in fields and all(_is_weak(parameter, passed, file) for parameter in parameters):
            yield Leaf((f".{name}",), weak, _line(name, owner, file, in_init=True), owner)
    for name, (called, is_given) in facts.get("built_from", {}).items() if depth else ():
        held = class_in(fields[name].type) if name in fields else None
        if held is not None and held.name == called.rpartition(".")[2]:
            inner = _of_class(held, None if is_given else {}, file, depth - 1)
            yield from (leaf.below(f".{name}") for leaf in inner)


def _is_weak(parameter: str, passed: Passed | None, file: CheckedFile) -> bool:
    """Whether a parameter whose default is a number gets one."""
    if passed is None or parameter not in passed:
        return passed is not None
    return weak_value(passed[parameter], weak_reader(file)) is not None


def kept_as_given(info: TypeInfo, file: CheckedFile) -> dict[str, Field]:
    """The fields of a tree that keep what a constructor first sets them to: nothing converts it, or sets another."""
    sets = [facts_of(base).get("sets", {}) for base in info.mro]
    later = {name for found in sets for method, names in found.items() if method != "__init__" for name in names}
    return {
        name: field
        for name, field in leaf_fields(info, file).items()
        if name not in later and _CONVERTER not in facts_of(field.owner).get("fields", {}).get(name, {})
    }


def _line(name: str, info: TypeInfo, file: CheckedFile, *, in_init: bool) -> int | None:
    """The line on which a class sets an attribute, or declares a field, if the file being checked has the class."""
    if info.module_name != file.tree.fullname:
        return None
    assigned = ((node, target) for node in nodes_below(info.defn.defs) for target in targets_of(node))
    sets = _is_of_self if in_init else is_named
    return next((node.line for node, target in assigned if sets(target, name)), None)


def _is_of_self(target: Expression, name: str) -> bool:
    return isinstance(target, MemberExpr) and target.name == name and is_self(target.expr)


def _factory(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The function of the file that a call calls, if all that decorates it is jit."""
    node = call.callee.node if isinstance(call.callee, NameExpr) else None
    function = node.func if isinstance(node, Decorator) else node
    if not file.defines(function):
        return None
    decorators = node.original_decorators if isinstance(node, Decorator) else []
    names = (callee_name(applied(decorator)) for decorator in decorators)
    return function if all(jit_function(name, file.settings.jit_functions) is not None for name in names) else None
