"""Whether an expression may be an object of some classes, as far as its binding tells."""

import ast
from collections.abc import Collection, Iterator
from typing import Final

from .code import FUNCTIONS, Code, Parsed, dotted, last_name, parameters

_STATIC_METHOD: Final = "staticmethod"


def family_of(name: str, code: Code) -> frozenset[str]:
    """A class, those that derive from it, and those that it derives from, by their names."""
    bases = {cls: {base for _, node in found for base in _bases(node)} for cls, found in code.classes.items()}
    below, above = {name}, {name}
    while new := {cls for cls, names in bases.items() if names & below} - below:
        below |= new
    while new := {base for cls in above for base in bases.get(cls, ())} & bases.keys() - above:
        above |= new
    return frozenset(below | above)


def _bases(node: ast.ClassDef) -> Iterator[str]:
    """The names in the list of bases; `Base[int]` and what a call is given included."""
    for base in node.bases:
        for part in ast.walk(base):
            if isinstance(part, ast.Name | ast.Attribute):
                yield last_name(part)


def is_other(node: ast.expr, family: Collection[str], parsed: Parsed, code: Code) -> bool:
    """Whether an expression is certainly no object of a family.

    True for the `self` of another class, a function, a class, a module, what is read from one of another package, and
    what is bound once, to a new object of another class.
    """
    if isinstance(node, ast.Attribute):
        return _is_of_package(dotted(node), parsed, code)
    if not isinstance(node, ast.Name):
        return False
    binders = parsed.binders.get(node.id, ())
    owner = owner_of_self(node, parsed)
    if owner is not None:
        return owner.name not in family and not binders
    if len(binders) != 1 or node.id in parsed.parameters:
        return False
    if isinstance(binders[0], ast.Import | ast.FunctionDef | ast.ClassDef):
        return True
    made = parsed.parent(binders[0])
    if not isinstance(made, ast.Assign) or not isinstance(made.value, ast.Call) or binders[0] not in made.targets:
        return False
    called = made.value.func
    return isinstance(called, ast.Name) and called.id in code.classes and called.id not in family


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
    functions = (one for one in parsed.around(node) if isinstance(one, FUNCTIONS))
    found = (one for function in functions for one in parameters(function) if one.arg == node.id)
    parameter = next(found, None)
    return parameter.annotation if parameter is not None else None


def _is_of_package(name: str, parsed: Parsed, code: Code) -> bool:
    """Whether a dotted name begins with a module of another package."""
    head = name.partition(".")[0]
    binders = parsed.binders.get(head, ())
    if len(binders) != 1 or not isinstance(binders[0], ast.Import) or head in parsed.parameters:
        return False
    return all(one.name.partition(".")[0] not in code.packages for one in binders[0].names)


def owner_of_self(node: ast.Name, parsed: Parsed) -> ast.ClassDef | None:
    """The class of whose method the name is the first parameter."""
    for around in parsed.around(node):
        if isinstance(around, FUNCTIONS):
            given = parameters(around)
            if not any(one.arg == node.id for one in given):
                continue
            above = parsed.parent(around)
            is_first = given[0].arg == node.id and not isinstance(around, ast.Lambda)
            is_method = isinstance(above, ast.ClassDef) and not _is_static(around)
            return above if is_first and is_method and isinstance(above, ast.ClassDef) else None
    return None


def _is_static(function: ast.AST) -> bool:
    return isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(
        last_name(one) == _STATIC_METHOD for one in function.decorator_list
    )
