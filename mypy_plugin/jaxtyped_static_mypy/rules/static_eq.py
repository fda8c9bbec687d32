"""static-eq: equality is coarser than behaviour: two different configurations share one compilation, silently."""

from typing import Final

from mypy.nodes import TypeInfo

from ..classes import class_model
from ..classes.added_attributes import added_attributes, place_of
from ..classes.equality import fault_of_added
from ..classes.reasons import Reason
from ..compat.dependencies import record_dependency
from ..reporting.actions import Action, Alternative
from ..reporting.contract_rule import ContractRule
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES

CODE: Final = CODES["static-eq"]

_NOT_A_FIELD: Final = Message(
    "{subject} was set, but is not a field: values that differ in it alone are equal",
    "declare it as a field, {detail}, or make it a property",
    kind="not-a-field",
)

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.FIELD_NOT_COMPARED: Message(
            'values that differ in "{subject}" are equal: the field is not compared',
            (
                Alternative("remove compare=False (in attrs, eq=False)", Action.COMPARE_FIELD),
                "pass it as a separate argument",
            ),
        ),
        Reason.FIELD_AFTER_EQ: Message(
            'values that differ in "{subject}" are equal: the inherited {detail}.__eq__ leaves it out',
            "give the class an __eq__ and a __hash__ that include it, as @dataclass(frozen=True) does",
        ),
        Reason.ATTRIBUTE_NOT_COMPARED: Message(
            'values that differ in "{subject}" are equal: {detail}.__eq__ leaves it out', "compare it in __eq__"
        ),
        Reason.NOTHING_COMPARED: Message(
            "any two values of {subject} are equal: its __eq__ compares no attribute", "compare every attribute in it"
        ),
        Reason.NOT_A_FIELD: _NOT_A_FIELD,
        Reason.CLASS_NOT_COMPARED: Message(
            "{subject} is equal to objects of other classes: {detail}.__eq__ does not compare the class",
            "compare type(self) with type(other) in it",
        ),
    },
)


def check_class(info: TypeInfo, file: CheckedFile) -> None:
    """Reports what a `static_dataclass` keeps beside its fields, where it is set; on the `class` line for a base."""
    if not class_model.is_interned(info):
        return
    record_dependency(file.api, class_model.user_bases(info))
    above = {added for base in info.mro[1:] if class_model.is_interned(base) for added in added_attributes(base)}
    for added in added_attributes(info):
        if added in above:
            continue
        fault = fault_of_added(info, added)
        place = place_of(added) if added.owner is info else None
        message = _NOT_A_FIELD.fill(subject=fault.subject, detail=fault.detail)
        report(file, place or info.defn, message, CODE, declared=added.owner if place is None else None)
