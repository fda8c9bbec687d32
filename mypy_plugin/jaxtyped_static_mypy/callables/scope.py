"""What the names of a function's body are bound to, and which functions are around an expression."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    Decorator,
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
    Statement,
    TupleExpr,
    Var,
    WhileStmt,
)

from ..jit_sites import JAX_JIT, JIT_FUNCTIONS, read_site
from ..markers import Marker, marker_of
from ..names import PARTIAL
from ..syntax import nodes_below, parts_of
from .reading import Reader
from .tables import MEMOISING


class Function(NamedTuple):
    """A function definition with its decorators."""

    node: FuncDef
    decorators: list[Expression]


class Binding(NamedTuple):
    """One place where a local name gets a value; a parameter has none."""

    line: int
    value: Expression | None
    statement: Node


def enclosing_functions(file: MypyFile, line: int) -> list[Function]:
    """The functions around a line, outermost first."""
    found: list[Function] = []
    pending: list[Node] = list(_around(file.defs, line))
    while pending:
        node = pending.pop()
        if isinstance(node, Decorator):
            found.append(Function(node.func, node.original_decorators))
            node = node.func
        elif isinstance(node, FuncDef):
            found.append(Function(node, []))
        pending.extend(_around(parts_of(node), line))
    return found


def _around(body: Iterable[Node], line: int) -> Iterator[Node]:
    return (node for node in body if _covers(node, line))


def _covers(node: Node, line: int) -> bool:
    """A decorated function starts at its decorators, and may not say where it ends; blocks may not say anything."""
    end = node.func.end_line if isinstance(node, Decorator) else node.end_line
    start = min(node.line, node.func.line) if isinstance(node, Decorator) else node.line
    return isinstance(node, (Statement, Decorator)) and (start < 0 or start <= line) and (end is None or line <= end)


def bindings_of(var: Var, file: MypyFile, line: int) -> list[Binding]:
    """What a local name may be bound to on a line."""
    functions = enclosing_functions(file, line)
    roots: list[Node] = [functions[0].node] if functions else list(_around(file.defs, line))
    bindings = [binding for root in roots for node in nodes_below(root) for binding in _bindings_in(node, var)]
    scope = functions[-1].node if functions else None
    if scope is not None and not any(_covers(scope, binding.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return _reaching(bindings, [scope] if scope is not None else roots, line)


def _reaching(bindings: list[Binding], roots: Iterable[Node], line: int) -> list[Binding]:
    """Leaves out what an assignment on the way to the line has replaced, and what comes later but not by a loop."""
    way = list(_way(roots, line))
    loops = [node for node in way if isinstance(node, (ForStmt, WhileStmt))]
    on_the_way = {part for node in way for part in parts_of(node) if isinstance(part, AssignmentStmt)}
    last = max((found.line for found in bindings if found.statement in on_the_way and found.line < line), default=-1)

    def reaches(binding: Binding) -> bool:
        if binding.line <= line:
            return binding.line >= last
        return any(_covers(loop, binding.line) and not loop.line <= last for loop in loops)

    return [binding for binding in bindings if reaches(binding)]


def _way(roots: Iterable[Node], line: int) -> Iterator[Node]:
    """The nodes from a root down to a line."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        yield node
        pending.extend(_around(parts_of(node), line))


def _bindings_in(node: Node, var: Var) -> Iterator[Binding]:
    if isinstance(node, (FuncDef, LambdaExpr)):
        if any(argument.variable is var for argument in node.arguments):
            yield Binding(node.line, None, node)
    else:
        yield from (Binding(node.line, value, node) for value in _values_in(node, var))


def _values_in(node: Node, var: Var) -> Iterator[Expression]:
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _match(target, node.rvalue, var)
    elif isinstance(node, AssignmentExpr):
        yield from _match(node.target, node.value, var)
    elif isinstance(node, ForStmt):
        yield from _match(node.index, node.expr, var)
    elif isinstance(node, GeneratorExpr):
        for index, sequence in zip(node.indices, node.sequences, strict=True):
            yield from _match(index, sequence, var)


def _match(target: Expression, value: Expression, var: Var) -> Iterator[Expression]:
    """The part of a value that a name in a target gets; all of it where that cannot be told."""
    if isinstance(target, NameExpr):
        if target.node is var:
            yield value
    elif isinstance(target, (TupleExpr, ListExpr)):
        fits = isinstance(value, (TupleExpr, ListExpr)) and len(value.items) == len(target.items)
        values = value.items if fits and isinstance(value, (TupleExpr, ListExpr)) else [value] * len(target.items)
        for item, part in zip(target.items, values, strict=True):
            yield from _match(item, part, var)


def is_static_parameter(var: Var, line: int, reader: Reader) -> bool:
    """Whether a parameter is marked, or listed by the jit that decorates its function."""
    for function in enclosing_functions(reader.file, line):
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


def is_in_memoised(line: int, file: MypyFile) -> bool:
    """Whether what stands here is evaluated once for each key of a cache."""
    functions = enclosing_functions(file, line)
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
