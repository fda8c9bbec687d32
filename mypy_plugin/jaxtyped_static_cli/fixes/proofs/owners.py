"""Whether an expression may be an object of some classes, as far as its binding tells."""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from ...findings.relations import inverted, reached, steps_of
from .bindings import meaning_of
from .code import FUNCTIONS, PROJECTS_KEPT, Code, Parsed, Source, dotted, last_name, parameters

_STATIC_METHOD: Final = "staticmethod"


def family_of(name: str, code: Code) -> frozenset[str]:
    """A class, those that derive from it, and those that it derives from, by all of their names."""
    return reached({name}, steps_of(_below(code))) | reached({name}, steps_of(_above(code)))


@lru_cache(PROJECTS_KEPT)
def _above(code: Code) -> Mapping[str, Collection[str]]:
    """The bases of each class, and what each other name of a class stands for."""
    found: dict[str, set[str]] = {
        cls: {base for _, node in made for base in _bases(node)} for cls, made in code.classes.items()
    }
    for alias, names in code.aliases.items():
        found.setdefault(alias, set()).update(names)
    return found


@lru_cache(PROJECTS_KEPT)
def _below(code: Code) -> Mapping[str, Collection[str]]:
    return inverted(_above(code))


def _bases(node: ast.ClassDef) -> Iterator[str]:
    """The names in the list of bases; `Base[int]` and what a call is given included."""
    for base in node.bases:
        for part in ast.walk(base):
            if isinstance(part, ast.Name | ast.Attribute):
                yield last_name(part)


def is_other(node: ast.expr, family: Collection[str], source: Source, code: Code) -> bool:
    """Whether an expression is certainly no object of a family.

    True for the `self` of another class, a function, a class, a module, what is read from one of another package, and
    what is bound once, to a new object of another class.
    """
    parsed = source.parsed
    if parsed is None or isinstance(node, ast.Attribute):
        return parsed is not None and _is_of_package(dotted(node), parsed, code)
    if not isinstance(node, ast.Name):
        return False
    binders = parsed.binders.get(node.id, ())
    owner = owner_of_self(node, parsed)
    if owner is not None:
        return owner.name not in family and not binders and not _is_borrowed(node, owner, family, parsed, code)
    if len(binders) != 1 or node.id in parsed.parameters:
        return False
    match binders[0]:
        case ast.Import():
            return not _replaces_modules(code) or _is_of_package(node.id, parsed, code)
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            return not any(may_replace(decorator, family, source, code) for decorator in decorators)
    made = parsed.parent(binders[0])
    if not isinstance(made, ast.Assign) or not isinstance(made.value, ast.Call) or binders[0] not in made.targets:
        return False
    return _makes_other(made.value.func, family, source, code)


