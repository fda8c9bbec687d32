"""jit-mutation: what is said of an assignment that a frozen class refuses."""

from typing import Final

from mypy.nodes import TypeInfo

from ..classes import class_model
from ..classes.copying import changed_copy
from ..facts.method_facts import MAKING
from ..reporting.messages import Message, Statement

_REFUSED: Final = Message(
    '"{written}" is a field of the frozen class "{cls}", so this assignment raises in {function}',
    "use {copy} instead",
    kind="refused",
)
_REFUSED_NEW: Final = Message(
    '"{written}" is set on an object of the frozen class "{cls}", so this assignment raises in {function}',
    "make it a field, and use {copy} instead",
    kind="refused-new",
)
_REFUSED_WHILE_MADE: Final = Message(
    '"{written}" is set on an object of the frozen class "{cls}" in {function}, so that making one raises',
    "declare it as a field, and make objects in a class method that passes what it is computed to be",
    kind="refused-while-made",
)


def refusal_of_method(written: str, owner: str, method: str, info: TypeInfo) -> Statement:
    """The same of a method of the class: one that makes an object cannot copy it instead."""
    if method in MAKING:
        return _REFUSED_WHILE_MADE.fill(written=written, cls=info.name, function=f'"{method}"')
    return refusal(written, owner, f'"{method}"', info)


def refusal(written: str, owner: str, function: str, info: TypeInfo) -> Statement:
    """What is said of an assignment to an object of a frozen class."""
    is_field = written.rpartition(".")[2] in class_model.frozen_fields(info)
    refused = _REFUSED if is_field else _REFUSED_NEW
    return refused.fill(written=written, cls=info.name, function=function, copy=changed_copy(owner, info))
