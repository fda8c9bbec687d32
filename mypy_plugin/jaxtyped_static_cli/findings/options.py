"""Code behind an option that is off by default, and that nothing in the project turns on: `if config.use_scan:`.

Its users may turn it on, but nothing shows that somebody does. An option is a field of a class, or a variable of a
module with what the environment says.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from ..files import sources
from ..files.parsing import parsed_by_python
from ..files.python_files import is_of_library
from ..files.python_names import named_last
from ..project.roots import folders_of_repository
from .unreached.mentions import words_beside

_FILES_KEPT: Final = 4096
_READING: Final = frozenset({"get", "getenv"})  # of `os.environ`, and of `os`
_CHANGING_TEXT: Final = frozenset({"casefold", "lower", "strip", "upper"})
_CONVERTING: Final = {"bool": bool, "int": int, "str": str}


class _File(NamedTuple):
    off: Mapping[str, bool]  # the fields that are truth values by default: whether all of that name are off
    variables: frozenset[str]  # those of the module that are off unless the environment says otherwise
    given: frozenset[str]  # the names that get values, or that texts have
    tests: tuple[tuple[ast.expr, int, int], ...]  # the conditions of `if`, with the first and last line that they guard


@dataclass(frozen=True, eq=False)
class Options:
    """One project. `files`: those of its modules that are no tests. `beside`: the words of its other files."""

    files: tuple[Path, ...]
    beside: frozenset[str]

    @classmethod
    def of(cls, files: Iterable[Path], root: Path) -> "Options":
        own = tuple(file for file in files if file.suffix == ".py" and not is_of_library(str(file)))
        return cls(own, words_beside(folders_of_repository(root)[-1]) or frozenset())

    def are_off(self, file: Path, line: int) -> bool:
        """Whether a line runs only if an option is on."""
        read = _read(sources.lines(file))
        return any(self._is_off(test, read) for test, start, end in read.tests if start <= line <= end)

    def _is_off(self, test: ast.expr, read: _File) -> bool:
        match test:
            case ast.Name(id=name):
                return name in read.variables
            case ast.Attribute(attr=name):
                return name in self._fields
            case ast.BoolOp(op=ast.And(), values=values):
                return any(self._is_off(value, read) for value in values)
        return False

    @cached_property
    def _fields(self) -> frozenset[str]:
        read = [_read(sources.lines(file)) for file in self.files]
        names = {name for one in read for name, is_off in one.off.items() if is_off}
        others = {name for one in read for name, is_off in one.off.items() if not is_off}
        return frozenset(names - others - self.beside).difference(*(one.given for one in read))


@lru_cache(_FILES_KEPT)
def _read(lines: tuple[str, ...]) -> _File:
    tree = parsed_by_python("\n".join(lines))
    if tree is None:
        return _File({}, frozenset(), frozenset(), ())
    nodes = list(ast.walk(tree))
    off: dict[str, bool] = {}
    for name, is_off in _declared(node for node in nodes if isinstance(node, ast.ClassDef)):
        off[name] = off.get(name, True) and is_off
    guarded = ((node.test, node.body) for node in nodes if isinstance(node, ast.If))
    tests = tuple((test, body[0].lineno, body[-1].end_lineno or body[-1].lineno) for test, body in guarded)
    return _File(off, frozenset(_variables(tree)), frozenset(_given(nodes)), tests)


def _declared(classes: Iterable[ast.ClassDef]) -> Iterator[tuple[str, bool]]:
    """The fields of classes with a truth value as their default."""
    for node in (node for cls in classes for node in cls.body):
        target: ast.expr | None = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        value = node.value if isinstance(node, ast.AnnAssign | ast.Assign) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
            yield target.id, value.value is False


def _given(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names for which code gives a value other than False, or that it may make up."""
    for node in nodes:
        match node:
            case ast.keyword(arg=str(name), value=value) if not _is_false(value):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(text)):
                for part in text.replace("-", "_").split():
                    yield from (part, part.strip("_"))  # an option of a command line, too: `--use-scan`


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


def _variables(tree: ast.Module) -> Iterator[str]:
    """The variables of a module that are off unless the environment says otherwise, and are bound once."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name) or stored.count(target.id) > 1:
            continue
        if any(_reads(part) is not None for part in ast.walk(node.value)) and _value(node.value) is False:
            yield target.id


def _reads(node: ast.AST) -> ast.Call | None:
    """A call that reads a variable of the environment."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None
    owner = named_last(node.func.value)
    return node if node.func.attr in _READING and owner in ("environ", "os") else None


class _Unknown(Exception):
    """Of a value that is not known."""


def _value(node: ast.expr) -> object:
    """The value of an expression if the environment says nothing; None if that is not known."""
    try:
        return _evaluated(node)
    except (_Unknown, TypeError, ValueError):
        return None


def _evaluated(node: ast.expr) -> object:
    if (call := _reads(node)) is not None:
        return _evaluated(call.args[1]) if len(call.args) > 1 else None
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(map(_evaluated, parts))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[]) if name in _CHANGING_TEXT:
            return getattr(str(_evaluated(owner)), name)()
        case ast.Call(func=ast.Name(id=name), args=[value]) if name in _CONVERTING:
            return _CONVERTING[name](_evaluated(value))
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return not _evaluated(value)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(_evaluated(left), operator, _evaluated(right))
    raise _Unknown


def _compared(left: object, operator: ast.cmpop, right: object) -> bool:
    match operator:
        case ast.Eq() | ast.NotEq():
            return (left == right) is isinstance(operator, ast.Eq)
        case ast.Is() | ast.IsNot():
            return (left is right) is isinstance(operator, ast.Is)
        case ast.In() | ast.NotIn() if isinstance(right, str | tuple):
            return (left in right) is isinstance(operator, ast.In)
    raise _Unknown
