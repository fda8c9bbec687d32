"""What goes wrong in a function that rebuilds a pytree from what the other one has returned."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from ...classes import class_model
from ...knowledge import naming
from .again import changed_fields
from .constructor import Bound, attributes_of, bind, parameters_of, swapped
from .expressions import Made
from .faults import Fault, Found, is_left_open, name_of, wrong_parameters
from .flattening import Flattened, flattened
from .lost import lost
from .registered import Function, Registered
from .shared import shared
from .statements import Run, run
from .values import Attribute, Class, Entries, Items, New, Nothing, Value

_GIVEN: Final = 2


def faults_of(registered: Registered) -> Iterator[Found]:
    """The faults of both functions; of the second one none, if the first raises for every object."""
    if class_model.is_abstract(registered.info):
        return
    pair = flattened(registered)
    yield from pair.faults
    function = registered.unflatten
    if function is None or is_left_open(function.node) or any(found.is_certain for found in pair.faults):
        return
    if (wrong := wrong_parameters(function, _GIVEN, "two, the auxiliary data and the children")) is not None:
        yield wrong
        return
    for found in _faults(registered, function, pair):
        yield found._replace(is_inherited=function.is_inherited)


def _faults(registered: Registered, function: Function, pair: Flattened) -> Iterator[Found]:
    names = [argument.variable.name for argument in function.node.arguments if argument.kind.is_positional()]
    own = names[function.bound :]
    if len(own) < _GIVEN:
        return
    bound: dict[str, Value] = {names[0]: Class(registered.info)} if function.bound else {}
    done = run(function.node, {**bound, own[0]: pair.auxiliary, own[1]: pair.children})
    if done.may_end and done.is_read and not done.returned:
        yield Found(Fault.NOT_REBUILT, function.node, {"function": name_of(function), "cls": registered.info.name})
        return
    first = next(chain(_of_items(done, name_of(function)), _of_objects(registered, done)), None)
    if first is None:
        yield from shared(registered, function, own[1], done)
        yield from lost(registered, done)
    elif naming.holds_children(own[0]) and not naming.holds_children(own[1]):
        fault = Fault.CHILDREN_FIRST_UNSEEN if first.fault is Fault.SWAPPED else Fault.CHILDREN_FIRST
        yield Found(fault, function.node, {"function": name_of(function), "first": own[0]})
    else:
        yield first


def _of_items(done: Run, function: str) -> Iterator[Found]:
    for unpacked in done.unpacked:
        values = {"function": function, "what": _counted(unpacked.value), "names": str(unpacked.names)}
        yield Found(Fault.UNPACKED, unpacked.node, values)
    for missing in done.missing:
        values = {"function": function, "what": _counted(missing.of), "key": missing.key}
        yield Found(Fault.NO_ITEM, missing.node, values)


def _counted(value: Value) -> str:
    if isinstance(value, Nothing):
        return "None"
    if isinstance(value, Entries):
        return f"a dict of {len(value.values)}"
    return f"a tuple of {len(value.values)}" if isinstance(value, Items) else ""


def _of_objects(registered: Registered, done: Run) -> Iterator[Found]:
    """The faults of the calls that make the object, and of the attributes that it is given."""
    for made in done.made:
        if made.info in registered.info.mro and (parameters := parameters_of(made.info)) is not None:
            yield from _of_call(made, bind(made, parameters), registered, done)
    for returned in done.returned:
        new = returned.value
        if isinstance(new, New) and (pair := swapped(new.attributes, {name: name for name in new.attributes})):
            yield Found(Fault.SWAPPED, returned.node, {"cls": new.info.name, "one": pair[0], "other": pair[1]})


def _of_call(made: Made, bound: Bound, registered: Registered, done: Run) -> Iterator[Found]:
    cls = made.info.name
    if bound.problem:
        yield Found(Fault.NOT_TAKEN, made.call, {"cls": cls, "problem": bound.problem})
    elif (pair := swapped(bound.given, attributes_of(made.info))) is not None:
        yield Found(Fault.SWAPPED, made.call, {"cls": cls, "one": pair[0], "other": pair[1]})
    elif made.info is registered.info and registered.maker is not None:
        set_later = {name for each in done.returned if isinstance(each.value, New) for name in each.value.attributes}
        given = {name: value.name for name, value in bound.given.items() if isinstance(value, Attribute)}
        yield from changed_fields(made.info, registered.maker, given, set_later)
