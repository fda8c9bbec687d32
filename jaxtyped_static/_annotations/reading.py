"""Reads which markers an annotation carries, whether it is an object or a string.

A string is not evaluated but read as syntax, one name at a time: an annotation may use names that exist only for type
checkers, and libraries run code of their own when subscripted. Markers are found through aliases, `type` statements and
imports under `TYPE_CHECKING`. If something may hide a marker and cannot be looked through, reading raises `Unreadable`.
"""

from __future__ import annotations

import ast
import re
import sys
import typing
from collections.abc import Iterable
from typing import Annotated, Any, ForwardRef, Literal, NamedTuple, TypeVar, Unpack, get_args, get_origin, is_typeddict

from typing_extensions import TypeAliasType as BackportedTypeAliasType

from jaxtyped_static._annotations.evaluating import evaluate
from jaxtyped_static._annotations.functions import annotations_of
from jaxtyped_static._annotations.names import (
    Code,
    Live,
    Scope,
    Target,
    Unreadable,
    attribute_of,
    written_alias,
)
from jaxtyped_static._annotations.syntax import shared_expression
from jaxtyped_static._markers import Marker, is_applied, is_bare, is_special_form, markers_in

if sys.version_info >= (3, 12):
    _ALIAS_TYPES = (typing.TypeAliasType, BackportedTypeAliasType)
else:
    _ALIAS_TYPES = (BackportedTypeAliasType,)


class Reading(NamedTuple):
    """The markers of an annotation.

    Attributes:
        top: markers around the annotation as a whole.
        nested: markers on a part of it, where they have no effect.
        bare: whether a marker is used without a type in brackets.
    """

    top: frozenset[Marker] = frozenset()
    nested: frozenset[Marker] = frozenset()
    bare: bool = False


UNMARKED = Reading()


def read_annotation(annotation: object, scope: Scope) -> Reading:
    """Reads one annotation.

    Raises:
        Unreadable: it may hold a marker and cannot be resolved.
    """
    if isinstance(annotation, ForwardRef):  # Python 3.14 makes these of annotations that it cannot evaluate yet.
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        return _Reader(scope).text(annotation)
    return _Reader(scope).value(annotation)


