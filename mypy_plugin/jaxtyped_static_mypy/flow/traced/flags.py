"""Which branch a flag decides: a parameter for which the calls that are traced pass `True` or `False`."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Final, TypeVar

from mypy.nodes import CallExpr, Expression, FuncItem, NameExpr, OpExpr, SymbolNode, UnaryExpr, Var

from ...source.parameters import parameters
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.assignments import targets_of
from ...syntax.trees import nodes_below

_CONSTANTS: Final = {"builtins.True": True, "builtins.False": False}

KeyT = TypeVar("KeyT", bound=Hashable)
Flags = Mapping[SymbolNode, bool]  # variables that keep this value for the whole call


def passed_flags(function: FuncItem, call: CallExpr, flags: Flags, bound: str | None = None) -> dict[str, bool]:
    """The parameters that a call, or the default that it leaves, gives a truth that the source shows.

    None of them if the call unpacks any argument. `flags`: those of the caller. `bound`: the parameter that the object
    itself fills.
    """
    if unpacks(call):
        return {}
    singles = [one for one in parameters(function) if one.name != bound and not one.is_star and not one.is_star2]
    given = named_arguments(call, (one.name for one in singles))
    shown = (
        (one.name, decided(given.get(one.name, function.arguments[one.position].initializer), flags)) for one in singles
    )
    return {name: truth for name, truth in shown if truth is not None}


def kept_flags(function: FuncItem, passed: Mapping[str, bool]) -> Flags:
    """The parameters that keep what is passed: the function, and those in it, bind them to nothing else."""
    if not passed:
        return {}
    rebound = set(_rebound(function))
    return {
        one.variable: passed[one.name]
        for one in parameters(function)
        if one.name in passed and one.variable not in rebound
    }


def _rebound(function: FuncItem) -> Iterator[SymbolNode | None]:
    targets = (target for node in nodes_below(function) for target in targets_of(node))
    return (name.node for target in targets for name in nodes_below(target) if isinstance(name, NameExpr))


def common_flags(one: Mapping[KeyT, bool], other: Mapping[KeyT, bool]) -> dict[KeyT, bool]:
    """Those for which both uses of a function pass the same."""
    return {name: truth for name, truth in one.items() if other.get(name) is truth}


def decided(condition: Expression | None, flags: Flags) -> bool | None:
    """The outcome of a condition that flags decide; None if they do not."""
    if isinstance(condition, UnaryExpr) and condition.op == "not":
        outcome = decided(condition.expr, flags)
        return None if outcome is None else not outcome
    if isinstance(condition, OpExpr) and condition.op in ("and", "or"):
        return _decided_operation(condition, flags)
    if not isinstance(condition, NameExpr):
        return None
    constant = _CONSTANTS.get(condition.fullname)
    return flags.get(condition.node) if constant is None and isinstance(condition.node, Var) else constant


def _decided_operation(operation: OpExpr, flags: Flags) -> bool | None:
    ending = operation.op == "or"  # the outcome of one operand that decides it
    outcomes = [decided(part, flags) for part in (operation.left, operation.right)]
    if ending in outcomes:
        return ending
    return None if None in outcomes else not ending
