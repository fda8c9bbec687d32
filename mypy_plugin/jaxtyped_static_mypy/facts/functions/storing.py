"""What a function stores, whenever it runs, in objects that outlive the call: of its module, and those it is given.

A function that looks at such an object, too, may be a cache, or use it as scratch paper; one whose module takes items
out of it, or assigns it anew, may take back what it stored. Nothing is said of these.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    ReturnStmt,
    Statement,
    TryStmt,
    WhileStmt,
    WithStmt,
)

from ...knowledge import naming
from ...knowledge.full_names import JAX, NUMPY
from ...memory import keep_last
from ...syntax.arguments import named_arguments
from ...syntax.assignments import TARGETING, targets_of
from ...syntax.changes import DEFAULTING, written
from ...syntax.names import base_of, below_items, dotted_name, last_name
from ...syntax.trees import (
    YIELDS,
    has_kind,
    kinds_below,
    names_declared_outside,
    nodes_below,
    parts_of,
    statements,
)
from ..stored_values import COMPUTED, NOTHING, Origins, origins_of, origins_of_names, stores
from .scope import ModuleNames
from .steps import StoredByFunction

ATTRIBUTE: Final = "attribute"
ITEM: Final = "item"
METHOD: Final = "method"

_TAKING_OUT: Final = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
_ASKING: Final = (IfStmt, WhileStmt, MatchStmt)
_TAKING: Final = frozenset({CallExpr, DelStmt, FuncDef})
_RETURNS: Final = frozenset({ReturnStmt})
_DEPTH: Final = 4  # functions that call each other


class _Stored(NamedTuple):
    """Something that a function stores."""

    owner: str  # a parameter, or the full name of a variable of a module
    below: str  # the attributes that lead from there to what changes: `.items`
    kind: str
    shown: str  # what changes, as it is written
    origins: Origins


def stored_by_function(function: FuncDef, names: ModuleNames, *, is_bound: bool = False) -> StoredByFunction | None:
    """None if it stores nothing that it is given, or that JAX computes. `is_bound`: not in the object of a method."""
    parameters = _parameters(function)
    own = set(parameters[:1] if is_bound else ())
    found = (one._replace(origins=one.origins - own) for one in _stored(function, names, _DEPTH))
    stored = [
        [one.owner, one.below, one.kind, one.shown, sorted(one.origins)]
        for one in found
        if one.origins and one.owner not in own
    ]
    return {"parameters": parameters[is_bound:], "stored": stored} if stored else None


def _parameters(function: FuncDef) -> list[str]:
    return [argument.variable.name for argument in function.arguments if not argument.kind.is_star()]


def _stored(function: FuncDef, names: ModuleNames, depth: int) -> list[_Stored]:
    answers = _answers(names.file, tuple(names.file.defs))
    if function not in answers:
        answers[function] = []  # while it is read: it may call itself
        found = (one for one in _read(_Reader.of(function, names), depth) if one.origins)
        answers[function] = list(dict.fromkeys(found))
    return answers[function]


@keep_last
def _answers(file: MypyFile, written: tuple[Statement, ...]) -> dict[FuncDef, list[_Stored]]:
    """The answers for the functions of one module, as they are found."""
    return {}


class _Reader(NamedTuple):
    """A function that is being read."""

    function: FuncDef
    names: ModuleNames
    nodes: Sequence[Node]
    sure: list[Statement]

    @classmethod
    def of(cls, function: FuncDef, names: ModuleNames) -> "_Reader":
        nodes = nodes_below(function.body)
        return cls(function, names, nodes, [] if _runs_otherwise(function, nodes) else [*_sure(function.body.body)])

    def name_of(self, call: CallExpr) -> str:
        name = dotted_name(call.callee)
        return self.names.full_name(name).removeprefix("builtins.") if name is not None else ""


def _read(reader: _Reader, depth: int) -> Iterator[_Stored]:
    storing = [(node, target, values) for node in reader.sure for target, values in _stores(node)]
    calls = [call for node in reader.sure for call in _calls_in(node)] if depth and _calls_own(reader) else []
    inner = [(call, called) for call in calls if (called := _function_called(call, reader.names)) is not None]
    if not storing and not inner:
        return
    known = origins_of_names(_parameters(reader.function), reader.function, reader.name_of)
    local = _local_names(reader)
    for node, target, values in storing:
        place = _place(target, node, local, reader)
        if place is not None and not _is_mentioned_otherwise(target, reader):
            origins = NOTHING.union(*(origins_of(value, known, reader.name_of) for value in values))
            yield place._replace(origins=origins)
    for call, called in inner:
        if stored := _stored(called, reader.names, depth - 1):
            given = named_arguments(call, _parameters(called))
            made_of = {name: origins_of(value, known, reader.name_of) for name, value in given.items()}
            for one in stored:
                yield from _through(one, given, made_of, local, reader.names)


def _through(
    one: _Stored,
    given: dict[str, Expression],
    made_of: dict[str, Origins],
    local: frozenset[str],
    names: ModuleNames,
) -> Iterator[_Stored]:
    """What a call stores by a function that it calls."""
    origins = NOTHING.union(*(made_of.get(name, NOTHING) for name in one.origins)) | (one.origins & {COMPUTED})
    holder = given.get(one.owner)
    if "." in one.owner:
        yield one._replace(origins=origins)
    elif not isinstance(holder, NameExpr):
        return
    elif holder.name not in local:
        if not _takes_no_tracers(holder.name, names):
            yield one._replace(owner=names.full_name(holder.name), origins=origins)
    elif made_of.get(one.owner, NOTHING) == {holder.name}:  # a parameter
        yield one._replace(owner=holder.name, origins=origins)


def _runs_otherwise(function: FuncDef, nodes: Sequence[Node]) -> bool:
    """Whether it runs later, or asks whether JAX is tracing."""
    is_later = function.is_coroutine or has_kind(nodes, YIELDS)
    below = kinds_below(function.body)
    named = {*map(last_name, (*below.of(NameExpr), *below.of(MemberExpr))), *(node.name for node in below.of(FuncDef))}
    return is_later or any(map(naming.tells_tracers, named))


def _sure(body: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that run on each call, until one may leave the function. `with` may do anything with its own."""
    for node in body:
        if isinstance(node, (ForStmt, TryStmt)):
            yield from _sure(node.body.body)
        elif isinstance(node, WithStmt):
            yield from _sure(node.body.body) if all(map(_is_lock, node.expr)) else ()
        elif not isinstance(node, _ASKING):
            yield node
        if has_kind(statements([node], into_definitions=False), _RETURNS):
            return


