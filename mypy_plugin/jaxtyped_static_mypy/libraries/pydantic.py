"""pydantic: `ConfigDict(frozen=True)` or the class keyword freezes a model and its subclasses.

Private attributes of a frozen model can still be assigned. The `config` of a pydantic dataclass may freeze it, too.
"""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts, facts_of
from ..syntax.literals import Arguments
from ._library import CollectedFields, Declaration, Library, decorator_arguments

_BASE = "pydantic.main.BaseModel"
_OWN = frozenset({_BASE, "pydantic.root_model.RootModel"})
_DATACLASS = frozenset({"pydantic.dataclasses.dataclass"})
_MODEL = Declaration(
    frozen=True,
    eq=True,
    eq_takes_all=True,
    hides_private=True,
    freeze="give {} model_config = ConfigDict(frozen=True)",
    takes_frozen=False,
    freezes_with_bases=False,
)


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    if (arguments := decorator_arguments(facts, _DATACLASS)) is not None:
        return _declare_dataclass(arguments)
    if info.fullname in _OWN or not any(base.fullname == _BASE for base in info.mro):
        return None
    if _is_frozen(info):
        return _MODEL
    # Fields that are frozen one by one leave the model without a hash.
    return _MODEL._replace(frozen=_fields_are_frozen(info), hashes=False)


def _declare_dataclass(arguments: Arguments) -> Declaration:
    config = arguments.get("config")
    by_config = isinstance(config, dict) and config.get("frozen") is True
    return Declaration(
        frozen=arguments.get("frozen") is True or by_config or ("config" in arguments and config is None),
        eq=arguments.get("eq") is not False,
        unsafe_hash=arguments.get("unsafe_hash") is True,
    )


def _is_frozen(info: TypeInfo) -> bool:
    """A configuration that cannot be read, or is in the style of pydantic 1, is taken for one that freezes."""
    for base in info.mro:
        facts = facts_of(base)
        for source in (facts.get("keywords", {}), facts.get("config", {})):
            if "frozen" in source:
                return source["frozen"] is not False
        if "Config" in base.names and base.fullname != _BASE:
            return True
    return False


def _fields_are_frozen(info: TypeInfo) -> bool:
    """Whether every field says `Field(frozen=True)`."""
    entries = info.metadata.get("dataclass", {}).get("attributes", ())
    names = [entry["name"] for entry in entries if not entry["name"].startswith("_")]
    options = [facts_of(base).get("fields", {}) for base in info.mro]
    given = [next((fields[name] for fields in options if name in fields), None) for name in names]
    return bool(names) and all(call is not None and call.get("frozen") is True for call in given)


LIBRARY = Library(
    declare=_declare,
    collected=CollectedFields("pydantic-mypy-metadata", "fields"),
    copying_bases=frozenset({_BASE}),
)
