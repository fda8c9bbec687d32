"""Code that may bind names of a module, or attributes of a class, without writing them out."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .code import FILES_KEPT, FUNCTIONS, PROJECTS_KEPT, Code, Parsed, Source, last_name
from .owners import owner_of_self

_BINDING: Final = frozenset(
    {"setattr", "delattr", "exec", "globals", "vars", "reload", "patch", "multiple", "__setattr__", "__delattr__"}
)
_NAMESPACES: Final = frozenset({"__dict__", "__globals__", "f_globals", "modules"})
_LOCAL: Final = "locals"  # those of a module are its globals
_MOCK: Final = "object"  # `mock.patch.object`
_COPYING: Final = frozenset({"dict", "items", "keys", "len", "list", "print", "sorted", "values"})

Found = ast.Name | ast.Attribute | ast.ImportFrom


def reflection(code: Code) -> str:
    """Where some code may bind names or attributes without writing them out; empty if none does."""
    return next(iter(_all(code)), "")


@lru_cache(PROJECTS_KEPT)
def reflection_on_packages(code: Code) -> str:
    """Where some code may bind names of a module of another package so; empty if none does."""
    for source, parsed in code.readable:
        for node in _binding(parsed):
            target = _target(node, parsed)
            if target is not None and _is_imported(target, parsed) and not _is_copied(node, parsed):
                return source.place(node)
    return ""


@lru_cache(PROJECTS_KEPT)
def _all(code: Code) -> tuple[str, ...]:
    return tuple(_places(code.readable))


def _places(files: Iterator[tuple[Source, Parsed]]) -> Iterator[str]:
    for source, parsed in files:
        for node in _binding(parsed):
            target = _target(node, parsed)
            if isinstance(target, ast.Name) and (owner_of_self(target, parsed) or _is_copied(node, parsed)):
                continue
            yield source.place(node)
            return


@lru_cache(FILES_KEPT)
def _binding(parsed: Parsed) -> list[Found]:
    found: list[Found] = [node for word in _BINDING for node in parsed.names.get(word, ())]
    found += [node for word in _BINDING | _NAMESPACES for node in parsed.attributes.get(word, ())]
    found += [node for node in parsed.attributes.get(_MOCK, ()) if last_name(node.value) == "patch"]
    found += [node for node in parsed.names.get(_LOCAL, ()) if not _is_in_function(node, parsed)]
    names = _BINDING | _NAMESPACES
    imported = (
        node for node in parsed.all(ast.ImportFrom) if any(alias.name in names and alias.asname for alias in node.names)
    )
    return [*found, *imported]


def _is_copied(node: Found, parsed: Parsed) -> bool:
    """Whether `vars(x)` or `x.__dict__` is only unpacked or looped over, as in `f(**vars(arguments))`."""
    made = _namespace(node, parsed)
    match parsed.parent(made) if made is not None else None:
        case ast.keyword(arg=None) | ast.For():
            return True
        case ast.Dict(keys=keys, values=values):
            return all(key is None for key, value in zip(keys, values, strict=True) if value is made)
        case ast.comprehension(iter=looped):
            return looped is made
        case ast.Attribute(attr=name):
            return name in _COPYING
        case ast.Call(func=ast.Name(id=name), args=given):
            return name in _COPYING and name not in parsed.binders and made in given
    return False


def _namespace(node: Found, parsed: Parsed) -> ast.expr | None:
    """The expression `vars(x)` or `x.__dict__`."""
    if isinstance(node, ast.Attribute):
        return node if node.attr == "__dict__" else None
    above = parsed.parent(node)
    return above if isinstance(node, ast.Name) and node.id == "vars" and isinstance(above, ast.Call) else None


def _target(node: Found, parsed: Parsed) -> ast.expr | None:
    """What `setattr(x, ...)` and `x.__dict__` are about, if it is written there."""
    if isinstance(node, ast.Attribute) and node.attr in _NAMESPACES:
        return node.value
    above = parsed.parent(node)
    return above.args[0] if isinstance(above, ast.Call) and above.func is node and above.args else None


def _is_imported(target: ast.expr, parsed: Parsed) -> bool:
    while isinstance(target, ast.Attribute):
        target = target.value
    binders = parsed.binders.get(target.id, ()) if isinstance(target, ast.Name) else ()
    return any(isinstance(binder, ast.Import | ast.ImportFrom) for binder in binders)


def _is_in_function(node: ast.AST, parsed: Parsed) -> bool:
    return any(isinstance(outer, FUNCTIONS) for outer in parsed.around(node))
