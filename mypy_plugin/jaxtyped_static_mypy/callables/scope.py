"""What the names of a function's body are bound to, and which functions are around an expression."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    Decorator,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    Import,
    ImportFrom,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    StarExpr,
    TupleExpr,
    Var,
    WhileStmt,
)

from ..jit_sites import JAX_JIT, JIT_FUNCTIONS, read_site
from ..markers import Marker, marker_of
from ..names import PARTIAL
from ..syntax import parts_of, statements
from .reading import Reader
from .tables import MEMOISING


class Function(NamedTuple):
    """A function definition with its decorators."""

    node: FuncDef
    decorators: list[Expression]


class Binding(NamedTuple):
    """One place where a local name gets a value; a parameter has none."""

    value: Expression | None
    statement: Node
    block: Block | None  # in which it stands
    loops: tuple[Node, ...]


def enclosing_functions(reader: Reader, line: int) -> list[Function]:
    """The functions around a line, outermost first."""
    families = _families(reader.file, reader.run)
    index = bisect_right([family.line for family in families], line) - 1
    found = families[index].functions if index >= 0 else []
    return [function for function in found if _covers(function.node, line)]


class _Family(NamedTuple):
    """A function that no other contains, and those that it contains."""

    line: int
    functions: list[Function]


@lru_cache(maxsize=2)
def _families(file: MypyFile, run: object) -> list[_Family]:
    """`run` tells one check of the file from the next."""
    found: list[_Family] = []
    decorators: dict[FuncDef, list[Expression]] = {}
    for node in statements(file.defs):
        if isinstance(node, Decorator):
            decorators[node.func] = node.original_decorators
        elif isinstance(node, FuncDef) and node.end_line is not None:
            function = Function(node, decorators.get(node, []))
            if found and _covers(found[-1].functions[0].node, node.line):
                found[-1].functions.append(function)
            else:
                found.append(_Family(node.line, [function]))
    return found


def _covers(node: Node, line: int) -> bool:
    """What mypy has made, such as the `__init__` of a dataclass, has no end and covers nothing."""
    return node.end_line is not None and node.line <= line <= node.end_line


def bindings_of(name: NameExpr, var: Var, reader: Reader) -> list[Binding]:
    """What a local name may be bound to where it is used."""
    functions = enclosing_functions(reader, name.line)
    roots: list[Node] = (
        [functions[0].node] if functions else [node for node in reader.file.defs if _covers(node, name.line)]
    )
    bindings = [binding for root in roots for binding in _index(root, reader.run).get(var, ())]
    if functions and not any(_covers(functions[-1].node, binding.statement.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return _reaching(bindings, name)


def _reaching(bindings: list[Binding], name: NameExpr) -> list[Binding]:
    """Leaves out what an assignment on the way to the name has replaced, and what comes later but not by a loop."""
    before = [binding for binding in bindings if _is_before(binding.statement, name)]
    last = max((_start(found.statement) for found in before if _is_on_the_way(found, name)), default=(-1, -1))

    def reaches(binding: Binding) -> bool:
        if binding in before:
            return _start(binding.statement) >= last
        return any(_covers(loop, name.line) and _start(loop) > last for loop in binding.loops)

    return [binding for binding in bindings if reaches(binding)]


def _start(node: Node) -> tuple[int, int]:
    return node.line, node.column


def _is_before(statement: Node, name: NameExpr) -> bool:
    """An assignment binds when it is done, everything else (a loop, a comprehension, a parameter) where it begins."""
    if isinstance(statement, AssignmentStmt) and statement.end_line is not None:
        return (statement.end_line, statement.end_column or 0) <= _start(name)
    return _start(statement) <= _start(name) or isinstance(statement, (GeneratorExpr, LambdaExpr))


def _is_on_the_way(binding: Binding, name: NameExpr) -> bool:
    """Whether the name cannot be reached without this assignment: it stands in a block around the name."""
    if binding.block is None or not isinstance(binding.statement, AssignmentStmt):
        return False
    last = binding.block.body[-1]
    return name.line <= (last.end_line or last.line)


@lru_cache(maxsize=4)
def _index(root: Node, run: object) -> dict[Var, list[Binding]]:
    """The bindings of all names below a node."""
    index: dict[Var, list[Binding]] = {}
    pending: list[tuple[Node, Block | None, tuple[Node, ...]]] = [(root, None, ())]
    while pending:
        node, block, loops = pending.pop()
        for var, value in _bound_by(node):
            index.setdefault(var, []).append(Binding(value, node, block, loops))
        block = node if isinstance(node, Block) else block
        loops = (*loops, node) if isinstance(node, (ForStmt, WhileStmt)) else loops
        pending.extend((part, block, loops) for part in parts_of(node))
    return index


def _bound_by(node: Node) -> Iterator[tuple[Var, Expression | None]]:
    if isinstance(node, (FuncDef, LambdaExpr)):
        yield from ((argument.variable, None) for argument in node.arguments)
    elif isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _match(target, node.rvalue)
    elif isinstance(node, AssignmentExpr):
        yield from _match(node.target, node.value)
    elif isinstance(node, ForStmt):
        yield from _match(node.index, node.expr)
    elif isinstance(node, (GeneratorExpr, DictionaryComprehension)):
        for index, sequence in zip(node.indices, node.sequences, strict=True):
            yield from _match(index, sequence)


def _match(target: Expression, value: Expression) -> Iterator[tuple[Var, Expression]]:
    """The part of a value that each name in a target gets; all of it where that cannot be told."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, Var):
            yield target.node, value
    elif isinstance(target, (TupleExpr, ListExpr)):
        fits = isinstance(value, (TupleExpr, ListExpr)) and len(value.items) == len(target.items)
        values = value.items if fits and isinstance(value, (TupleExpr, ListExpr)) else [value] * len(target.items)
        for item, part in zip(target.items, values, strict=True):
            yield from _match(item, part)
    elif isinstance(target, StarExpr):
        yield from _match(target.expr, value)