def _is_lock(manager: Expression) -> bool:
    return not isinstance(manager, CallExpr) and "lock" in written(manager).lower()


def _stores(node: Statement) -> Iterator[tuple[Expression, list[Expression]]]:
    """Into parts of objects; `d.setdefault(key, []).append(x)` stores in `d`."""
    for target, values in stores(node):
        callee = target.callee if isinstance(target, CallExpr) else None
        if isinstance(callee, MemberExpr) and callee.name == DEFAULTING:
            yield callee.expr, values
        elif not isinstance(target, NameExpr) or isinstance(node, ExpressionStmt):
            yield target, values


def _calls_in(node: Statement) -> Iterator[CallExpr]:
    """The calls that a statement makes itself: what a function in it does may run elsewhere."""
    pending: list[Node] = [node] if not isinstance(node, FuncItem) else []
    while pending:
        part = pending.pop()
        if isinstance(part, CallExpr):
            yield part
        pending += [below for below in parts_of(part) if not isinstance(below, FuncItem)]


def _calls_own(reader: _Reader) -> bool:
    """Whether the function calls one of its module anywhere, by its name alone. Most do not."""
    own = _functions(tuple(reader.names.file.defs)).keys()
    calls = kinds_below(reader.function.body).of(CallExpr)
    return any(isinstance(call.callee, NameExpr) and call.callee.name in own for call in calls)


