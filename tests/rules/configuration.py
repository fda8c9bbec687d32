"""One plugin configuration for many cases.

An entry that names a module of its own case concerns that case only, since every case has names of its own in the
source tree. So such entries of all cases go into one configuration, and only cases that differ in the rest are run
apart: each further configuration costs an analysis of all of jax.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence

from tests.rules.cases import Program
from tests.rules.layout import tags, top_level


def shared_config(program: Program) -> str:
    """What the case's configuration says about more than its own modules, as TOML."""
    shared = {}
    for key, value in tomllib.loads(program.config).items():
        entries = [entry for entry in value if not _is_own(entry, program)] if isinstance(value, list) else value
        # A list that is empty from the start says something; one that had only own entries does not.
        if entries or not value:
            shared[key] = entries
    return _toml(shared)


def group_config(programs: Sequence[tuple[int, Program]]) -> str:
    """The configuration of cases that agree in the shared part, as TOML."""
    together = tomllib.loads(shared_config(programs[0][1])) if programs else {}
    for number, program in programs:
        for key, value in tomllib.loads(program.config).items():
            own = [entry for entry in value if _is_own(entry, program)] if isinstance(value, list) else []
            renamed = [name for entry in own for name in _spellings(entry, number, program)]
            if renamed:
                together[key] = together.get(key, []) + renamed
    return _toml(together)


def _is_own(entry: object, program: Program) -> bool:
    return isinstance(entry, str) and entry.partition(".")[0] in {top_level(path) for path in program.states[-1]}


def _spellings(entry: str, number: int, program: Program) -> Iterator[str]:
    head, dot, rest = entry.partition(".")
    return (f"{head}{tag}{dot}{rest}" for tag in tags(number, program))


def _toml(values: dict[str, object]) -> str:
    """Booleans, numbers, strings and lists of them are written in TOML as in JSON."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in sorted(values.items()))