def is_static_parameter(var: Var, line: int, reader: Reader) -> bool:
    """Whether a parameter is marked, or listed by the jit that decorates its function."""
    for function in enclosing_functions(reader, line):
        for index, argument in enumerate(function.node.arguments):
            if argument.variable is var:
                marked = marker_of(var.type, reader.settings.static_markers) is Marker.STATIC
                return marked or any(_lists(node, index, function.node, reader) for node in function.decorators)
    return False


def _lists(decorator: Expression, index: int, function: FuncDef, reader: Reader) -> bool:
    """Whether `@jit(static_argnames=...)` or `@partial(jit, ...)` makes a parameter static."""
    if not isinstance(decorator, CallExpr):
        return False
    callee, arguments = decorator.callee, list(zip(decorator.arg_names, decorator.args, strict=True))
    if isinstance(callee, RefExpr) and callee.fullname == PARTIAL and arguments:
        callee, arguments = arguments[0][1], arguments[1:]
    name = callee.fullname if isinstance(callee, RefExpr) else ""
    row = JAX_JIT if name in reader.settings.jit_functions else JIT_FUNCTIONS.get(name)
    if row is None:
        return False
    site = read_site(name, row, arguments, reader.file)
    count = len(function.arguments)
    numbers = {number % count for number in site.nums if -count <= number < count}
    return not site.known or function.arg_names[index] in site.names or index in numbers


def is_in_memoised(line: int, reader: Reader) -> bool:
    """Whether what stands here is evaluated once for each key of a cache."""
    functions = enclosing_functions(reader, line)
    return bool(functions) and is_memoised(functions[-1].decorators)


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)


def full_name(node: Expression, file: MypyFile) -> str:
    """The full name of what an expression refers to; for a package without types, as the imports name it."""
    if not isinstance(node, (NameExpr, MemberExpr)):
        return ""
    if node.node is not None and not (isinstance(node.node, Var) and node.node.is_suppressed_import):
        return node.node.fullname or ""
    if isinstance(node, MemberExpr):
        owner = full_name(node.expr, file)
        return f"{owner}.{node.name}" if owner else ""
    return _imported_name(node.name, file)


def _imported_name(name: str, file: MypyFile) -> str:
    for node in file.imports:
        if isinstance(node, Import):
            for module, alias in node.ids:
                if name in (alias, module if alias is None else None):
                    return module
        elif isinstance(node, ImportFrom):
            for imported, alias in node.names:
                if name == (alias or imported):
                    return f"{node.id}.{imported}"
    return ""
