"""Tells what the statements of a function assign, and what of a nested definition runs in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def assigned_names(body: Iterable[ast.stmt]) -> set[str]:
    """Returns the local variables that only assignments bind, and that no nested function sees."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    bound = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    assigned = [name.id for node in nodes for name in _names_assigned(node)]
    return {name for name in assigned if bound.count(name) == assigned.count(name)}


def _names_assigned(node: ast.AST) -> Iterator[ast.Name]:
    match node:
        case ast.Assign(targets=targets):
            left = targets
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            left = [target]
        case _:
            return
    yield from (target for target in single_targets(left) if isinstance(target, ast.Name))


def single_targets(targets: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yields what an assignment sets, one by one."""
    for target in targets:
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield from single_targets(parts)
            case ast.Starred(value=part):
                yield from single_targets([part])
            case _:
                yield target


def run_where_defined(node: ast.AST) -> list[ast.expr]:
    """Returns what runs where a function or class is defined: decorators, defaults, bases."""
    match node:
        case ast.ClassDef(decorator_list=decorators, bases=bases):
            return [*decorators, *bases]
        case (
            ast.FunctionDef(args=args, decorator_list=decorators)
            | ast.AsyncFunctionDef(args=args, decorator_list=decorators)
        ):
            pass
        case ast.Lambda(args=args):
            decorators = []
        case _:
            return []
    return [*decorators, *args.defaults, *(default for default in args.kw_defaults if default is not None)]
