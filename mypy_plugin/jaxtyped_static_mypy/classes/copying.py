"""How an object is copied with some fields changed, which is how a frozen or a traced one is changed."""

from typing import Final

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of

_PYDANTIC: Final = "pydantic.main.BaseModel"


def changed_copy(name: str, info: TypeInfo | None) -> str:
    """The call to write; `info`: the class of the object, as far as it is declared."""
    if info is not None and _is_dataclass(info):
        return f"dataclasses.replace({name}, ...)"
    if info is not None and "attrs" in info.metadata:
        return f"attrs.evolve({name}, ...)"
    return f'a changed copy of "{name}"'


def _is_dataclass(info: TypeInfo) -> bool:
    """mypy sees a pydantic model as one, too; and not those of chex, which has no types."""
    if any(base.fullname == _PYDANTIC for base in info.mro):
        return False
    names = (name for base in info.mro for name, _ in facts_of(base).get("decorators", ()))
    return "dataclass" in info.metadata or any(name.endswith("dataclass") for name in names)
