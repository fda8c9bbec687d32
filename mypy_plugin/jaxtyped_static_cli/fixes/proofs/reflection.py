"""Code that may bind names of a module, or attributes of a class, without writing them out."""

import ast
from collections.abc import Collection
from functools import lru_cache
from typing import Final, NamedTuple

from .code import FILES_KEPT, FUNCTIONS, PROJECTS_KEPT, Code, Parsed, Source, last_name
from .owners import owner_of_self
from .patching import PATCH, Found, is_patch, names_set, patch_call

_BINDING: Final = frozenset(
    {"setattr", "delattr", "exec", "globals", "vars", "reload", "patch", "__setattr__", "__delattr__"}
)
_NAMESPACES: Final = frozenset({"__dict__", "__globals__", "f_globals", "modules"})
_LOCAL: Final = "locals"  # those of a module are its globals
_COPYING: Final = frozenset({"dict", "items", "keys", "len", "list", "print", "sorted", "values"})


class _Place(NamedTuple):
    """Where some code may bind names."""

    place: str
    names: frozenset[str] | None  # None: any
    is_of_class: bool  # they are attributes of a class of the project, and no names of a module

    def concerns(self, names: Collection[str], *, are_of_module: bool) -> bool:
        if are_of_module and self.is_of_class:
            return False
        return self.names is None or not self.names.isdisjoint(names)


def reflection(names: Collection[str], code: Code, *, are_of_module: bool) -> str:
    """Where some code may bind one of these names without writing it out as a target; empty if none does.

    `are_of_module`: they are names of a module, and no attributes of a class.
    """
    every = _with_aliases(frozenset(names), code)
    return next((found.place for found in _all(code) if found.concerns(every, are_of_module=are_of_module)), "")


def reflection_on_packages(name: str, code: Code) -> str:
    """Where some code may bind this name of a module of another package so; empty if none does."""
    return next((found.place for found in _on_packages(code) if found.concerns([name], are_of_module=True)), "")


@lru_cache(PROJECTS_KEPT)
def _on_packages(code: Code) -> tuple[_Place, ...]:
    found: list[_Place] = []
    for source, parsed in code.readable:
        for node in _binding(parsed):
            target = _target(node, parsed)
            if target is not None and _is_imported(target, parsed) and not _is_copied(node, parsed):
                found.append(_place(node, source, parsed, code))
    return tuple(found)


@lru_cache(PROJECTS_KEPT)
def _all(code: Code) -> tuple[_Place, ...]:
    found: list[_Place] = []
    for source, parsed in code.readable:
        for node in _binding(parsed):
            target = _target(node, parsed)
            if isinstance(target, ast.Name) and (owner_of_self(target, parsed) or _is_copied(node, parsed)):
                continue
            found.append(_place(node, source, parsed, code))
    return tuple(found)


def _place(node: Found, source: Source, parsed: Parsed, code: Code) -> _Place:
    call = _call(node, parsed)
    return _Place(source.place(node), names_set(node, call), call is not None and _is_on_class(call, parsed, code))


def _call(node: Found, parsed: Parsed) -> ast.Call | None:
    return patch_call(node, parsed) if is_patch(node, parsed) else parsed.call_of(node)


def _is_on_class(call: ast.Call, parsed: Parsed, code: Code) -> bool:
    """Whether the first argument is a class of the project, by a name that nothing else has in the file."""
    target = call.args[0] if call.args else None
    if not isinstance(target, ast.Name) or target.id in parsed.parameters or target.id not in code.classes:
        return False
    binders = parsed.binders.get(target.id, ())
    return bool(binders) and all(isinstance(binder, ast.ClassDef | ast.ImportFrom) for binder in binders)


def _with_aliases(names: frozenset[str], code: Code) -> frozenset[str]:
    """With the names under which modules import these, and those that they have where they come from."""
    pairs = _renamed(code)
    while True:
        more = {name for pair in pairs if not names.isdisjoint(pair) for name in pair} - names
        if not more:
            return names
        names |= more


@lru_cache(PROJECTS_KEPT)
def _renamed(code: Code) -> tuple[tuple[str, str], ...]:
    aliases = (alias for _, parsed in code.readable for node in parsed.all(ast.ImportFrom) for alias in node.names)
    return tuple((alias.name, alias.asname) for alias in aliases if alias.asname)


@lru_cache(FILES_KEPT)
def _binding(parsed: Parsed) -> list[Found]:
    found: list[Found] = [node for word in _BINDING for node in parsed.names.get(word, ())]
    found += [node for word in _BINDING | _NAMESPACES for node in parsed.attributes.get(word, ())]
    found = [node for node in found if _is_no_patch_word(node) or is_patch(node, parsed)]
    found += [node for node in parsed.names.get(_LOCAL, ()) if not _is_in_function(node, parsed)]
    names = _BINDING | _NAMESPACES
    imported = (
        node for node in parsed.all(ast.ImportFrom) if any(alias.name in names and alias.asname for alias in node.names)
    )
    return [*found, *imported]


def _is_no_patch_word(node: Found) -> bool:
    return isinstance(node, ast.ImportFrom) or last_name(node) != PATCH


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
    call = _call(node, parsed)
    return call.args[0] if call is not None and call.args else None


def _is_imported(target: ast.expr, parsed: Parsed) -> bool:
    while isinstance(target, ast.Attribute):
        target = target.value
    binders = parsed.binders.get(target.id, ()) if isinstance(target, ast.Name) else ()
    return any(isinstance(binder, ast.Import | ast.ImportFrom) for binder in binders)


def _is_in_function(node: ast.AST, parsed: Parsed) -> bool:
    return any(isinstance(outer, FUNCTIONS) for outer in parsed.around(node))