class _Reader(NamedTuple):
    scope: Scope
    # What is being read, to stop at recursive aliases: the ids of live aliases and of cached syntax nodes.
    within: frozenset[int] = frozenset()

    def value(self, annotation: object) -> Reading:
        """Reads an annotation that is an object."""
        if isinstance(annotation, ForwardRef):
            return self.quoted(annotation.__forward_arg__)
        if isinstance(annotation, str):
            return self.quoted(annotation)
        if isinstance(annotation, list | tuple):
            return _below(self.value(item) for item in annotation)
        if isinstance(annotation, _ALIAS_TYPES):
            return self._type_alias(annotation)
        if is_special_form(annotation):
            return _marked(frozenset({Marker.STATIC}), _below(self.value(item) for item in get_args(annotation)))
        origin = get_origin(annotation)
        if origin is Annotated:
            return self._annotated(annotation)
        if origin is Literal:
            return UNMARKED
        if origin is Unpack:
            return self._unpacked(get_args(annotation)[0])
        arguments = [self.value(argument) for argument in get_args(annotation)]
        return self._subscribed(origin, arguments) if isinstance(origin, _ALIAS_TYPES) else _below(arguments)

    def text(self, annotation: str) -> Reading:
        """Reads an annotation that is a string, as all are under `from __future__ import annotations`."""
        try:
            expression = shared_expression(f"({annotation}\n)")
        except SyntaxError:
            if _names_marker(annotation):
                raise Unreadable("is not a Python expression") from None
            return UNMARKED  # Prose, as in `x: "the grid spacing"`.
        return self.node(expression)

    def quoted(self, annotation: str) -> Reading:
        """Reads a string inside another annotation, which need not be a type: `Float[Array, "batch time"]`."""
        try:
            return self.text(annotation)
        except Unreadable:
            if _names_marker(annotation):
                raise
            return UNMARKED

    def node(self, node: ast.expr) -> Reading:
        """Reads an annotation that is syntax."""
        match node:
            case ast.Name() | ast.Attribute():
                return self._target(self._locate(node))
            case ast.Subscript(value=head, slice=inside):
                elements = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self._subscript(self._locate(head), elements)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return _below((self.node(left), self.node(right)))
            case ast.Constant(value=str(text)):
                return self.text(text)
            case ast.Constant():
                return UNMARKED
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return _below(self._element(element) for element in elements)
            case ast.Starred(value=value):
                return _below((self.node(value),))
            case _:
                return self.value(evaluate(node, self.scope))

    def _element(self, node: ast.expr) -> Reading:
        match node:
            case ast.Constant(value=str(text)):
                return self.quoted(text)
            case ast.IfExp(body=body, orelse=orelse):
                return _below((self._element(body), self._element(orelse)))
            case _ if _is_type(node) or _names_marker(ast.unparse(node)):
                return self.node(node)
            case _:
                return UNMARKED  # The sizes of an array, say: `Float[Array, f"{rows()} 3"]`. It is not for us to run.

    def _locate(self, node: ast.expr) -> Target:
        match node:
            case ast.Name(id=name):
                return self.scope.resolve(name)
            case ast.Attribute(value=base, attr=name):
                return attribute_of(self._locate(base), name)
            case _:
                return Live(evaluate(node, self.scope))

    def _target(self, target: Target) -> Reading:
        match target:
            case Live(value):
                return self.value(value)
            case Code(ast.Call(), _):
                return UNMARKED  # TypeVar(...), NewType(...), namedtuple(...): a new type, not an alias.
            case Code(node, scope) if id(node) not in self.within:
                return _Reader(scope, self.within | {id(node)}).node(node)
            case _:
                return UNMARKED

    def _subscript(self, head: Target, elements: list[ast.expr]) -> Reading:
        value = _live_value(head)
        if value is Literal:
            return UNMARKED
        if value is Annotated:
            metadata = [self._metadata(element) for element in elements[1:]]
            markers = markers_in(metadata)
            return _in_metadata(metadata, _marked(markers, self._inside(markers, elements[0])))
        if value is Unpack:
            return self._unpacked(_live_value(self._locate(elements[0])))
        alias = self._target(head)
        arguments = [self._inside(alias.top, element) for element in elements]
        if isinstance(head, Live):
            return self._subscribed(value, arguments)
        return _marked(alias.top, _below([alias._replace(top=frozenset(), bare=False), *arguments]))

    def _inside(self, markers: frozenset[Marker], element: ast.expr) -> Reading:
        """Reads a part. Inside a marker an unknown name does no harm, because the parameter's kind is known."""
        try:
            return self._element(element)
        except Unreadable:
            if markers:
                return UNMARKED
            raise

    def _metadata(self, element: ast.expr) -> object:
        match element:
            case ast.Constant(value=written):
                return written
            case ast.Name() | ast.Attribute():
                try:
                    target = self._locate(element)
                except Unreadable:
                    return None
            case _:
                return None
        match target:
            case Live(value):
                return value
            case Code(ast.Constant(value=constant), _):
                return constant
            case _:
                return None

    def _unpacked(self, annotation: Any) -> Reading:
        """Reads `Unpack[...]`: `**options: Unpack[Options]` makes the fields of a TypedDict parameters."""
        fields = annotations_of(annotation).values() if is_typeddict(annotation) else (annotation,)
        return _below(self.value(field) for field in fields)

    def _annotated(self, annotation: Any) -> Reading:
        markers = markers_in(annotation.__metadata__)
        if is_bare(annotation):
            return Reading(top=markers, bare=True)
        return _in_metadata(annotation.__metadata__, _marked(markers, self.value(annotation.__origin__)))

    def _type_alias(self, alias: Any) -> Reading:
        if id(alias) in self.within:
            return UNMARKED
        reader = self._replace(within=self.within | {id(alias)})
        try:
            value = alias.__value__
        except Exception as error:  # Evaluated lazily; its names may have no value yet, or exist only for checkers.
            return reader._written_alias(alias, error)
        return reader.value(value)

    def _written_alias(self, alias: Any, error: Exception) -> Reading:
        """Reads an alias from its source."""
        written = written_alias(alias.__name__, alias.__module__)
        try:
            if written is not None:
                return self._target(written)
        except Unreadable:
            pass
        problem = f"{type(error).__name__}: {error}"
        raise Unreadable(f"uses the alias `{alias.__name__}`, which cannot be evaluated ({problem})") from error

    def _subscribed(self, alias: Any, arguments: list[Reading]) -> Reading:
        """Reads `alias[arguments]`: in `Alias = Annotated[T, ...]` the argument takes the place of the whole."""
        known = self.value(alias)
        inner = _value_of(alias)
        if arguments and get_origin(inner) is Annotated and isinstance(inner.__origin__, TypeVar):
            return _marked(known.top, arguments[0])
        return _marked(known.top, _below([known._replace(top=frozenset(), bare=False), *arguments]))


def _live_value(target: Target) -> object:
    return target.value if isinstance(target, Live) else None


def _marked(markers: frozenset[Marker], inside: Reading) -> Reading:
    return inside._replace(top=inside.top | markers)


def _in_metadata(metadata: Iterable[object], reading: Reading) -> Reading:
    """Reads `Annotated[int, Static]`: a marker in the metadata is not around the type."""
    return reading._replace(bare=True) if any(map(is_applied, metadata)) else reading


def _below(parts: Iterable[Reading]) -> Reading:
    nested: frozenset[Marker] = frozenset()
    bare = False
    for part in parts:
        nested |= part.top | part.nested
        bare |= part.bare
    return Reading(nested=nested, bare=bare)


def _value_of(alias: Any) -> Any:
    """Returns what an alias stands for; the alias itself if that cannot be evaluated."""
    try:
        return alias.__value__ if isinstance(alias, _ALIAS_TYPES) else alias
    except Exception:
        return alias


def _is_type(node: ast.expr) -> bool:
    """Returns whether syntax can be a type, or several; a call or arithmetic cannot."""
    match node:
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
            return _is_type(inner)
        case ast.BinOp(op=op):
            return isinstance(op, ast.BitOr)
        case _:
            return isinstance(node, ast.Name | ast.Constant | ast.Tuple | ast.List)


def _names_marker(text: str) -> bool:
    return re.search(r"\b(Static|Dynamic)\b", text) is not None
