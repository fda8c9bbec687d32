"""Where a file calls a property of an array: `x.device()`."""

import ast
import functools
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ANNOTATIONS, ARRAY, PROPERTIES, SHARDING

from .arrays import is_array
from .declared import annotation_of
from .missing import TYPE_ERROR
from .source_files import SourceFile, Use, source_file

_ANSWERS_KEPT: Final = 4096


@functools.lru_cache(_ANSWERS_KEPT)
def called_properties(content: bytes, line: int, column: int, typ: str, python: tuple[int, int]) -> tuple[Use, ...]:
    """The property in a call that begins at a place, of which mypy says that a value of this type is not callable."""
    file = source_file(content)
    if file is None:
        return ()
    calls = (node for node in file.nodes() if isinstance(node, ast.Call))
    here = (call.func for call in calls if (call.lineno, call.col_offset) == (line, column))
    found = (node for node in here if isinstance(node, ast.Attribute) and node.attr in PROPERTIES)
    return tuple(
        file.use(node, f"{ARRAY}.{node.attr}", TYPE_ERROR)
        for node in found
        if file.raises(node, python) and _is_of_array(file, node.value, typ)
    )


def _is_of_array(file: SourceFile, value: ast.expr, typ: str) -> bool:
    if typ == SHARDING or is_array(file, value):
        return True
    return annotation_of(file, value) in ANNOTATIONS
