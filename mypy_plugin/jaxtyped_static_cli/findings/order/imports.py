"""Which modules of a program may have to do with each other, by what they import."""

from collections import defaultdict
from collections.abc import Iterable, Mapping


def connected(module: str, imports: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """A module with those that import it, directly or through others, and all that these import.

    `imports`: of each module, the names of modules and of what it takes from them. A script may leave out the folder
    that it is in.
    """
    ends = defaultdict[str, set[str]](set)
    for name in imports:
        parts = name.split(".")
        for first in range(len(parts)):
            ends[".".join(parts[first:])].add(name)
    imported = {name: _imported(found, ends) for name, found in imports.items()}
    importing = defaultdict[str, set[str]](set)
    for name, found in imported.items():
        for other in found:
            importing[other].add(name)
    return _reached(_reached({module}, importing), imported)


def _imported(names: Iterable[str], ends: Mapping[str, set[str]]) -> set[str]:
    candidates = {part for name in names for part in (name, name.rpartition(".")[0])}
    return {module for name in candidates for module in ends.get(name, ())}


def _reached(start: Iterable[str], leading: Mapping[str, set[str]]) -> frozenset[str]:
    found, pending = set(start), list(start)
    while pending:
        more = leading.get(pending.pop(), set()) - found
        found |= more
        pending += more
    return frozenset(found)
