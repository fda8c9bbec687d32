"""static-hash: hashed by identity, or not at all: equal configurations recompile, or the call raises."""

from typing import Final

from mypy.nodes import CallExpr, TypeInfo

from ..classes.field_defaults import defaults_of
from ..classes.reasons import Reason
from ..flow.traced.given import is_array_given
from ..jit.application import JitCall
from ..knowledge.function_rows import Effect
from ..libraries import known_function, refuses_defaults_without_hash
from ..reporting.actions import Action, Alternative
from ..reporting.contract_rule import ContractRule
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.names import callee_name, dotted_name
from . import CODES

CODE: Final = CODES["static-hash"]

_BY_VALUE: Final = "define __eq__ and __hash__ by value, or make it a frozen dataclass that defines neither"

_MODULE: Final = Message(
    "The function itself is part of the key, and {function}(...) makes an Equinox module, which cannot be hashed, so "
    "every call raises",
    "compile it with {filtering}",
    kind="module-as-function",
)

_ASKS_FOR_HASH: Final = (3, 11)
_ARRAY_DEFAULT: Final = Message(
    'The default of "{field}" is an array, which has no hash: dataclasses refuse that, so the class statement raises',
    "write field(default_factory=lambda: ...)",
    kind="array-default",
)

_COMPARE_BY_VALUE: Final = Alternative("remove eq=False", Action.COMPARE_BY_VALUE)

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.NEITHER_EQ_NOR_HASH: Message(
            "{subject} is hashed by identity: it has neither __eq__ nor __hash__",
            "make it a frozen dataclass, or define both by value",
        ),
        Reason.EQ_SWITCHED_OFF: Message(
            "{subject} is hashed by identity: it is declared eq=False and no base defines __eq__ and __hash__",
            _COMPARE_BY_VALUE,
        ),
        Reason.EQ_WITHOUT_HASH: Message(
            "{subject} is not hashable: it defines __eq__ without __hash__", "define __hash__ over what __eq__ compares"
        ),
        Reason.HASH_WITHOUT_EQ: Message(
            "{subject} is compared by identity: it defines __hash__ without __eq__",
            "define an __eq__ that compares the attributes",
        ),
        Reason.HASH_IS_NONE: Message("{subject} is not hashable: its __hash__ is None", _BY_VALUE),
        Reason.NOT_HASHABLE: Message("{subject} is not hashable", "pass what it holds as a tuple"),
        Reason.IDENTITY_EQ: Message(
            "{subject} is compared by identity: its __eq__ is true for no other object", _BY_VALUE
        ),
        Reason.EQ_NOT_BOOL: Message(
            "{subject}.__eq__ does not return bool", "make it return a single bool for the whole object"
        ),
    },
    where_compared={
        Reason.NEITHER_EQ_NOR_HASH: Message(
            "{subject} is compared by identity: it has no __eq__",
            "make it a frozen dataclass, or define an __eq__ that compares the attributes",
        ),
        Reason.EQ_SWITCHED_OFF: Message(
            "{subject} is compared by identity: it is declared eq=False and no base defines __eq__", _COMPARE_BY_VALUE
        ),
        Reason.EQ_WITHOUT_HASH: None,
        Reason.HASH_IS_NONE: None,
        Reason.NOT_HASHABLE: None,
    },
)


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports fields whose default is an array: `@dataclass` asks for its hash, which it does not have."""
    if file.options.python_version < _ASKS_FOR_HASH or not refuses_defaults_without_hash(info):
        return
    for default in defaults_of(info):
        if not default.is_factory and default.is_field and is_array_given(default.value, file):
            report(file, default.statement, _ARRAY_DEFAULT.fill(field=default.field), CODE)


def check_function(call: JitCall) -> bool:
    """Reports a compiled function that is an object without a hash; returns whether it is."""
    expression = call.expression
    if call.row.filters or not isinstance(expression, CallExpr):
        return False
    if Effect.MAKES_MODULE not in known_function(callee_name(expression)).effects:
        return False
    function = dotted_name(expression.callee) or "the call"
    filtering = f"{function.rpartition('.')[0] or 'eqx'}.filter_jit"
    report(call.file, expression, _MODULE.fill(function=function, filtering=filtering), CODE)
    return True
