"""The standard library's dataclasses, and whatever mypy takes for one through `dataclass_transform`."""

from mypy.nodes import TypeInfo

from ..class_facts import Facts
from ._library import Declaration, Library, decorator_arguments

_DECORATORS = frozenset({"dataclasses.dataclass"})


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    known_to_mypy = info.metadata.get("dataclass")
    arguments = decorator_arguments(facts, _DECORATORS)
    if known_to_mypy is None and arguments is None:
        return None
    if arguments is None:
        arguments = _transform_arguments(facts)
    frozen = known_to_mypy["frozen"] if known_to_mypy is not None else arguments.get("frozen") is True
    return Declaration(
        frozen=frozen,
        eq=arguments.get("eq") is not False,
        unsafe_hash=arguments.get("unsafe_hash") is True,
        freeze="declare it @dataclass(frozen=True)"
        if "dataclasses.dataclass" in _names(facts)
        else "declare it frozen",
    )


def _transform_arguments(facts: Facts) -> Facts:
    """The arguments of the decorator or the class statement that `dataclass_transform` lets stand for `@dataclass`."""
    merged: Facts = dict(facts.get("keywords", ()))
    for _, arguments in facts.get("decorators", ()):
        merged.update(arguments)
    return merged


def _names(facts: Facts) -> set[str]:
    return {name for name, _ in facts.get("decorators", ())}


LIBRARY = Library(declare=_declare)
