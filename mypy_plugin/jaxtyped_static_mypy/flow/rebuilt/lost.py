"""What a rebuilt object has lost: arguments of its constructor with a default, and attributes that nothing sets."""

from collections.abc import Iterator

from mypy.nodes import StrExpr, TypeInfo, Var

from ...classes import class_model
from ...classes.self_uses import making_methods, uses_by_method
from ...facts.class_facts import facts_of
from ...facts.set_facts import CALLED, CALLED_ABOVE
from ...knowledge import naming
from ...knowledge.full_names import FLATTEN_METHODS, UNFLATTEN_METHOD
from ...syntax.trees import nodes_below
from .constructor import attributes_of, bind, parameters_of
from .expressions import Made
from .faults import Fault, Found
from .registered import Registered
from .statements import Run
from .values import New


def lost(registered: Registered, done: Run) -> Iterator[Found]:
    """What methods of the class read, and a rebuilt object has not, or not any more."""
    returned = done.returned[0] if len(done.returned) == 1 else None
    new = returned.value if returned is not None and returned.is_certain else None
    if returned is None or not isinstance(new, New) or new.info is not registered.info or not new.is_seen:
        return
    made = next((made for made in done.made if made.call is new.call), None)
    if made is not None:
        for attribute in _left_out(made, new):
            values = {"cls": new.info.name, "attribute": attribute}
            yield Found(Fault.LOST, made.call, values)
            return
    elif new.call is None and (missing := _not_set(registered, new)) is not None:
        yield Found(Fault.NOT_SET, returned.node, {"cls": new.info.name, "attribute": missing})


def _left_out(made: Made, new: New) -> Iterator[str]:
    """Attributes that methods read, and that only have the default of the constructor's parameter."""
    parameters = parameters_of(made.info)
    bound = bind(made, parameters) if parameters is not None else None
    if parameters is None or bound is None or bound.problem or not bound.is_whole:
        return
    attributes, read = attributes_of(made.info), _read(made.info)
    optional = [one.name or "" for one in parameters if one.kind.is_optional() and one.name not in bound.given]
    names = (attributes[parameter] for parameter in optional if parameter in attributes)
    yield from (name for name in names if name in read and name not in new.attributes and not _fills(made.info, name))


def _read(info: TypeInfo) -> frozenset[str]:
    """The attributes that methods read, once an object is made, and that are not only shown or compared."""
    uses = uses_by_method(info)
    making = making_methods(uses, info) | {*FLATTEN_METHODS, UNFLATTEN_METHOD}
    names = (name for name in uses if name not in making and (not name.startswith("__") or name == "__call__"))
    return frozenset[str]().union(*(uses[name].read for name in names))


def _fills(info: TypeInfo, name: str) -> bool:
    """Whether an attribute may be a cache: it is private, or methods assign it."""
    assigned = (use.assigned for method, use in uses_by_method(info).items() if method != "__init__")
    return naming.is_private(name) or any(name in names for names in assigned)


def _not_set(registered: Registered, new: New) -> str | None:
    """An attribute that the constructor sets, methods read, and the function that rebuilds an object does not set."""
    if not class_model.is_readable(new.info) or any("__getattr__" in base.names for base in new.info.mro[:-1]):
        return None
    found = [name for name in _set_by_init(new.info) if name not in new.attributes and name in _read(new.info)]
    return next((name for name in found if not _fills(new.info, name) and not _is_asked_for(name, new)), None)


def _set_by_init(info: TypeInfo) -> list[str]:
    """The attributes that only `__init__` sets, not the class."""
    owner = info.get_containing_type_info("__init__")
    sets = facts_of(owner).get("sets", {}).get("__init__", []) if owner is not None else []
    names = [name for name in sets if not name.startswith((CALLED, CALLED_ABOVE))]
    return [name for name in names if _is_of_objects(info, name)]


def _is_of_objects(info: TypeInfo, name: str) -> bool:
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    return isinstance(node, Var) and not node.has_explicit_value and not node.is_classvar


def _is_asked_for(name: str, new: New) -> bool:
    """Whether the class asks whether there is such an attribute, as `hasattr(self, "x")` does."""
    return any(isinstance(node, StrExpr) and node.value == name for node in nodes_below(new.info.defn))
