"""What declares a class or a field in the end: a library's own function, through the program's helpers and settings.

A project has its own `@config`, which applies `dataclass` and `register_static`, and its own `static()`, which returns
`dataclasses.field(metadata={"static": True})`. Facts name the functions of the libraries.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypedDict

from mypy.nodes import CallExpr
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import expect_names, modules_of
from ..knowledge.full_names import DATACLASS, KNOWN_PACKAGES, REGISTER_DATACLASS, REGISTER_STATIC, STATIC_FIELD
from ..syntax.arguments import positional
from ..syntax.literals import Arguments, literal
from .functions.expanding import expansion
from .functions.scope import ANY

# Parameters that may be positional, without the class, by the name of the function.
_PARAMETERS: Final = {
    "field": ("pytree_node",),  # flax.struct's: those of other libraries take keywords only
    "register_dataclass": ("data_fields", "meta_fields", "drop_fields"),
    "register_pytree_node": ("flatten_func",),
    "register_pytree_with_keys": ("flatten_with_keys",),
}


class Declarators(NamedTuple):
    """Functions of which the settings say what they declare, by their full names."""

    pytree: frozenset[str] = frozenset()  # decorators that make a class a frozen dataclass and a pytree
    static: frozenset[str] = frozenset()  # decorators that make a class a frozen dataclass and a static class
    static_field: frozenset[str] = frozenset()  # functions that declare a static field


class HelperFacts(TypedDict, total=False):
    """Facts of the helpers that declare a class and its fields."""

    helpers: list[str]  # the modules in which they were looked for


@dataclass
class Helpers:
    """Follows the helpers that one class statement uses, and notes where they stand."""

    api: SemanticAnalyzerPluginInterface
    declarators: Declarators
    consulted: set[str] = field(default_factory=set)

    def facts(self) -> HelperFacts:
        return {"helpers": sorted(self.consulted)}

    def applied(self, name: str, arguments: Arguments, positional: tuple[Any, ...] = ()) -> list[list[Any]]:
        """`[full name, literal arguments]` of each function that is applied to a class, innermost first."""
        if name in self.declarators.pytree:
            return [[DATACLASS, {"frozen": True, **arguments}], [REGISTER_DATACLASS, {}]]
        if name in self.declarators.static:
            return [[DATACLASS, {"frozen": True, **arguments}], [REGISTER_STATIC, {}]]
        steps = self._steps(name, arguments, positional)
        return [
            [function, named_arguments(function, given) | _with_unread(keywords, "frozen")]
            for function, keywords, given in steps
        ]

    def field_call(self, name: str, options: Arguments, positional: tuple[Any, ...]) -> tuple[str, Arguments]:
        """The full name and options of the function that declares a field."""
        if name in self.declarators.static_field:
            return STATIC_FIELD, options
        steps = self._steps(name, options, positional)
        function, keywords, given = steps[0] if len(steps) == 1 else (name, options, positional)
        return function, named_arguments(function, given) | _with_unread(keywords, "static")

    def _steps(
        self, name: str, keywords: Arguments, positional: tuple[Any, ...]
    ) -> list[tuple[str, Arguments, tuple[Any, ...]]]:
        as_it_is = [(name, keywords, positional)]
        if "." not in name or name.partition(".")[0] in KNOWN_PACKAGES:
            return as_it_is
        found = expansion(name, keywords, modules_of(self.api), positional, self.consulted)
        if found is None:
            return as_it_is
        expect_names(self.api, (step.function for step in found.steps))
        return [(step.function, step.keywords, step.positional) for step in found.steps]


def positional_arguments(call: CallExpr, start: int) -> tuple[Any, ...]:
    """The literal positional arguments of a call, from this one on."""
    return tuple(literal(value) for value in positional(call)[start:])


def _with_unread(options: Arguments, option: str) -> Arguments:
    """The options, with the one that matters most as unknown if a helper computes some of them."""
    if ANY not in options:
        return options
    return {option: None} | {name: value for name, value in options.items() if name != ANY}


def named_arguments(function: str, positional: Iterable[Any]) -> Arguments:
    """The arguments of a function that registers a class, after the class, by the names of its parameters."""
    return dict(zip(_PARAMETERS.get(function.rpartition(".")[2], ()), positional, strict=False))
