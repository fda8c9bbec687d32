"""jit-retrace at a call: a loop that begins with a weak type, and gets a strong one back from a compiled function."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, NameExpr, StarExpr, TupleExpr, TypeInfo, Var
from mypy.types import CallableType

from ..flow.call_forms import caller, function_called, static_names
from ..flow.tree_updates import is_training
from ..flow.weak_leaves import Leaf, changed_in_place, class_made, leaf_fields, weak_leaves
from ..flow.weak_types import Body, Strength, is_array, strength_of_parameter, strength_returned
from ..libraries import known_function
from ..reporting.errors import report
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..source.bindings import Path, made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import bindings_of_name
from ..source.surroundings import Surroundings, surroundings
from ..source.weak_values import Weak
from ..syntax.names import callee_name
from ..syntax.trees import nodes_below
from . import CODES
from ._counted_calls import is_uncounted
from ._weak_words import EVIDENCE, Begins, making, statement_of

_CODE: Final = CODES["jit-retrace"]
_Given = Mapping[Var, Mapping[Path, Strength]]


class _Carried(NamedTuple):
    """A variable that a loop passes to a function and gets back from it."""

    name: NameExpr
    parameter: Var
    place: Path  # in what the function returns
    first: Expression  # its first value
    leaves: tuple[Leaf, ...]  # the parts of that with a weak type


class _Kept(NamedTuple):
    """A part that comes back with a strong type."""

    leaf: Leaf
    is_certain: bool


def check_weak_carry(call: CallExpr, signature: CallableType, file: CheckedFile, *, is_filtered: bool = False) -> None:
    """Reports what a loop feeds to a compiled function with a weak type, and gets back with a strong one.

    `is_filtered`: numbers of Python are static there.
    """
    place = surroundings(call, file)
    if not isinstance(place.parent, AssignmentStmt) or place.parent.rvalue is not call or not place.repeating:
        return
    if is_uncounted(call, file):
        return
    function = function_called(call, file)
    given = caller(call, signature, function)
    if function is None or given is None:
        return
    static = static_names(signature, file.settings.static_markers)
    own = {argument.variable.name: argument.variable for argument in function.arguments}
    passed = {own[name]: part.value for name, part in given.form.items() if name in own and part.value is not None}
    traced = {variable: value for variable, value in passed.items() if variable.name not in static}
    for found in _carried(place, traced, file):
        leaves = tuple(leaf for leaf in found.leaves if leaf.weak.is_array or not is_filtered)
        _judge(found._replace(leaves=leaves), function, passed, file)


def _carried(place: Surroundings, passed: dict[Var, Expression], file: CheckedFile) -> Iterator[_Carried]:
    statement = place.parent
    assert isinstance(statement, AssignmentStmt)
    targets = dict(_targets(statement.lvalues[0]))
    for parameter, value in passed.items():
        if not isinstance(value, NameExpr) or not isinstance(value.node, Var) or value.node not in targets:
            continue
        first = [found for found in bindings_of_name(file, value) if found.statement is not statement]
        if len(first) != 1 or first[0].value is None or first[0].binding.path or place.repeating[0] in first[0].loops:
            continue
        leaves = tuple(weak_leaves(first[0].value, file))
        if leaves and value.node not in changed_in_place(file):
            yield _Carried(value, parameter, targets[value.node], first[0].value, leaves)


def _targets(target: Expression) -> Iterator[tuple[Var, Path]]:
    if isinstance(target, NameExpr) and isinstance(target.node, Var):
        yield target.node, ()
    for index, item in enumerate(target.items if isinstance(target, TupleExpr) else ()):
        if isinstance(item, StarExpr):
            return  # takes as many as there are
        if isinstance(item, NameExpr) and isinstance(item.node, Var):
            yield item.node, (f"[{index}]",)


def _judge(found: _Carried, function: FuncDef, passed: dict[Var, Expression], file: CheckedFile) -> None:
    body = Body(file, _given(found, function, passed, file), passed)
    kept = list(_strengthened(found, function, body))
    certain = [one.leaf for one in kept if one.is_certain]
    leaves = certain or [one.leaf for one in kept]
    if not leaves:
        return
    first = leaves[0]
    parts = [Begins(_shown(leaf.path), leaf.weak.kind, leaf.is_default) for leaf in leaves]
    statement = statement_of(function.name, found.name.name, parts)
    report(
        *(file, found.name, statement, _CODE),
        evidence=_evidence(leaves, file),
        declared=first.owner if first.line is None else None,
        harm=None if certain and _is_costly(function, file) else Harm.POTENTIAL,
    )


def _given(found: _Carried, function: FuncDef, passed: dict[Var, Expression], file: CheckedFile) -> _Given:
    """What is known of the types of parameters, on the first pass."""
    known: dict[Var, Mapping[Path, Strength]] = {}
    for argument in function.arguments:
        variable = argument.variable
        if variable is not found.parameter:
            of_array = strength_of_parameter(variable, passed.get(variable), file)
            known[variable] = {(): of_array} if of_array is not None else {}
    weak = {leaf.path: Strength.WEAK for leaf in found.leaves}
    known[found.parameter] = {**_arrays(found.first, file), **weak}
    return known


def _arrays(first: Expression, file: CheckedFile) -> dict[Path, Strength]:
    """The fields of an object that are declared as arrays."""
    made = made_by(first, file)
    info: TypeInfo | None = class_made(made) if isinstance(made, CallExpr) else None
    fields = leaf_fields(info, file) if info is not None else {}
    return {(f".{name}",): Strength.DECLARED for name, field in fields.items() if is_array(field.type)}


def _strengthened(found: _Carried, function: FuncDef, body: Body) -> Iterator[_Kept]:
    for leaf in found.leaves:
        is_integer = leaf.weak.kind is Weak.INTEGER
        strength = strength_returned(function, (*found.place, *leaf.path), body._replace(is_integer=is_integer))
        if strength not in (None, Strength.WEAK):
            yield _Kept(leaf, strength is Strength.STRONG_FLOAT or (is_integer and strength is Strength.STRONG))


def _evidence(leaves: list[Leaf], file: CheckedFile) -> Iterator[Evidence]:
    """The lines that make them, of this file."""
    for leaf in leaves:
        if leaf.line is not None:
            yield Evidence(EVIDENCE, file.tree.path, leaf.line, making(_shown(leaf.path), leaf.line))


def _shown(path: Path) -> str:
    """`.params['scale']`."""
    return "".join(f"['{step[1:-1]}']" if step.startswith("[") else step for step in path)


def _is_costly(function: FuncDef, file: CheckedFile) -> bool:
    """Whether compiling a function takes long enough to matter: it differentiates, or has loops of JAX."""
    calls = [node for node in nodes_below(function.body) if isinstance(node, CallExpr)]
    rows = (known_function(callee_name(call)) for call in calls)
    stages = any(row.derives is not None or (row.calls is not None and row.calls.stages) for row in rows)
    return stages or any(is_training(call, file) for call in calls)
