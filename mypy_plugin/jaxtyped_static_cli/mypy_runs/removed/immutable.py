"""Where a file changes what surely is an array of JAX, as it does arrays of NumPy."""

import ast
import functools
import re
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ARRAY, DELETING, SETTING, SORTING

from .made_arrays import is_made_by_jax
from .missing import TYPE_ERROR
from .packages import Packages
from .source_files import SourceFile, Use, source_file
from .uses import ATTRIBUTE_ERROR

_ANSWERS_KEPT: Final = 4096
_CHANGING: Final = re.compile(rb"\]\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)|\bdel\b|\]\s*,")


@functools.lru_cache(_ANSWERS_KEPT)
def changed_items(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    if b"jax" not in content or _CHANGING.search(content) is None:
        return ()
    file = source_file(content)
    if file is None:
        return ()
    found = (node for node in file.nodes() if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load))
    arrays = (node for node in found if is_made_by_jax(file, node.value, packages) and file.raises(node, python))
    return tuple(_use(file, node) for node in arrays)


@functools.lru_cache(_ANSWERS_KEPT)
def sorted_copies(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    """The statements `x.sort()`, of an array that stays as it is."""
    if b"jax" not in content or f".{SORTING}(".encode() not in content:
        return ()
    file = source_file(content)
    if file is None:
        return ()
    calls = (node.value for node in file.nodes() if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    methods = [
        (call, call.func) for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == SORTING
    ]
    dropped = (call for call, method in methods if is_made_by_jax(file, method.value, packages))
    return tuple(file.use(call, f"{ARRAY}.{SORTING}", "") for call in dropped if file.raises(call, python))


def _use(file: SourceFile, node: ast.Subscript) -> Use:
    is_deleted = isinstance(node.ctx, ast.Del)
    name, error = (DELETING, ATTRIBUTE_ERROR) if is_deleted else (SETTING, TYPE_ERROR)
    return file.use(node, f"{ARRAY}.{name}", error)
