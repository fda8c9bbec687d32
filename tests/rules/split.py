"""Splits a program of one file in two: its classes in `parts.py`, what uses them in `main.py`, every line where it was.

What the checker reads from a class in the current file it must also know of a class in another module's cache.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tests.rules.cases import Program
from tests.rules.parsing import parse

PARTS = "parts.py"


def split(program: Program) -> Program | None:
    """Returns the same program in two files, or None.

    None if it has several files or steps already; if its configuration names its contents; if a class needs everything
    else; if a name is bound twice, so that its place matters; or if what is found in a class rests on what uses it,
    which mypy does not show to the module of the class.
    """
    if program.is_whole or '"main.' in program.config:
        return None
    if len(program.states) > 1 or list(program.states[0]) != ["main.py"]:
        return None
    whole = program.states[0]["main.py"]
    body = parse(whole.text).body
    bound = [name for statement in body for name in _bound(statement)]
    if len(set(bound)) < len(bound):
        return None
    moved = _moved(body)
    staying = [statement for statement in body if statement not in moved and not _is_import(statement)]
    if not moved or not staying:
        return None
    lines = whole.text.splitlines()
    names = ", ".join(name for statement in moved for name in _bound(statement))
    taken = {line for statement in moved for line in _lines(statement)}
    main = ["" if number in taken else line for number, line in enumerate(lines, 1)]
    main[min(taken) - 1] = f"from parts import {names}"
    left = {line for statement in staying for line in _lines(statement)}
    parts = ["" if number in left else line for number, line in enumerate(lines, 1)]
    texts = {PARTS: parts, "main.py": main}
    return replace(program, states=({path: replace(whole, text=_joined(text)) for path, text in texts.items()},))


def _moved(body: list[ast.stmt]) -> list[ast.stmt]:
    """Returns the classes and their registrations, whatever they refer to, and the calls that concern only them."""
    binder = {name: statement for statement in body if not _is_import(statement) for name in _bound(statement)}
    pending = [statement for statement in body if isinstance(statement, ast.ClassDef) or _registers(statement)]
    moved: list[ast.stmt] = []
    while pending:
        statement = pending.pop()
        if statement not in moved:
            moved.append(statement)
            pending += [binder[name] for name in _mentioned(statement) if name in binder]
    staying = {name for name, statement in binder.items() if statement not in moved}
    for statement in body if moved else ():
        mentioned = set(_mentioned(statement)) if isinstance(statement, ast.Expr) else set()
        if mentioned & (binder.keys() - staying) and not mentioned & staying:
            moved.append(statement)
    return [statement for statement in body if statement in moved]


def _registers(statement: ast.stmt) -> bool:
    """Returns whether it is `register_dataclass(Cls)`, alone or in a loop over classes."""
    if not isinstance(statement, ast.Expr | ast.For):
        return False
    calls = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    names = (
        node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        for node in calls
    )
    return any(name.startswith("register_") for name in names)


def _mentioned(statement: ast.stmt) -> Iterator[str]:
    """Returns the names, including those in annotations written as strings."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from "".join(c if c.isidentifier() or c.isdigit() else " " for c in node.value).split()


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Import | ast.ImportFrom):
                yield from _bound(node)


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _lines(statement: ast.stmt) -> range:
    decorators = statement.decorator_list if isinstance(statement, ast.ClassDef | ast.FunctionDef) else []
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return range(first, (statement.end_lineno or first) + 1)


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
