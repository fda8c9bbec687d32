"""Code of one file that never runs, whoever imports the file: replaced definitions, stubs, and what a flag leaves out.

It stands in the source for whoever edits it. So it is no part of what the program does, but may be again.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, TypeAlias

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.libraries import known_function

from ...files.python_names import bound_by

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS: Final = (*FUNCTIONS, ast.ClassDef)
# What decorates a function or class and hands it to nobody, by last names: what calls it has its name.
_BINDING_IT: Final = frozenset({"cached_property", "classmethod", "dataclass", "property", "staticmethod"})
COMPOUND: Final = (ast.If, ast.Try, ast.With)  # what may define something at the level of a module
_IMPORTS: Final = (ast.Import, ast.ImportFrom)
_SETTING_ANY: Final = frozenset({"exec", "globals", "locals"})  # variables, by names that are made at run time
_NOT_WRITTEN: Final = "NotImplementedError"

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FullName: TypeAlias = Callable[[ast.expr], str]


class Lines(NamedTuple):
    """The first and last line of some code."""

    first: int
    last: int

    def has(self, line: int) -> bool:
        return self.first <= line <= self.last


def lines_of(node: ast.stmt) -> Lines:
    """With the decorators."""
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    return Lines(min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno)


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements in a tree."""
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def walk(nodes: Iterable[ast.AST], skipped: AbstractSet[int], *, into: bool = True) -> Iterator[ast.AST]:
    """All below some nodes, but for what flags leave out, and docstrings. `into`: definitions, too."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if id(node) in skipped or (isinstance(node, ast.stmt) and is_docstring(node)):
            continue
        yield node
        pending += ast.iter_child_nodes(node) if into or not isinstance(node, DEFINITIONS) else ()


# Definitions that a later one replaces


def replaced_in(block: list[ast.stmt], full_name: FullName, tree: ast.Module) -> Iterator[Definition]:
    """The definitions of a block that another one of the same name replaces before anything may have used them."""
    found = [(number, node) for number, node in enumerate(block) if isinstance(node, DEFINITIONS)]
    for index, (number, node) in enumerate(found):
        later = next(((at, other) for at, other in found[index + 1 :] if other.name == node.name), None)
        if later is None or not all(is_handed_to_nobody(one, full_name) for one in node.decorator_list):
            continue
        if not _is_used_between(node, block[number + 1 : later[0]], later[1], tree):
            yield node


def _is_used_between(node: Definition, between: list[ast.stmt], later: Definition, tree: ast.Module) -> bool:
    """Whether code that runs between two definitions may use the first: it names it, or calls what may do so."""
    run = [part for statement in between for part in _run_at_once(statement)]
    if any(node.name in _names(part) for part in (*run, *later.decorator_list)):
        return True
    does_call = any(isinstance(part, ast.Call) for one in run for part in ast.walk(one))
    return does_call and any(_is_name(part, node.name) for part in ast.walk(tree))


def _run_at_once(statement: ast.stmt) -> list[ast.AST]:
    """What runs of a statement before the next one: not the bodies of functions."""
    if isinstance(statement, FUNCTIONS):
        defaults = (*statement.args.defaults, *filter(None, statement.args.kw_defaults))
        return [*statement.decorator_list, *defaults]
    if isinstance(statement, ast.ClassDef):
        inside = [part for inner in statement.body for part in _run_at_once(inner)]
        return [*statement.decorator_list, *statement.bases, *inside]
    return [] if isinstance(statement, _IMPORTS) else [statement]


def is_handed_to_nobody(decorator: ast.expr, full_name: FullName) -> bool:
    """Whether a decorator transforms what it decorates, and registers it nowhere."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = full_name(called) or (called.id if isinstance(called, ast.Name) else "")
    if name.rpartition(".")[2] in _BINDING_IT:
        return True
    return naming.compiles(name) or name == PARTIAL or known_function(name).calls is not None


def _names(node: ast.AST) -> set[str]:
    return set(_names_below(node))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


# Stubs


def is_stub(node: Definition) -> bool:
    """Whether a function does nothing but to say that nobody has written it, or nothing at all."""
    if not isinstance(node, FUNCTIONS):
        return False
    body = node.body[1:] if is_docstring(node.body[0]) else node.body
    return len(body) == 1 and (isinstance(body[0], ast.Pass) or _says_unwritten(body[0]))


def is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _says_unwritten(statement: ast.stmt) -> bool:
    raised = statement.exc if isinstance(statement, ast.Raise) else None
    called = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(called, ast.Name) and called.id == _NOT_WRITTEN


# Functions of functions that nothing names


def unnamed_in(tree: ast.Module, full_name: FullName) -> Iterator[Definition]:
    """The functions that stand in another one which does not name them, and that no decorator hands to anybody."""
    for outer in (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)):
        found = [node for block in blocks(outer) for node in block if isinstance(node, FUNCTIONS)]
        named = Counter(_names_below(outer)) if found else Counter[str]()
        if not named.keys().isdisjoint(_SETTING_ANY):
            continue
        methods = {id(part) for cls in ast.walk(outer) if isinstance(cls, ast.ClassDef) for part in cls.body}
        for node in (node for node in found if id(node) not in methods):
            is_named = named[node.name] > Counter(_names_below(node))[node.name]
            if not is_named and all(is_handed_to_nobody(one, full_name) for one in node.decorator_list):
                yield node


def _names_below(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


# What a flag leaves out


def flags_of(tree: ast.Module) -> dict[str, bool]:
    """The variables of a module that are a truth value all the time, as far as the module itself tells."""
    if any(isinstance(node, ast.Name) and node.id in _SETTING_ANY for node in ast.walk(tree)):
        return {}
    assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    found = {name: truth for node in assigned for name, truth in _flag(node)}
    stored = [name for node in ast.walk(tree) for name in _bound(node) if name in found]
    return {name: truth for name, truth in found.items() if stored.count(name) == 1}


def _flag(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, bool]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    value = node.value.value if isinstance(node.value, ast.Constant) else None
    if len(targets) == 1 and isinstance(targets[0], ast.Name) and isinstance(value, bool):
        yield targets[0].id, value


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node may give a value, in whatever scope."""
    yield from bound_by(node)
    match node:
        case ast.arg(arg=name):
            yield name
        case ast.Global(names=names):
            yield from names


def left_out(tree: ast.Module, flags: dict[str, bool]) -> Iterator[tuple[list[ast.stmt], set[str]]]:
    """The blocks that flags leave out, each with the names in the condition."""
    for node in ast.walk(tree) if flags else ():
        if isinstance(node, ast.If | ast.While):
            truth = _truth(node.test, flags)
            if truth is False:
                yield node.body, _names(node.test)
            if truth is True and isinstance(node, ast.If) and node.orelse:
                yield node.orelse, _names(node.test)


def _truth(test: ast.expr, flags: dict[str, bool]) -> bool | None:
    """Whether a condition holds, if flags decide that; else None."""
    match test:
        case ast.Name(id=name):
            return flags.get(name)
        case ast.UnaryOp(op=ast.Not()):
            inner = _truth(test.operand, flags)
            return None if inner is None else not inner
        case ast.BoolOp():
            parts = {_truth(part, flags) for part in test.values}
            decisive = isinstance(test.op, ast.Or)
            return decisive if decisive in parts else None if None in parts else not decisive
    return None


def all_lines(found: Iterable[list[ast.stmt]]) -> Iterator[Lines]:
    for block in found:
        yield Lines(block[0].lineno, lines_of(block[-1]).last)
