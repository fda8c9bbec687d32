"""attrs: `define`, `frozen`, `mutable`, `attr.s` and their aliases make dataclasses of a kind."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import Effect, KnownFunction
from ._library import CollectedFields, Declaration, Library, decorator_arguments

_FUNCTIONS = ("s", "attrs", "attrib", "dataclass", "define", "mutable", "frozen")
_DECORATORS = frozenset(f"{module}.{name}" for module in ("attr", "attrs", "attr._next_gen") for name in _FUNCTIONS)


def _declare(info: TypeInfo, facts: Facts) -> Declaration | None:
    """A class with `on_setattr` counts as frozen: it may refuse every assignment, as `attrs.setters.frozen` does."""
    known_to_mypy = info.metadata.get("attrs")
    arguments = decorator_arguments(facts, _DECORATORS)
    if known_to_mypy is None or arguments is None:
        return None
    return Declaration(
        frozen=bool(known_to_mypy["frozen"]) or "on_setattr" in arguments,
        eq=arguments.get("eq") is not False and arguments.get("cmp") is not False,
        unsafe_hash=arguments.get("unsafe_hash") is True or arguments.get("hash") is True,
        hashes=bool(known_to_mypy["frozen"]),
        freeze="declare {} @attrs.frozen",
        takes_frozen=False,
        freezes_with_bases=False,
    )


_EVOLVE = KnownFunction(effects=Effect.COPIES)

LIBRARY = Library(
    packages=("attr.", "attrs."),
    declare=_declare,
    only_declares=True,
    collected=CollectedFields(
        "attrs",
        "attributes",
        ("context_line", "context_column"),
        copied_by="attrs.evolve",
        strips_underscore=True,
    ),
    functions={"attr.evolve": _EVOLVE, "attrs.evolve": _EVOLVE},
)
