"""What the patterns of a `match` statement compare and bind."""

from collections.abc import Iterator

from mypy.nodes import NameExpr, SymbolNode
from mypy.patterns import (
    AsPattern,
    ClassPattern,
    MappingPattern,
    OrPattern,
    Pattern,
    SequencePattern,
    StarredPattern,
    ValuePattern,
)


def compares(pattern: Pattern) -> bool:
    """Whether the subject itself is compared with a value."""
    if isinstance(pattern, OrPattern):
        return any(compares(part) for part in pattern.patterns)
    return isinstance(pattern, ValuePattern)


def is_irrefutable(pattern: Pattern) -> bool:
    """Whether a pattern always matches: `case _` or `case name`."""
    return isinstance(pattern, AsPattern) and pattern.pattern is None


def captured(pattern: Pattern) -> Iterator[SymbolNode]:
    """The variables that a pattern binds."""
    for name in _names(pattern):
        if isinstance(name, NameExpr) and isinstance(name.node, SymbolNode):
            yield name.node
    for part in _parts(pattern):
        yield from captured(part)


def _names(pattern: Pattern) -> tuple[NameExpr | None, ...]:
    if isinstance(pattern, AsPattern):
        return (pattern.name,)
    if isinstance(pattern, StarredPattern):
        return (pattern.capture,)
    return (pattern.rest,) if isinstance(pattern, MappingPattern) else ()


def _parts(pattern: Pattern) -> list[Pattern]:
    if isinstance(pattern, AsPattern):
        return [pattern.pattern] if pattern.pattern is not None else []
    if isinstance(pattern, (OrPattern, SequencePattern)):
        return list(pattern.patterns)
    if isinstance(pattern, MappingPattern):
        return list(pattern.values)
    return [*pattern.positionals, *pattern.keyword_values] if isinstance(pattern, ClassPattern) else []