def _function_called(call: CallExpr, names: ModuleNames) -> FuncDef | None:
    name = call.callee.name if isinstance(call.callee, NameExpr) else ""
    return _functions(tuple(names.file.defs)).get(name) if name in names.defined else None


@keep_last
def _functions(written: tuple[Statement, ...]) -> dict[str, FuncDef]:
    return {node.name: node for node in written if isinstance(node, FuncDef)}


def _local_names(reader: _Reader) -> frozenset[str]:
    binding = (node for node in reader.nodes if type(node) in TARGETING)
    bound = {target.name for node in binding for target in targets_of(node) if isinstance(target, NameExpr)}
    defined = {node.name for node in kinds_below(reader.function.body).of(FuncDef)}
    given = {argument.variable.name for argument in reader.function.arguments}
    return frozenset({*given, *bound, *defined}) - names_declared_outside(reader.nodes)


def _place(target: Expression, node: Statement, local: frozenset[str], reader: _Reader) -> _Stored | None:
    """The object that a statement changes; None if it is local, or takes no tracer."""
    holder = target.expr if isinstance(target, MemberExpr) and not isinstance(node, ExpressionStmt) else target
    kind = ATTRIBUTE if holder is not target else METHOD if isinstance(node, ExpressionStmt) else ITEM
    full, root = dotted_name(below_items(holder)), base_of(holder)
    if full is None or not isinstance(root, NameExpr):
        return None
    if root.name in local:
        is_given = root.name in _parameters(reader.function) and not _is_bound_again(root.name, reader)
        return _Stored(root.name, full[len(root.name) :], kind, written(target), NOTHING) if is_given else None
    if _takes_no_tracers(root.name, reader.names):
        return None
    return _Stored(reader.names.full_name(full), "", kind, written(target), NOTHING)


def _is_bound_again(name: str, reader: _Reader) -> bool:
    targets = (target for node in reader.nodes if type(node) in TARGETING for target in targets_of(node))
    return any(isinstance(target, NameExpr) and target.name == name for target in targets)


def _takes_no_tracers(name: str, names: ModuleNames) -> bool:
    """Whether a variable of the module holds an array, which refuses a tracer, or is emptied or assigned elsewhere."""
    value = names.constants.get(name)
    called = dotted_name(value.callee) if isinstance(value, CallExpr) else None
    is_array = called is not None and names.full_name(called).startswith((JAX, NUMPY))
    return is_array or name in _taken_back(tuple(names.file.defs))


def _is_mentioned_otherwise(target: Expression, reader: _Reader) -> bool:
    """Whether a function does more with the object than to store something in it, or in another part of it."""
    holder, below = below_items(target), kinds_below(reader.function.body)
    name, shown = last_name(holder), written(holder)
    named = (node for node in (*below.of(NameExpr), *below.of(MemberExpr)) if last_name(node) == name)
    mentions = [node for node in named if written(node) == shown]
    storing = {part for node in reader.sure for stored, _ in _stores(node) for part in nodes_below(stored)}
    return not storing.issuperset(mentions)


@keep_last
def _taken_back(body: tuple[Statement, ...]) -> frozenset[str]:
    """The variables of a module out of which something is taken, or which its functions assign."""
    found: set[str] = set()
    for part in (part for node in body for part in nodes_below(node) if type(part) in _TAKING):
        if isinstance(part, FuncDef):
            found |= names_declared_outside(nodes_below(part.body))
        elif isinstance(part, DelStmt):
            found |= {_root(target) for target in targets_of(part)}
        elif isinstance(part, CallExpr) and isinstance(part.callee, MemberExpr) and part.callee.name in _TAKING_OUT:
            found.add(_root(part.callee.expr))
    return frozenset(found)


def _root(node: Expression) -> str:
    root = base_of(node)
    return root.name if isinstance(root, NameExpr) else ""
