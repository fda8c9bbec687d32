"""What a method stores in its object of what it is given, by itself and in the methods that it calls."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from ..facts.stored_facts import StoredByMethod


def stored_by(info: TypeInfo, method: str) -> StoredByMethod | None:
    """By the first class in the MRO that defines the method, if its source is the program's own."""
    owner = next((base for base in info.mro if method in base.names), None)
    return facts_of(owner).get("stored", {}).get(method) if owner is not None else None
