"""A rule about the static contract, and what it says of a fault."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context

from ..classes.array_holders import consists_of_arrays
from ..classes.reasons import Fault, Reason
from .messages import Advice, Message, Statement
from .positions import NO_ARRAY, Position


class ContractRule(NamedTuple):
    """A rule about the static contract: its error code, and a message for each reason that belongs to it."""

    code: ErrorCode
    messages: Mapping[Reason, Message]
    # Where JAX compares values and never hashes them: other messages; None for what is no fault there.
    where_compared: Mapping[Reason, Message | None] = MappingProxyType({})
    strict_only: bool = False
    # Where a static value is no part of a compilation key, and only must not be traced: its messages there.
    where_concrete: Mapping[Reason, Message] = MappingProxyType({})
    advises_undo: bool = False  # if the position's own type is at fault, advise making it non-static (`Position.undo`)
    # Where to report a fault if the file being checked declares the offending class; otherwise, at the position.
    own_context: Callable[[Fault], Context | None] | None = None

    def message(self, reason: Reason, position: Position) -> Message | None:
        """The message for a fault in this position; None if the rule does not report it."""
        if not position.is_key:
            return self.where_concrete.get(reason)
        message = self.messages.get(reason)
        return message if position.is_hashed else self.where_compared.get(reason, message)


def statement_of(position: Position, rule: ContractRule, fault: Fault, advice: Advice | None = None) -> Statement:
    """What is wrong, and what to do. `advice`: other than that of the rule."""
    message = _message(position, rule, fault)
    is_whole = position.label == NO_ARRAY or not fault.path or consists_of_arrays(position.type)
    if rule.advises_undo and position.undo and is_whole:
        message = message._replace(advice=position.undo)
    if advice is not None:
        message = message._replace(advice=advice)
    return message.fill(subject=fault.subject, detail=fault.detail, frozen_by=fault.frozen_by)


def _message(position: Position, rule: ContractRule, fault: Fault) -> Message:
    message = rule.message(fault.reason, position) or rule.messages[fault.reason]
    if not position.is_key:
        return message.named_by(fault.reason, table="concrete")
    is_compared = not position.is_hashed and rule.where_compared.get(fault.reason) is not None
    return message.named_by(fault.reason, table="compared" if is_compared else "")
