"""Calls of the functions and classes of a program."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .classes import Class, Field
from .functions import copied
from .scopes import Given, Running, Scope, parameters
from .values import NONE, UNKNOWN, Dict, Function, Kind, Object, Tuple, Value, joined, number

_FUNCTIONS_KEPT: Final = 4096
_NUMBERS: Final = {"float": Kind.FLOAT, "int": Kind.INTEGER}
_COPYING: Final = frozenset({"replace", "_replace"})


def scope_of_call(function: Function, given: Given, running: Running) -> Scope:
    """The names of a function, as a call begins."""
    scope = Scope(function.module, {}, function.scope, function.node, function.cls)
    args = function.node.args
    positional = list(parameters(function.node))
    defaults = dict(zip(reversed([one.arg for one in positional]), reversed(args.defaults), strict=False))
    defaults |= {one.arg: node for one, node in zip(args.kwonlyargs, args.kw_defaults, strict=True) if node is not None}
    for position, one in enumerate((*positional, *args.kwonlyargs)):
        value = given.get(position if position < len(positional) else -1, one.arg)
        if value is None:
            default = defaults.get(one.arg)
            is_left_out = default is not None and not given.is_open
            value = running.value(default, function.scope) if is_left_out else UNKNOWN
        scope.names[one.arg] = declared(value, one.annotation, function.scope, running)
    if args.vararg is not None:
        rest = given.args[len(positional) :]
        scope.names[args.vararg.arg] = UNKNOWN if given.is_open else Tuple(rest)
    if args.kwarg is not None:
        known = {one.arg for one in (*positional, *args.kwonlyargs)}
        others = {name: value for name, value in given.keywords.items() if name not in known}
        scope.names[args.kwarg.arg] = UNKNOWN if given.is_open else Dict(others)
    return scope


def declared(value: Value, annotation: ast.expr | None, scope: Scope, running: Running) -> Value:
    """A value, or what an annotation says of one that nobody sees."""
    if value is not UNKNOWN or annotation is None:
        return value
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return UNKNOWN
    if isinstance(annotation, ast.Name) and annotation.id in _NUMBERS:
        return UNKNOWN if running.is_traced else number(_NUMBERS[annotation.id])._replace(is_certain=False)
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if not isinstance(annotation, ast.Name | ast.Attribute):
        return UNKNOWN
    cls = running.class_named(annotation, scope)
    return running.instance(cls) if cls is not None else UNKNOWN


def result_of(function: Function, scope: Scope, running: Running) -> Value:
    if isinstance(function.node, ast.Lambda):
        return running.value(function.node.body, scope)
    if is_generator(function.node):
        return UNKNOWN
    if running.execute(function.node.body, scope):
        scope.returned.append(NONE)
    found = scope.returned[0] if scope.returned else UNKNOWN
    for value in scope.returned[1:]:
        found = joined(found, value)
    return found


@lru_cache(_FUNCTIONS_KEPT)
def is_generator(function: ast.FunctionDef) -> bool:
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)
    return False


# Objects


def made(cls: Class, given: Given, node: ast.AST, running: Running) -> Value:
    """What a constructor makes."""
    found = Object(cls)
    if not cls.is_seen or cls.method("__new__") is not None:
        return UNKNOWN
    if cls.method("__init__") is not None:
        running.call_method(found, "__init__", given, node)
        return found
    if not cls.has_fields:
        return found
    positional = iter(given.args)
    for one in cls.fields.values():
        value = _of_field(one, positional, given, cls, running)
        found.fields[one.name] = UNKNOWN if one.is_converted else value
    if cls.method("__post_init__") is not None:
        running.call_method(found, "__post_init__", Given(), node)
    return found


def _of_field(one: Field, positional: Iterator[Value], given: Given, cls: Class, running: Running) -> Value:
    value = (given.keywords.get(one.name) or next(positional, None)) if one.is_given else None
    if value is None and (one.default is None or given.is_open):
        value = UNKNOWN
    if value is None:
        value = running.value(one.default, cls.scope)
        value = running.call(value, Given(), cls.node) if one.is_factory else value
    return declared(value, one.annotation, cls.scope, running)


def instance(cls: Class, running: Running) -> Object:
    """An object of a class, of which nobody sees how it was made."""
    found = Object(cls)
    if not cls.has_fields and cls.is_seen and cls.method("__init__") is not None and not running.is_deep:
        running.call_method(found, "__init__", Given(is_open=True), cls.node)
    for name in cls.assigned_later:
        found.fields[name] = UNKNOWN
    return found


def method_of_copies(value: Object, name: str) -> bool:
    """Whether a method is the one that a library gives its trees, which returns a changed copy."""
    return name in _COPYING and value.cls.has_fields and value.cls.method(name) is None


def changed_copy(value: Object, given: Given) -> Value:
    return copied(value, given) if not given.args else UNKNOWN


def made_field(value: Object, name: str) -> Value | None:
    """What an object has in a field; None if it has none of that name."""
    if name in value.fields:
        return value.fields[name]
    return UNKNOWN if name in value.cls.fields else None
