"""A quick check that nothing has changed of what programs read of the objects that a function holds."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import FunctionType, MethodType
from typing import Any, TypeAlias

from jaxtyped_static._calls.compiled_in import is_compiled_in
from jaxtyped_static._parts.held import (
    NOTHING,
    HeldTree,
    Holding,
    Step,
    StepKind,
    elements_of,
    own_attributes,
    step_into,
)

PartCheck: TypeAlias = Callable[[Any], bool]


def check_of_holding(holding: Holding, check_of_value: Callable[[Any], PartCheck]) -> PartCheck:
    """Returns a function that tells whether a later state of the same is surely unchanged.

    Args:
        holding: what the programs read.
        check_of_value: makes such a function for a value that is compiled in.
    """
    check = _check(holding.function(), holding.tree, check_of_value)
    return lambda holding: check(holding.function())


def _check(value: Any, tree: HeldTree, check_of_value: Callable[[Any], PartCheck]) -> PartCheck:
    if tree.is_read and is_compiled_in(value):
        return check_of_value(value)
    if not tree.children:
        return lambda now: not is_compiled_in(now)  # It could not be compared; perhaps it can be now.
    cls, own = type(value), own_attributes(value)
    stored, others, each = [], [], None
    for step, child in tree.children.items():
        part = step_into(value, step)
        if step.kind is StepKind.EACH:
            each = _check_of_each(value, child, check_of_value)
        elif step.kind is StepKind.ATTRIBUTE and step.name in own and own[step.name] is part:
            stored.append((step.name, _check(part, child, check_of_value)))
        else:
            others.append((_getter(value, step), _check(part, child, check_of_value)))

    def is_unchanged(now: Any) -> bool:
        if type(now) is not cls:
            return False
        if stored:
            attributes = now.__dict__
            for name, check in stored:
                if not check(attributes.get(name, NOTHING)):
                    return False
        return all(check(get(now)) for get, check in others) and (each is None or each(now))

    return is_unchanged


def _getter(value: Any, step: Step) -> Callable[[Any], Any]:
    if step.kind is StepKind.CAPTURED and isinstance(value, FunctionType):
        index = value.__code__.co_freevars.index(step.name)
        return lambda now: now.__closure__[index].cell_contents
    if step.kind is StepKind.SELF and isinstance(value, MethodType):
        return attrgetter("__self__")
    return lambda now: step_into(now, step)


def _check_of_each(value: Any, tree: HeldTree, check_of_value: Callable[[Any], PartCheck]) -> PartCheck:
    elements = elements_of(value)
    if elements is None:
        return lambda now: elements_of(now) is None
    checks = [_check(element, tree, check_of_value) for _, element in elements]
    cls, keys = type(value), tuple(value) if isinstance(value, dict) else None

    def is_unchanged(now: Any) -> bool:
        if type(now) is not cls or len(now) != len(checks) or (keys is not None and tuple(now) != keys):
            return False
        items = now if keys is None else now.values()
        return all(check(item) for check, item in zip(checks, items, strict=True))

    return is_unchanged
