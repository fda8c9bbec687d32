"""How to copy an object with some fields changed, as frozen and traced ones have to be."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from ..libraries import COLLECTED, COPYING_BASES, TREE_EDITORS
from . import class_model
from .constructors import parameter_names


def changed_copy(name: str, info: TypeInfo | None) -> str:
    """The call to write. `info`: the class of the object, if known."""
    function = _copying_function(info) if info is not None else None
    if info is None or function is None:
        return f'a changed copy of "{name}"'
    if _constructor_takes_fields(info):
        return f"{function}({name}, ...)"
    editor = next((TREE_EDITORS[base.fullname] for base in info.mro if base.fullname in TREE_EDITORS), None)
    return f"{editor}(where, {name}, ...)" if editor is not None else f'a changed copy of "{name}"'


def _constructor_takes_fields(info: TypeInfo) -> bool:
    """Copying functions pass every field to the constructor, by name; one that is written by hand may take others."""
    init = info.get("__init__")
    if init is None or init.plugin_generated:
        return True
    return {field.name for field in class_model.fields(info)}.issubset(parameter_names(info))


def _copying_function(info: TypeInfo) -> str | None:
    """mypy sees a pydantic model as a dataclass; it sees none in the classes of chex, which has no types."""
    if any(base.fullname in COPYING_BASES for base in info.mro):
        return None
    for collected in COLLECTED:
        if collected.copied_by and collected.key in info.metadata:
            return collected.copied_by
    names = (name for base in info.mro for name, _ in facts_of(base).get("decorators", ()))
    return "dataclasses.replace" if any(name.endswith("dataclass") for name in names) else None