def may_replace(decorator: ast.expr, family: Collection[str], source: Source, code: Code) -> bool:
    """Whether a decorator may return an object of a family instead of what it decorates: one of the project may."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    mentioned = {last_name(part) for part in ast.walk(decorator) if isinstance(part, ast.Name | ast.Attribute)}
    return not meaning_of(dotted(called), source, code).full_name or not mentioned.isdisjoint(family)


def _makes_other(called: ast.expr, family: Collection[str], source: Source, code: Code) -> bool:
    """Whether calling this makes an object of a class outside of the family, and nothing else."""
    parsed = source.parsed
    if parsed is None or not isinstance(called, ast.Name) or called.id in parsed.parameters:
        return False
    if len(parsed.binders.get(called.id, ())) != 1:
        return False
    found = meaning_of(called.id, source, code)
    if not isinstance(found.node, ast.ClassDef) or found.source is None or found.node.name in family:
        return False
    made = [pair for name in family_of(found.node.name, code) for pair in code.classes.get(name, ())]
    return not any(_makes_anything(cls) for _, cls in made) and not any(
        may_replace(decorator, family, found.source, code) for decorator in found.node.decorator_list
    )


def _makes_anything(cls: ast.ClassDef) -> bool:
    return bool(cls.keywords) or any(isinstance(part, ast.FunctionDef) and part.name == "__new__" for part in cls.body)


def _is_borrowed(node: ast.Name, owner: ast.ClassDef, family: Collection[str], parsed: Parsed, code: Code) -> bool:
    """Whether the method around a name is read from its class, and so may get anything as `self`."""
    for other, use in uses_of_class(node, owner, parsed, code):
        call = other.call_of(use)
        given = call.args[0] if call is not None and call.args else None
        caller = owner_of_self(given, other) if isinstance(given, ast.Name) else None
        if caller is None or caller.name in family:
            return True
    return False


def uses_of_class(
    node: ast.Name, owner: ast.ClassDef, parsed: Parsed, code: Code
) -> list[tuple[Parsed, ast.Attribute]]:
    """Where the method around a name is read from its class, by any of the names of the class."""
    method = next(
        outer for outer in parsed.around(node) if isinstance(outer, FUNCTIONS) and parsed.parent(outer) is owner
    )
    read, name = _read(code), getattr(method, "name", "")
    found = (read.get((cls, name), ()) for cls in (owner.name, *_renamed(code).get(owner.name, ())))
    return [use for uses in found for use in uses]


@lru_cache(PROJECTS_KEPT)
def _read(code: Code) -> Mapping[tuple[str, str], list[tuple[Parsed, ast.Attribute]]]:
    """The attributes that are read, by the last name of what they are read from and their own."""
    found: dict[tuple[str, str], list[tuple[Parsed, ast.Attribute]]] = {}
    for _, parsed in code.readable:
        for node in parsed.all(ast.Attribute):
            if name := last_name(node.value):
                found.setdefault((name, node.attr), []).append((parsed, node))
    return found


@lru_cache(PROJECTS_KEPT)
def _renamed(code: Code) -> Mapping[str, Collection[str]]:
    """The other names of each name."""
    return inverted(code.aliases)


@lru_cache(PROJECTS_KEPT)
def _replaces_modules(code: Code) -> bool:
    """Whether some code uses `sys.modules`, in which it may put any object."""
    return any("modules" in parsed.attributes or "modules" in parsed.names for _, parsed in code.readable)


def is_declared_other(node: ast.expr, family: Collection[str], parsed: Parsed, code: Code) -> bool:
    """Whether an expression is a parameter that is declared as an object of a class outside of a family."""
    declared = declaration_of(node, parsed) if isinstance(node, ast.Name) else None
    name = last_name(declared) if declared is not None else ""
    found = code.classes.get(name, ()) if name not in family else ()
    return bool(found) and not any("Protocol" in _bases(cls) for _, cls in found)


def declaration_of(node: ast.Name, parsed: Parsed) -> ast.expr | None:
    """The annotation of the parameter that a name stands for, if nothing binds it again."""
    if node.id in parsed.binders:
        return None
    functions = (outer for outer in parsed.around(node) if isinstance(outer, FUNCTIONS))
    found = (taken for function in functions for taken in parameters(function) if taken.arg == node.id)
    parameter = next(found, None)
    return parameter.annotation if parameter is not None else None


def _is_of_package(name: str, parsed: Parsed, code: Code) -> bool:
    """Whether a dotted name begins with a module of another package."""
    head = name.partition(".")[0]
    binders = parsed.binders.get(head, ())
    if len(binders) != 1 or not isinstance(binders[0], ast.Import) or head in parsed.parameters:
        return False
    outermost = {alias.name.partition(".")[0] for alias in binders[0].names}
    if not outermost.isdisjoint(code.packages):
        return False
    return outermost <= code.modules.keys() or not _replaces_modules(code)


def owner_of_self(node: ast.Name, parsed: Parsed) -> ast.ClassDef | None:
    """The class of whose method the name is the first parameter."""
    for around in parsed.around(node):
        if isinstance(around, FUNCTIONS):
            given = parameters(around)
            if not any(parameter.arg == node.id for parameter in given):
                continue
            above = parsed.parent(around)
            is_first = given[0].arg == node.id and not isinstance(around, ast.Lambda)
            is_method = isinstance(above, ast.ClassDef) and not _is_static(around)
            return above if is_first and is_method and isinstance(above, ast.ClassDef) else None
    return None


def _is_static(function: ast.AST) -> bool:
    return isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(
        last_name(decorator) == _STATIC_METHOD for decorator in function.decorator_list
    )
