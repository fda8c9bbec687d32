"""static-unverified: nothing proves that the value keeps the contract. Reported in strict mode only."""

from typing import Final

from mypy.nodes import CallExpr, Expression

from ..classes.reasons import Reason
from ..jit.application import JitCall
from ..reporting.contract_rule import ContractRule
from ..reporting.errors import report
from ..reporting.messages import Message
from ..syntax.names import dotted_name
from . import CODES

CODE: Final = CODES["static-unverified"]

_ANNOTATE: Final = "annotate it with a concrete frozen type"
_NAME_ONE: Final = f"{_ANNOTATE}, or vouch for the class in the setting static_types"

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.ANY: Message("its type is Any, so it is not checked", _ANNOTATE),
        Reason.UNANNOTATED: Message("it has no annotation, so it is not checked", _ANNOTATE),
        Reason.ABSTRACT: Message("{subject} does not say which class the value has", _NAME_ONE),
        Reason.FREE_TYPE_VARIABLE: Message("the type variable {subject} may be any type", "give it a frozen bound"),
        Reason.UNREAD_CLASS: Message("the checker cannot see how {subject} is declared", _NAME_ONE),
        Reason.UNFORESEEN: Message("the checker does not know {subject}", _NAME_ONE),
    },
    strict_only=True,
)

_HIDDEN: Final = Message(
    'The checker cannot see what "{decorator}" does with "{function}", so it does not check what jit compiles',
    "if it passes all calls on, annotate it as F -> F, with a type variable F",
    kind="hidden-by-decorator",
)


def check_hidden(call: JitCall, decorator: Expression) -> None:
    """Reports a decorator below jit that cannot be read."""
    if call.file.settings.strict and call.function is not None:
        name = dotted_name(decorator.callee if isinstance(decorator, CallExpr) else decorator)
        message = _HIDDEN.fill(decorator=name or "the decorator", function=call.function.name)
        report(call.file, decorator, message, CODE)
