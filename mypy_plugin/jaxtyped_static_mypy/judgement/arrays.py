"""Chooses the faults to report of classes that hold arrays."""

from collections.abc import Iterator

from ..classes.reasons import HOLDS_ARRAYS, Fault, Reason
from .class_walk import HeldClass, Item


def reporting_arrays(instead: tuple[Fault, ...], items: Iterator[Item]) -> Iterator[Item]:
    """Replaces faults that say that a field holds arrays."""
    for item in items:
        if isinstance(item, HeldClass):
            yield item._replace(arrays=instead)
        elif item.reason in HOLDS_ARRAYS:
            yield from instead
        else:
            yield item


def parts_of_identity(items: Iterator[Item]) -> Iterator[Item]:
    """What is wrong with the parts of an object that is hashed and compared by identity."""
    for item in items:
        yield item._replace(is_in_identity=True) if isinstance(item, HeldClass) else item.in_identity()


def without_secondary(faults: tuple[Fault, ...], *, is_argument: bool) -> Iterator[Fault]:
    """Leaves out other faults of a pytree that holds arrays: passing it as a dynamic argument settles them, too."""
    trees = [fault.path for fault in faults if fault.reason is Reason.PYTREE_DATA]
    for fault in faults:
        is_of_argument = is_argument and not fault.path and fault.reason is Reason.CLASS_NOT_COMPARED
        in_tree = any(fault.path[: len(path)] == path for path in trees) and fault.reason is not Reason.PYTREE_DATA
        if not is_of_argument and not in_tree:
            yield fault
