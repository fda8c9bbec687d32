"""Looks names up as the annotation's author meant them: live values first, then what the source binds.

A name may have no value while a function is decorated: it exists for type checkers only, its module is still being
imported, or is imported when it is first used. Then the source tells whether it can stand for a marker; nothing is
imported for it.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import deque
from collections.abc import Mapping
from types import ModuleType
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static._annotations.source import (
    Assignment,
    Binding,
    Definition,
    MemberImport,
    ModuleImport,
    exists,
    find_binding,
    find_in_class,
    is_readable,
    namespace_of,
    package_of_module,
    source_files,
    star_imports,
)

# What a look-up has come through, to notice that it leads back: the members of modules, and the ids of syntax nodes.
Trail: TypeAlias = frozenset[object]
_START: Final[Trail] = frozenset()
# Their stubs have names that they lack at run time (`logging._ExcInfoType`); none is an alias of a marker.
_WITHOUT_MARKERS: Final = frozenset({*sys.stdlib_module_names, "typing_extensions"})


class Unreadable(Exception):
    """An annotation that may or may not hold a marker; the text completes "this annotation ..."."""


class Live(NamedTuple):
    """A name that has a value now."""

    value: object


class Code(NamedTuple):
    """A name whose value is only known as an expression in the source."""

    node: ast.expr
    scope: Scope


class Unloaded(NamedTuple):
    """A module that has not been imported."""

    module: str


class Plain(NamedTuple):
    """A class, function or type parameter without a value yet: not a marker.

    Attributes:
        body: the scope of a class's body, whose names may be aliases of markers.
    """

    body: Scope | None = None


Target: TypeAlias = "Live | Code | Unloaded | Plain"


class Scope(NamedTuple):
    """The names an annotation may use.

    Attributes:
        namespaces: live names, innermost first.
        filename: the source to read if no namespace has a name; None if unknown.
        package: the package that relative imports start from.
        qualname: the scope's path inside the source.
    """

    namespaces: tuple[Mapping[str, object], ...]
    filename: str | None = None
    package: str | None = None
    qualname: tuple[str, ...] = ()

    def resolve(self, name: str, trail: Trail = _START) -> Target:
        """Returns what `name` stands for.

        Raises:
            Unreadable: nothing binds it, or its binding cannot be read.
        """
        for namespace in self.namespaces:
            if name in namespace:
                return Live(namespace[name])
        if self.filename is not None:
            binding = find_binding(self.filename, self.package, self.qualname, name)
            found = (
                _starred(self.filename, self.package, name, trail) if binding is None else _target(binding, self, trail)
            )
            if found is not None:
                return found
        raise Unreadable(f"uses the name `{name}`, undefined here")


def located(node: ast.expr, scope: Scope, trail: Trail = _START) -> Target:
    """Returns what a name or a dotted name stands for.

    Raises:
        Unreadable: it cannot be told.
    """
    match node:
        case ast.Name(id=name):
            return scope.resolve(name, trail)
        case ast.Attribute(value=base, attr=name):
            return attribute_of(located(base, scope, trail), name, trail)
        case _:
            return Plain()


def attribute_of(target: Target, name: str, trail: Trail = _START) -> Target:
    """Returns what `target.name` stands for.

    Raises:
        Unreadable: there is no such attribute.
    """
    match target:
        case Live(ModuleType() as module):
            return member_of(str(namespace_of(module).get("__name__")), name, trail, module)
        case Live(value):
            return _live_attribute(value, name, trail)
        case Unloaded(module):
            return member_of(module, name, trail)
        case Code(ast.Name() | ast.Attribute() as node, scope):
            further = _continued(trail, id(node))
            return attribute_of(located(node, scope, further), name, further)
        case Plain(body) if body is not None and body.filename is not None:
            binding = find_in_class(body.filename, body.package, body.qualname, name)
            return Plain() if binding is None else _target(binding, body, trail)
        case _:
            return Plain()


def member_of(module: str, name: str, trail: Trail = _START, loaded: object = None) -> Target:
    """Returns what `from module import name` would bind, without importing.

    Args:
        module: the module's name.
        name: the member's.
        trail: what led here.
        loaded: the module, if it is not the one in `sys.modules`.

    Raises:
        Unreadable: the module's source does not tell.
    """
    trail = _continued(trail, (module, name))
    loaded = sys.modules.get(module) if loaded is None else loaded
    namespace = namespace_of(loaded)
    if name in namespace:
        return Live(namespace[name])
    if (written := _written_member(module, name, trail)) is not None:
        return written
    if exists(f"{module}.{name}"):
        return _module(f"{module}.{name}")
    if (made := _made_on_demand(loaded, name)) is not None:
        return made
    files = source_files(module)
    if not any(map(is_readable, files)) or module.partition(".")[0] in _WITHOUT_MARKERS:
        return _without_source(module, name)
    has_star = any(star_imports(file, package_of_module(module, file)) for file in files)
    why = "which only a star import could bind" if has_star else "which is not there"
    raise Unreadable(f"uses the name `{name}` of `{module}`, {why}")


def written_alias(alias_name: str, module: str) -> Code | None:
    """Returns the value that the source of a module gives to an alias; None if it has no such alias."""
    written = _written_member(module, alias_name, _START)
    return written if isinstance(written, Code) else None


def _written_member(module: str, name: str, trail: Trail) -> Target | None:
    """Returns what the source of a module binds to a name; None if it binds nothing."""
    for filename in source_files(module):
        package = package_of_module(module, filename)
        binding = find_binding(filename, package, (), name)
        if binding == MemberImport(module, name):
            return None  # `from . import data` in the package itself imports the submodule.
        if binding is not None:
            scope = Scope((namespace_of(sys.modules.get(module)), vars(builtins)), filename, package)
            return _target(binding, scope, trail)
        if (starred := _starred(filename, package, name, trail)) is not None:
            return starred
    return None


def _starred(filename: str, package: str | None, name: str, trail: Trail) -> Target | None:
    """Returns what the star imports of a file bind to a name; None if none is known to bind it."""
    pending = deque(star_imports(filename, package))
    seen: set[str] = set()
    while pending:
        module = pending.popleft()
        if module in seen:
            continue
        seen.add(module)
        namespace = namespace_of(sys.modules.get(module))
        if name in namespace:
            return Live(namespace[name])
        for file in source_files(module):
            package = package_of_module(module, file)
            binding = find_binding(file, package, (), name)
            try:
                if binding is not None:
                    return _target(binding, Scope((namespace, vars(builtins)), file, package), trail)
            except Unreadable:  # It may lead back here, and another star import bind the name.
                continue
            pending.extend(star_imports(file, package))
    return None


def _live_attribute(value: object, name: str, trail: Trail) -> Target:
    try:
        return Live(getattr(value, name))
    except AttributeError:
        found = _class_member(value, name, trail) if isinstance(value, type) else None
    except Exception as error:  # Raised by a property, or by the `__getattr__` of a metaclass.
        raise Unreadable(f"uses the name `{name}`, which raises {type(error).__name__} when it is read") from error
    if found is None:
        raise Unreadable(f"uses the name `{name}`, which {value!r} does not have")
    return found


def _class_member(cls: type, name: str, trail: Trail) -> Target | None:
    """Returns what the body of a class binds for type checkers only; None if it binds nothing."""
    for base in cls.__mro__:
        for filename in source_files(base.__module__):
            package = package_of_module(base.__module__, filename)
            path = tuple(base.__qualname__.split("."))
            binding = find_in_class(filename, package, path, name)
            if binding is not None:
                namespaces = (vars(base), namespace_of(sys.modules.get(base.__module__)), vars(builtins))
                return _target(binding, Scope(namespaces, filename, package, path), trail)
    return None


def _made_on_demand(loaded: object, name: str) -> Target | None:
    """Returns what the `__getattr__` of a module makes for a name; None if it knows no such name."""
    if loaded is None:
        return None
    try:
        return Live(getattr(loaded, name))
    except AttributeError:
        return None
    except Exception as error:  # It may import a module that is not complete yet.
        raise Unreadable(f"uses the name `{name}`, which cannot be imported yet ({error})") from error


def _target(binding: Binding, scope: Scope, trail: Trail) -> Target:
    match binding:
        case Definition(path):
            return Plain(scope._replace(qualname=path) if path else None)
        case Assignment(value):
            return Code(value, scope)
        case ModuleImport(module):
            return _module(module)
        case MemberImport(module, member):
            return member_of(module, member, trail)


def _continued(trail: Trail, step: object) -> Trail:
    if step in trail:
        raise Unreadable("leads into a circular import")
    return trail | {step}


def _module(module: str) -> Target:
    loaded = sys.modules.get(module)
    return Unloaded(module) if loaded is None else Live(loaded)


def _without_source(module: str, name: str) -> Target:
    # Stub-only modules (`_typeshed`) and extension modules hold classes; an alias of a marker would have a telling
    # name.
    if re.search("static|dynamic", name, re.IGNORECASE):
        raise Unreadable(f"uses the name `{name}` of `{module}`, which has no source to read")
    return Plain()
