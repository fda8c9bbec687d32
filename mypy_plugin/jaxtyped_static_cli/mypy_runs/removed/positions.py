"""Where a call gives a function of JAX more arguments by position than it takes, or a number for one of its flags."""

import ast
import functools
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from jaxtyped_static_mypy.knowledge.ecosystem import PACKAGES

from .missing import TYPE_ERROR
from .packages import Packages, positions_of
from .source_files import SourceFile, Use, source_file

_ANSWERS_KEPT: Final = 4096
_FLAG: Final = "bool"
# Numbers that stand for no flag, by their full names.
_NUMBERS: Final = frozenset(
    f"{module}.{name}" for module in ("jax.numpy", "math", "numpy") for name in ("e", "inf", "nan", "pi")
)
_TRUTHS: Final = (0, 1)


@functools.lru_cache(_ANSWERS_KEPT)
def misplaced(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    if not any(package.encode() in content for package in PACKAGES):
        return ()
    file = source_file(content)
    if file is None:
        return ()
    calls = (node for node in file.nodes() if isinstance(node, ast.Call) and node.args)
    return tuple(use for call in calls for use in _of_call(file, call, python, packages))


def _of_call(file: SourceFile, call: ast.Call, python: tuple[int, int], packages: Packages) -> Iterator[Use]:
    name = file.full_name(call.func)
    taken = positions_of(packages.definition(name)) if name.partition(".")[0] in PACKAGES else None
    if taken is None:
        return
    given = list(takewhile(lambda one: not isinstance(one, ast.Starred), call.args))
    if len(given) > len(taken):
        first = given[len(taken)]
        if file.raises(first, python):
            yield file.use(first, name, TYPE_ERROR, positions=len(taken))
        return
    for value, argument in zip(given, taken, strict=False):
        if _is_flag(argument) and _is_number(file, value) and file.raises(value, python):
            yield file.use(value, name, "", argument.arg)


def _is_flag(argument: ast.arg) -> bool:
    return argument.annotation is not None and ast.unparse(argument.annotation) == _FLAG


def _is_number(file: SourceFile, node: ast.expr) -> bool:
    """Whether a value is a number, and none that is written for a flag."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub | ast.UAdd) and _is_number(file, node.operand)
    if isinstance(node, ast.Constant):
        value = node.value
        return isinstance(value, float) or (type(value) is int and value not in _TRUTHS)
    return file.full_name(node) in _NUMBERS
