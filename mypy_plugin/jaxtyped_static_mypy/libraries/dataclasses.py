"""The standard library's dataclasses, and what `dataclass_transform` makes a dataclass to mypy."""

from mypy.nodes import TypeInfo

from ..compat.resolution import transform_of
from ..facts.class_facts import Facts
from ..syntax.literals import Arguments
from ._library import CollectedFields, Declaration, Library, decorator_arguments

DECORATORS = frozenset({"dataclasses.dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    known_to_mypy = info.metadata.get("dataclass")
    plain = decorator_arguments(facts, DECORATORS)
    if known_to_mypy is None and plain is None:
        return None
    arguments = _transform_arguments(facts) if plain is None else plain
    is_frozen_to_mypy = known_to_mypy is not None and bool(known_to_mypy["frozen"])
    eq = arguments.get("eq")
    return Declaration(
        frozen=is_frozen_to_mypy or arguments.get("frozen", False) is not False,  # a helper may freeze it
        eq=eq is not False and (plain is not None or eq is True or _eq_default(info, facts)),
        unsafe_hash=arguments.get("unsafe_hash") is True,
        freeze=_freeze(facts, is_plain=plain is not None),
        takes_frozen=plain is not None and DECORATORS.isdisjoint(facts.get("by_helper", ())),
        is_frozen_at_once=plain is not None,
    )


def _freeze(facts: Facts, *, is_plain: bool) -> str:
    if not DECORATORS.isdisjoint(facts.get("by_helper", ())):
        freeze = "let the decorator that declares {} apply dataclass(frozen=True)"
    else:
        freeze = "declare {} @dataclass(frozen=True)" if is_plain else "declare {} with frozen=True"
    return freeze


def _transform_arguments(facts: Facts) -> Arguments:
    """The arguments that `dataclass_transform` takes for those of `@dataclass`, wherever they are written."""
    merged: Arguments = dict(facts.get("keywords", ()))
    for _, arguments in facts.get("decorators", ()):
        merged.update(arguments)
    return merged


def _eq_default(info: TypeInfo, facts: Facts) -> bool:
    """What `dataclass_transform(eq_default=...)` says, of a decorator, a base class or a metaclass."""
    spec = transform_of(info)
    return not facts.get("eq_default_off") and (spec is None or spec.eq_default)


LIBRARY = Library(
    packages=("dataclasses.",),
    declare=_declare,
    makes_dataclasses=True,
    only_declares=True,
    collected=CollectedFields("dataclass", "attributes", ("line", "column"), copied_by="dataclasses.replace"),
)
