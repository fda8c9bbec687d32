"""pydantic models: frozen by `ConfigDict(frozen=True)` or the class keyword, inherited by every subclass."""

from mypy.nodes import TypeInfo

from ..class_facts import Facts, facts_of
from ._library import Declaration, Library

_BASE = "pydantic.main.BaseModel"


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if info.fullname == _BASE or not any(base.fullname == _BASE for base in info.mro):
        return None
    return Declaration(
        frozen=_is_frozen(info), eq=True, eq_takes_all=True, freeze="give it model_config = ConfigDict(frozen=True)"
    )


def _is_frozen(info: TypeInfo) -> bool:
    """A configuration that cannot be read is given the benefit of the doubt, as is one in the style of pydantic 1."""
    for base in info.mro:
        facts = facts_of(base)
        for source in ("keywords", "config"):
            if "frozen" in facts.get(source, ()):
                return facts[source]["frozen"] is not False
        if "Config" in base.names and base.fullname != _BASE:
            return True
    return False


LIBRARY = Library(declare=_declare)
