"""What names are bound to. All who follow a name to its value ask here, each with the part of the program it needs.

- `bound_by`: the variables that one node binds, each with its value or the part of a value that it gets;
  `names_bound_by`: the same names in a module that mypy has only parsed
- `reaching_bindings` (`local_bindings`): the bindings that one use of a local name may see
- `bindings_of`, `only_value`, `value_of_constant`, `made_by`, `innermost`: the bindings of a variable in a whole file
- `constants`: the same by name alone, for a module that mypy has not analysed

Two analyses bind names to more than expressions, and pair targets with values by the same rules: `flow/traced` to what
is known of tracers, and `facts/flatten_facts` to symbolic values.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    LDEF,
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    StarExpr,
    Statement,
    SymbolNode,
    TryStmt,
    TupleExpr,
    Var,
    WithStmt,
)

from ..memory import once_per_run
from ..syntax.assignments import assigned_pairs, loops_of, values_of_items
from ..syntax.patterns import captured
from ..syntax.trees import ASSIGNMENTS, ends_after, names_assigned, nodes_below, statements
from .checked_file import CheckedFile, once_per_file

ANY_KEY: Final = "[*]"
UPDATED: Final = "+"  # by `+=` and the like
Path = tuple[str, ...]  # `.name` for an attribute, `[key]` for an item


class Binding(NamedTuple):
    """One place that binds a variable to an expression or to part of one.

    `value` is None for parameters and for names bound by `with`, `except` and patterns.
    """

    value: Expression | None = None
    path: Path = ()
    is_parameter: bool = False
    is_concrete: bool = False  # an index of `enumerate`, a key of a dict

    @property
    def whole(self) -> Expression | None:
        """The value, unless the variable gets only a part of it."""
        return self.value if not self.path else None


Bound = Iterator[tuple[SymbolNode, Binding]]
Names = Iterator[tuple[NameExpr, Binding]]

_PARAMETER: Final = Binding(is_parameter=True)
_CONCRETE: Final = Binding(is_concrete=True)
_OF_DICTS: Final = ("items", "keys", "values")


def bound_by(node: Node) -> Bound:
    """Yields the variables that a node itself binds; a function binds its parameters."""
    return _bound_by(node) if type(node) in BINDING_VARIABLES else iter(())


def _bound_by(node: Node) -> Bound:
    if isinstance(node, (FuncDef, LambdaExpr)):
        yield from ((argument.variable, _PARAMETER) for argument in node.arguments)
    elif isinstance(node, MatchStmt):
        yield from ((variable, Binding()) for pattern in node.patterns for variable in captured(pattern))
    else:
        for name, binding in names_bound_by(node):
            if isinstance(name.node, SymbolNode):
                yield name.node, binding


def names_bound_by(node: Node) -> Names:
    """Yields the names that a node binds, whether or not mypy has analysed them; none of a function or of patterns."""
    binds = _BINDS.get(type(node))
    return binds(node) if binds is not None else iter(())


def _bound_by_assignment(node: AssignmentStmt) -> Names:
    binding, targets = Binding(node.rvalue), node.lvalues
    if len(targets) == 1 and isinstance(targets[0], NameExpr):  # as nearly always
        return iter(((targets[0], binding),))
    return (found for target in targets for found in _match(target, binding))


def _bound_by_loops(node: Node) -> Names:
    return (found for target, iterable in loops_of(node) for found in _match_elements(target, iterable))


_BINDS: Final[dict[type[Node], Callable[[Any], Names]]] = {
    AssignmentStmt: _bound_by_assignment,
    OperatorAssignmentStmt: lambda node: _match(node.lvalue, Binding(node.rvalue, (ANY_KEY, UPDATED))),
    AssignmentExpr: lambda node: _match(node.target, Binding(node.value)),
    ForStmt: _bound_by_loops,
    GeneratorExpr: _bound_by_loops,
    DictionaryComprehension: _bound_by_loops,
    WithStmt: lambda node: _without_values(node.target),
    TryStmt: lambda node: _without_values(node.vars),
}
BINDING: Final = frozenset(_BINDS)  # the kinds of nodes for which `names_bound_by` may yield a name
BINDING_VARIABLES: Final = BINDING | {FuncDef, LambdaExpr, MatchStmt}  # the same for `bound_by`


def mentions(node: Node, variables: Container[SymbolNode | None]) -> bool:
    """Whether any of these variables is named below a node."""
    return any(isinstance(part, NameExpr) and part.node in variables for part in nodes_below(node))


def _without_values(targets: Iterable[Expression | None]) -> Names:
    return (found for target in targets if target is not None for found in _match(target, Binding()))


def _match(target: Expression, binding: Binding) -> Names:
    """Matches the names in a target with the parts of the value they get."""
    if isinstance(target, NameExpr):
        yield target, binding
    elif isinstance(target, StarExpr):
        yield from _match(target.expr, binding._replace(path=(*binding.path, ANY_KEY)))
    elif isinstance(target, (TupleExpr, ListExpr)):
        has_star = any(isinstance(item, StarExpr) for item in target.items)
        values = values_of_items(target.items, binding.whole)
        for index, (item, value) in enumerate(zip(target.items, values, strict=True)):
            key = ANY_KEY if has_star else f"[{index}]"
            part = Binding(value) if value is not None else binding._replace(path=(*binding.path, key))
            yield from _match(item, part)


def _match_elements(target: Expression, iterable: Expression) -> Names:
    """Matches the target of a loop with the elements of the iterable."""
    items = target.items if isinstance(target, (TupleExpr, ListExpr)) else []
    if isinstance(iterable, CallExpr) and isinstance(iterable.callee, RefExpr):
        base = iterable.callee.expr if isinstance(iterable.callee, MemberExpr) else None
        name = _name_of_iterator(iterable.callee)
        if name == "enumerate" and len(items) == 2 and iterable.args:
            yield from _match(items[0], _CONCRETE)
            yield from _match_elements(items[1], iterable.args[0])
            return
        if name == "zip" and len(items) == len(iterable.args):
            for item, part in zip(items, iterable.args, strict=True):
                yield from _match_elements(item, part)
            return
        if name in ("items", "values") and base is not None:
            if name == "items" and len(items) == 2:
                yield from _match(items[0], _CONCRETE)
                target = items[1]
            yield from _match(target, Binding(base, (ANY_KEY,)))
            return
        if name in ("keys", "range"):
            yield from _match(target, _CONCRETE)
            return
    yield from _match(target, Binding(iterable, (ANY_KEY,)))


def _name_of_iterator(callee: RefExpr) -> str:
    """The name of a method of dicts, or of a function of Python; before mypy has analysed it, of any function."""
    if isinstance(callee, MemberExpr):
        return callee.name if callee.name in _OF_DICTS else ""
    name = callee.name if isinstance(callee, NameExpr) else ""
    return name if callee.node is None or callee.fullname == f"builtins.{name}" else ""


# Of a whole file


def bindings_of(symbol: SymbolNode | None, file: CheckedFile) -> list[Binding]:
    """What the assignments of a file bind a variable to, `+=` among them.

    Parameters and the targets of loops do not count: `fn = logged(fn)` is the one value of a parameter.
    """
    return _assignments(file).get(symbol, []) if symbol is not None else []


def only_value(symbol: SymbolNode | None, file: CheckedFile) -> Expression | None:
    """The value of a variable that one assignment of the file binds, to a value that it writes out; else None."""
    return _only(bindings_of(symbol, file))


def value_of_constant(symbol: SymbolNode, tree: MypyFile) -> Expression | None:
    """The value of a variable that one assignment binds, for who reads it where no rule is being checked; else None."""
    found = (pair for node in _assignments_by_name(tree).get(symbol.name, ()) for pair in bound_by(node))
    return _only([binding for variable, binding in found if variable is symbol])


def _only(bindings: list[Binding]) -> Expression | None:
    return bindings[0].whole if len(bindings) == 1 else None


@once_per_file
def _assignments(file: CheckedFile) -> dict[SymbolNode, list[Binding]]:
    """The bindings by assignments, by variable."""
    found: dict[SymbolNode, list[Binding]] = {}
    for node in statements(file.tree.defs):
        if isinstance(node, ASSIGNMENTS):
            for variable, binding in bound_by(node):
                found.setdefault(variable, []).append(binding)
    return found


def made_by(node: Expression, file: CheckedFile, stopping: Container[Node | None] = ()) -> Expression:
    """Follows names that are bound once to the expression that makes the value, up to one of `stopping`.

    A local name that is read in its own value, as in `fn = logged(fn)`, or before it, stays a name: it is what the
    name was until then. So does a name of the module that leads back to itself: `from config import sizes`, and
    `sizes = tuple(sizes)`. So what follows values in turn comes to an end.
    """
    followed: set[SymbolNode] = set()
    while isinstance(node, NameExpr) and isinstance(node.node, Var) and node.node not in followed:
        if node.node in stopping:
            break
        followed.add(node.node)
        value = only_value(node.node, file)
        is_before = value is not None and node.kind == LDEF and ends_after(value, node)
        if value is None or is_before or node in _reads_in_circles(file):
            break
        node = value
    return node


@once_per_file
def _reads_in_circles(file: CheckedFile) -> frozenset[NameExpr]:
    """Where names of the module are read in their own values, or in values that lead back to these."""
    reads = {
        variable: [node for node in nodes_below(value) if isinstance(node, NameExpr)]
        for variable in _assignments(file)
        if "." in variable.fullname and (value := only_value(variable, file)) is not None
    }
    ending = set[SymbolNode]()
    while more := {
        each for each in reads.keys() - ending if not any(_leads_on(node, reads, ending) for node in reads[each])
    }:
        ending |= more
    circling = (node for variable in reads.keys() - ending for node in reads[variable])
    return frozenset(node for node in circling if _leads_on(node, reads, ending))


def _leads_on(node: NameExpr, reads: Container[SymbolNode | None], ending: Container[SymbolNode | None]) -> bool:
    return node.node in reads and node.node not in ending


def innermost(node: Expression, file: CheckedFile, inside: Callable[[Expression], Expression | None]) -> Expression:
    """Follows names as `made_by` does, and whatever `inside` takes out of what they stand for; each at most once."""
    passed: set[Expression] = set()
    made = made_by(node, file)
    while made not in passed and (part := inside(made)) is not None:
        passed.add(made)
        made = made_by(part, file)
    return made


@once_per_run
def _assignments_by_name(tree: MypyFile) -> dict[str, list[Statement]]:
    """The statements of a file that assign to a name. By name: the daemon makes new symbols for the same statements."""
    found: dict[str, list[Statement]] = {}
    for node in statements(tree.defs):
        for name in set(names_assigned(node)):
            found.setdefault(name, []).append(node)
    return found


def constants(body: Iterable[Statement]) -> dict[str, Expression]:
    """The names that one of these statements assigns, with their values, in a module that mypy has not analysed yet."""
    pairs = (pair for node in body if isinstance(node, AssignmentStmt) for pair in assigned_pairs(node))
    bound: dict[str, list[Expression | None]] = {}
    for target, value in pairs:
        if isinstance(target, NameExpr):
            bound.setdefault(target.name, []).append(value)
    return {name: found[0] for name, found in bound.items() if len(found) == 1 and found[0] is not None}
