"""Where a file uses attributes and arguments of methods that arrays do not have.

mypy knows the type of a value, and not whether an annotation is right: a list, or an array of NumPy or PyTorch, may
have another one's. What a function of JAX has just returned is an array for sure, by the syntax alone.
"""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from typing import Final

from jaxtyped_static_mypy.knowledge.array_attributes import ANNOTATIONS, ARRAY, INSTEAD, NO_TYPES, OF_TENSORS
from jaxtyped_static_mypy.knowledge.full_names import JAX, MAKING_ARRAYS

from .declared import annotation_of, is_unannotated
from .guards import ancestors
from .missing import TYPE_ERROR, keywords
from .packages import Packages
from .source_files import SourceFile, Use, source_file
from .uses import ATTRIBUTE_ERROR

_ANSWERS_KEPT: Final = 4096
_OF_TORCH: Final = re.compile(rb"\btorch\b")
_FOREIGN: Final = re.compile(rf"\.(?:{'|'.join(INSTEAD)})\b".encode())
OF_SAME_KIND: Final = frozenset({"T", "mT", "real", "imag"})
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# What surely is no array of JAX: displays, and what these functions return.
_DISPLAYS: Final = (ast.Dict, ast.List, ast.Set, ast.Tuple, *_COMPREHENSIONS)
_CONTAINERS: Final = frozenset({"dict", "list", "set", "sorted", "tuple"})
_OTHER_LIBRARIES: Final = ("numpy.", "torch.")
_Operand = Callable[[SourceFile, ast.expr], bool]
_Makes = Callable[[str], bool]  # whether a function makes arrays, by its full name
_RESULTS: Final = frozenset({"Array", "jax.Array"})  # as annotations in the source of JAX
# What surely is a number, or an array of NumPy.
_NUMBERS: Final = frozenset({"bool", "complex", "float", "int", "len"})
_OF_NUMBERS: Final = ("math.", "numpy.")
_SIZES: Final = frozenset({"ndim", "size"})
_SHAPE: Final = "shape"
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS)


@functools.lru_cache(_ANSWERS_KEPT)
def arguments_of_method(
    content: bytes, line: int, argument: str, method: str, python: tuple[int, int]
) -> tuple[Use, ...]:
    """What is given by a name to a method of what surely is an array."""
    file = source_file(content)
    if file is None:
        return ()
    calls = ((call, keyword) for call, keyword in keywords(file) if (call.lineno, keyword.arg) == (line, argument))
    found = [
        (call.func, keyword)
        for call, keyword in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == method
    ]
    return tuple(
        file.use(keyword, f"{ARRAY}.{method}", TYPE_ERROR, argument, is_certain=is_array(file, function.value))
        for function, keyword in found
        if file.raises(keyword, python)
    )


@functools.lru_cache(_ANSWERS_KEPT)
def attributes_of_arrays(content: bytes, line: int, column: int, name: str, python: tuple[int, int]) -> tuple[Use, ...]:
    """The attribute of a value that mypy takes for an array, in the expression that begins at a place."""
    file = source_file(content)
    if file is None:
        return ()
    found = (node for node in file.nodes() if isinstance(node, ast.Attribute) and node.attr == name)
    here = [node for node in found if node.lineno == line and isinstance(node.ctx, ast.Load)]
    exact = [use for node in here if file.raises(node, python) for use in _attribute(file, node, content)]
    return tuple(use for use in exact if use.column == column) or tuple(exact[:1] if len(exact) == 1 else ())


