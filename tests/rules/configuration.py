"""Combines the plugin configurations of many cases.

An entry that names a module of its case concerns that case only, because every case has unique names in the source
tree. An entry that names anything else concerns the cases that mention it. So the entries of many cases go into one
configuration, and only cases that differ in the rest run separately: each further configuration costs an analysis of
all of jax.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Iterator, Sequence

from tests.rules.cases import Program
from tests.rules.layout import tags, top_level

Numbered = tuple[int, Program]


def by_configuration(programs: Sequence[Numbered]) -> list[list[Numbered]]:
    """Groups the programs that can share a configuration."""
    groups: list[list[Numbered]] = []
    for number, program in programs:
        fitting = next((group for group in groups if _fits(program, [other for _, other in group])), None)
        if fitting is None:
            groups.append([(number, program)])
        else:
            fitting.append((number, program))
    return groups


def group_config(programs: Sequence[Numbered]) -> str:
    """Returns the configuration of compatible cases, as TOML."""
    together: dict[str, list[str]] = {}
    for number, program in programs:
        for key, entry in _entries(program):
            names = _spellings(entry, number, program) if _is_own(entry, program) else [entry]
            together[key] = [*together.get(key, []), *names]
    lists = {key: list(dict.fromkeys(entries)) for key, entries in together.items()}
    return _toml({**(_switches(programs[0][1]) if programs else {}), **lists})


def switches_of(program: Program) -> set[str]:
    """Returns the settings that need a separate configuration, however names are shared."""
    return set(_switches(program))


def _fits(program: Program, group: Sequence[Program]) -> bool:
    """Returns whether neither case's settings could change the reports about the other."""
    if _switches(program) != _switches(group[0]):
        return False
    own, theirs = _foreign(program), {entry for other in group for entry in _foreign(other)}
    is_met = any(_mentions(other, name) for _, name in own - theirs for other in group)
    return not is_met and not any(_mentions(program, name) for _, name in theirs - own)


def _switches(program: Program) -> dict[str, object]:
    return {key: value for key, value in _read(program.config).items() if not isinstance(value, list)}


def _foreign(program: Program) -> set[tuple[str, str]]:
    return {(key, entry) for key, entry in _entries(program) if not _is_own(entry, program)}


def _entries(program: Program) -> Iterator[tuple[str, str]]:
    for key, value in _read(program.config).items():
        if isinstance(value, list):
            yield from ((key, entry) for entry in value)


@functools.cache
def _read(config: str) -> dict[str, object]:
    return tomllib.loads(config)


def _is_own(entry: str, program: Program) -> bool:
    return entry.partition(".")[0] in {top_level(path) for path in program.states[-1]}


def _mentions(program: Program, entry: str) -> bool:
    """Returns whether the program has the words with which it could reach what the entry names."""
    words = {entry.partition(".")[0], entry.rpartition(".")[2]}
    texts = [module.text for state in program.states for module in state.values()]
    return all(any(re.search(rf"\b{re.escape(word)}\b", text) for text in texts) for word in words)


def _spellings(entry: str, number: int, program: Program) -> Iterator[str]:
    head, dot, rest = entry.partition(".")
    return (f"{head}{tag}{dot}{rest}" for tag in tags(number, program))


def _toml(values: dict[str, object]) -> str:
    """Booleans, numbers, strings and lists of them are written in TOML as in JSON."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in sorted(values.items()))
