"""What to do about a mutable argument: one that holds arrays has to be traced, whatever else it could be made of."""

from typing import Final

from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type

from ..classes.reasons import FREEZABLE, Reason
from ..flow.held_items import Held, held_by
from ..libraries import KEY_TYPES
from ..source.checked_file import CheckedFile
from .actions import USE_INSTEAD, Action, Alternative
from .messages import Advice
from .one_cause import ADVICE_TREE, Broken
from .positions import STATIC_ARGUMENT, Position

_MAX_DEPTH: Final = 5  # of types that hold themselves
_TAKE_OFF_IF: Final = Alternative("take it off {lists} if it holds arrays")
_ADVICE_APART: Final = "pass the arrays in it as a separate dynamic argument"


def advice_by_parts(broken: Broken, position: Position, file: CheckedFile) -> Advice | None:
    """Advice for a mutable argument of which the function, or a call in its file, shows what it holds."""
    fault, function = broken.fault, position.function
    if function is None or fault.path or position.label != STATIC_ARGUMENT:
        return None
    if fault.reason in FREEZABLE:
        return ADVICE_TREE if held_by(function, position.name, file) is Held.ARRAYS else None
    if fault.reason is not Reason.MUTABLE_TYPE or not _may_hold_anything(position.type):
        return None
    held, undo = held_by(function, position.name, file), _undo(position)
    if held is Held.BOTH:
        return _ADVICE_APART
    if held is Held.ARRAYS:
        return undo
    if held is Held.UNKNOWN and undo is not None and undo.action is Action.TAKE_OFF:
        return Alternative(_TAKE_OFF_IF.text, known=undo.known), USE_INSTEAD
    return None


def _undo(position: Position) -> Alternative | None:
    """How to trace it; None if that may not be meant."""
    undo = position.undo[-1] if position.undo else None
    return undo if undo is not None and undo.action in (Action.TAKE_OFF, Action.UNMARK) else None


def _may_hold_anything(typ: Type, depth: int = _MAX_DEPTH) -> bool:
    """Whether the type of a container leaves open what it holds."""
    proper = get_proper_type(typ)
    if depth and isinstance(proper, UnionType):
        return any(_may_hold_anything(item, depth - 1) for item in proper.items)
    if not depth or not isinstance(proper, Instance) or proper.type.fullname not in KEY_TYPES or not proper.args:
        return False
    values = get_proper_type(proper.args[-1])
    return isinstance(values, AnyType) or _may_hold_anything(values, depth - 1)