@functools.lru_cache(_ANSWERS_KEPT)
def foreign_attributes(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    """Attributes of other libraries' arrays, of what a function of JAX has returned; mypy may not know its type."""
    if _FOREIGN.search(content) is None or b"jax" not in content:
        return ()
    file = source_file(content)
    if file is None:
        return ()
    found = (node for node in file.nodes() if isinstance(node, ast.Attribute) and node.attr in INSTEAD)
    here = [
        node for node in found if isinstance(node.ctx, ast.Load) and _is_made(file, node.value, node.attr, packages)
    ]
    return tuple(file.use(node, f"{ARRAY}.{node.attr}", ATTRIBUTE_ERROR) for node in here if file.raises(node, python))


def _attribute(file: SourceFile, node: ast.Attribute, content: bytes) -> Iterator[Use]:
    if _is_another(file, node.value):
        return
    is_of_tensor = node.attr in OF_TENSORS and _OF_TORCH.search(content) is None
    is_certain = is_array(file, node.value) or (is_of_tensor and _is_settled(file, node.value))
    yield file.use(node, f"{ARRAY}.{node.attr}", ATTRIBUTE_ERROR, is_certain=is_certain)


def _is_another(file: SourceFile, node: ast.expr) -> bool:
    """Whether a variable has been given something else, which mypy takes for a mistake: `x = list(x)`.

    Or may be anything, and its operators may return anything: an annotation that is a function says nothing.
    """
    if isinstance(node, ast.BinOp):
        return _is_another(file, node.left) or _is_another(file, node.right)
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    if value is None and annotation_of(file, node) in NO_TYPES:
        return True
    if isinstance(value, ast.BinOp):
        return any(_may_be_anything(file, part) for part in ast.walk(value))
    if not isinstance(value, ast.Call):
        return isinstance(value, _DISPLAYS)
    is_container = isinstance(value.func, ast.Name) and value.func.id in _CONTAINERS
    return is_container or file.full_name(value.func).startswith(_OTHER_LIBRARIES)


def _may_be_anything(file: SourceFile, node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and annotation_of(file, node) in NO_TYPES


def is_array(file: SourceFile, node: ast.expr) -> bool:
    """Whether a value that mypy takes for an array comes from a function of JAX for sure."""
    return _comes_from(file, node, _is_of_jax, _decides_nothing)


def _is_made(file: SourceFile, node: ast.expr, name: str, packages: Packages) -> bool:
    """Whether a value of which an attribute is read is an array, whatever mypy takes it for."""

    def makes(function: str) -> bool:
        return function.startswith(MAKING_ARRAYS) and _returns_array(packages.definition(function))

    return _comes_from(file, node, makes, _may_be_array if name in OF_TENSORS else _decides_nothing)


def _returns_array(definition: ast.stmt | None) -> bool:
    """Whether a function of JAX returns one array, or may do so, or what it gets; not `jnp.split`, nor `jnp.dtype`."""
    if not isinstance(definition, ast.FunctionDef):
        return False
    returned, arms = definition.returns, list[str]()
    while isinstance(returned, ast.BinOp):
        arms.append(ast.unparse(returned.right))
        returned = returned.left
    if returned is None or not _RESULTS.isdisjoint([*arms, ast.unparse(returned)]):
        return True
    first = next(iter((*definition.args.posonlyargs, *definition.args.args)), None)
    taken = first.annotation if first is not None else None
    return taken is not None and ast.unparse(taken) == ast.unparse(returned)  # `stop_gradient(x: T) -> T`


def _is_of_jax(function: str) -> bool:
    return function.startswith(JAX)


def _comes_from(file: SourceFile, node: ast.expr, makes: _Makes, decides_nothing: _Operand) -> bool:
    """Whether functions with such full names have made a value, or what it is computed from."""
    comes_from = functools.partial(_comes_from, file, makes=makes, decides_nothing=decides_nothing)
    if isinstance(node, ast.Call):
        return makes(file.full_name(node.func))
    if isinstance(node, ast.Attribute):
        return node.attr in OF_SAME_KIND and comes_from(node.value)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(map(comes_from, sides)) and all(comes_from(one) or decides_nothing(file, one) for one in sides)
    if isinstance(node, ast.UnaryOp):
        return comes_from(node.operand)
    if isinstance(node, ast.Subscript):
        return makes is _is_of_jax and comes_from(node.value)
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    return value is not None and comes_from(value)


def _is_settled(file: SourceFile, node: ast.expr) -> bool:
    """Whether no operator has made a value with an operand that may say what it is."""
    value = value_of(file, node) if isinstance(node, ast.Name) else node
    return not isinstance(value, ast.BinOp) or all(_may_be_array(file, side) for side in (value.left, value.right))


def _decides_nothing(file: SourceFile, node: ast.expr) -> bool:
    """Whether an operator between it and an array makes an array.

    An object of another class decides itself: arrays hand `x + own` over to `own.__radd__`.
    """
    return is_number(file, node) or is_array(file, node) or annotation_of(file, node) in ANNOTATIONS


def _may_be_array(file: SourceFile, node: ast.expr) -> bool:
    """The same, or whether it is a parameter of which nothing is said."""
    if _decides_nothing(file, node):
        return True
    return isinstance(node, ast.Name) and value_of(file, node) is None and is_unannotated(file, node)


def is_number(file: SourceFile, node: ast.expr) -> bool:
    """Whether it surely is a number of Python, or a value of NumPy."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float | complex)
    if isinstance(node, ast.UnaryOp):
        return is_number(file, node.operand)
    if isinstance(node, ast.BinOp):
        return is_number(file, node.left) and is_number(file, node.right)
    if isinstance(node, ast.Call):
        is_counted = any(file.is_builtin(node.func, name) for name in _NUMBERS)
        return is_counted or file.full_name(node.func).startswith(_OF_NUMBERS)
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES or file.full_name(node).startswith(_OF_NUMBERS)
    if isinstance(node, ast.Subscript):  # of a shape
        return isinstance(node.value, ast.Attribute) and node.value.attr == _SHAPE
    value = value_of(file, node) if isinstance(node, ast.Name) else None
    return annotation_of(file, node) in _NUMBERS if value is None else is_number(file, value)


def value_of(file: SourceFile, name: ast.Name) -> ast.expr | None:
    """What a variable holds, if the statements in front of its use say so."""
    for outer, inner in ancestors(name, file.parents):
        for statement in _before(outer, inner):
            if isinstance(statement, ast.Assign) and [ast.unparse(target) for target in statement.targets] == [name.id]:
                return statement.value
            if _binds(statement, name.id):
                return None
        if isinstance(outer, _SCOPES) or (isinstance(outer, _LOOPS) and _binds(outer, name.id)):
            return None
    return None


def _before(outer: ast.AST, inner: ast.AST) -> Iterator[ast.AST]:
    """The statements of a block in front of one, the last first."""
    for _, block in ast.iter_fields(outer):
        if isinstance(block, list) and inner in block and isinstance(inner, ast.stmt):
            yield from reversed(block[: block.index(inner)])


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a name may get another value there."""
    return any(
        (isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load))
        or (isinstance(part, ast.Global | ast.Nonlocal) and name in part.names)
        for part in ast.walk(node)
    )
