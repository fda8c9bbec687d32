"""static-dynamic: something traced sits inside something static: arrays are neither hashable nor comparable."""

from typing import Final

from mypy.types import Instance, NoneType, Type, UnionType, flatten_nested_unions, get_proper_type

from ..classes.array_holders import holds_arrays, is_array_like
from ..classes.reasons import Reason
from ..jit.application import Application
from ..jit.sites import GivenList, parameters_listed
from ..jit.written_lists import render_list
from ..knowledge.type_rows import Trait
from ..libraries import types_with
from ..markers.marker import without_marker
from ..reporting.actions import LEAVE_OUT_ARRAY, UNMARK, Action, Alternative
from ..reporting.contract_rule import ContractRule
from ..reporting.messages import Message
from ..syntax.trees import self_parameter
from . import CODES

CODE: Final = CODES["static-dynamic"]

_BUILT_IN: Final = (
    "{subject} is an array: its values become constants of what JAX compiles, and a change goes unnoticed"
)
_REFUSED: Final = ": once that is traced, JAX refuses it here"
_ADVICE_ARRAY: Final = "pass it as a dynamic argument, or store a tuple of numbers"
_ADVICE_COMPARED_ARRAY: Final = "make it a data field, or store a tuple of numbers"

CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.ARRAY: Message("{subject} is an array, which cannot be hashed", _ADVICE_ARRAY),
        Reason.ARRAY_BUILT_IN: Message(_BUILT_IN, _ADVICE_ARRAY),
        Reason.DYNAMIC_MARKER: Message(
            "{subject} is marked dynamic", "pass it as a dynamic argument, or remove the marker"
        ),
        Reason.PYTREE_DATA: Message(
            '{subject} is a pytree with the data field "{detail}"', "pass it as a dynamic argument"
        ),
    },
    where_compared={
        Reason.ARRAY: Message(
            "{subject} is an array, so JAX cannot compare it: == on arrays returns an array", _ADVICE_COMPARED_ARRAY
        ),
        Reason.ARRAY_BUILT_IN: Message(_BUILT_IN, _ADVICE_COMPARED_ARRAY),
        Reason.DYNAMIC_MARKER: Message("{subject} is marked dynamic", "make it a data field, or remove the marker"),
        Reason.PYTREE_DATA: Message(
            '{subject} is a pytree with the data field "{detail}"', "make the whole field a data field"
        ),
    },
    where_concrete={
        Reason.ARRAY: Message(f"{{subject}} is an array{_REFUSED}", _ADVICE_ARRAY),
        Reason.DYNAMIC_MARKER: Message(f"{{subject}} is marked dynamic{_REFUSED}", _ADVICE_ARRAY),
        Reason.PYTREE_DATA: Message(
            f'{{subject}} is a pytree with the data field "{{detail}}"{_REFUSED}', _ADVICE_ARRAY
        ),
    },
    advises_undo=True,
)

MAKE_DATA_FIELD: Final = Alternative("make it a data field")
MAKE_MODULE: Final = Alternative('make "{cls}" an eqx.Module, so that its arrays are traced')
_TAKE_OFF: Final = Alternative("take it off {lists}, so that it is traced", Action.TAKE_OFF)
_COUNT_RECEIVER: Final = Alternative('{option} counts "{receiver}", so write {lists}', Action.COUNT_RECEIVER)
_PASS_NUMBER: Final = Alternative("pass a number, made with {number}(...) before the call")
_MAKE_DYNAMIC: Final = Alternative('make "{name}" dynamic')
_NUMBERS: Final = types_with(Trait.NUMBER)


def number_instead(name: str, declared: Type | None) -> tuple[Alternative, ...]:
    """Advice for an array that a parameter gets which is declared as a number; none for any other parameter."""
    if declared is None:
        return ()
    proper = get_proper_type(without_marker(declared))
    items = flatten_nested_unions(proper.items) if isinstance(proper, UnionType) else [proper]
    classes = [item.type for item in map(get_proper_type, items) if isinstance(item, Instance)]
    number = next((info for info in classes if info.fullname in _NUMBERS), None)
    return (_PASS_NUMBER.knowing(number=number.name), _MAKE_DYNAMIC.knowing(name=name)) if number is not None else ()


def traced_instead(application: Application, index: int) -> tuple[Alternative, ...]:
    """Advice to trace a parameter that is static; if it may be something else than an array, that may be meant."""
    advice = _advice(application, index)
    return (LEAVE_OUT_ARRAY, advice) if _may_be_no_array(application.signature.arg_types[index]) else (advice,)


def _may_be_no_array(typ: Type) -> bool:
    declared = get_proper_type(without_marker(typ))
    items = flatten_nested_unions(declared.items) if isinstance(declared, UnionType) else []
    others = [item for item in map(get_proper_type, items) if not isinstance(item, NoneType)]
    return any(not (isinstance(item, Instance) and is_array_like(item.type)) for item in others)


def _advice(application: Application, index: int) -> Alternative:
    site, signature = application.call.site, application.signature
    lists = [given for given in site.static if index in parameters_listed([given], signature)]
    if not lists:
        return UNMARK
    if len(lists) == 1 and (miscounted := _miscounted(application, lists[0])) is not None:
        return miscounted
    return _TAKE_OFF.knowing(lists=" and ".join(given.option for given in lists))


def _miscounted(application: Application, given: GivenList) -> Alternative | None:
    """Advice to count `self`, if the parameters after those listed were meant."""
    receiver = self_parameter(application.call.function) if application.call.function is not None else None
    if receiver is None or not given.known or not all(isinstance(item, int) and item > 0 for item in given.items):
        return None
    meant = [int(item) + 1 for item in given.items]
    signature = application.signature
    if any(number >= len(signature.arg_types) or holds_arrays(signature.arg_types[number]) for number in meant):
        return None
    lists = render_list(given.option, meant)
    return _COUNT_RECEIVER.knowing(option=given.option, receiver=receiver.name, lists=lists or "")
