"""Puts many programs into one source tree under unique names: a mode costs a few mypy runs, not one per case.

A module `inner.py` of a program becomes `inner__c0012t.py`. Programs do not import each other, and mypy works module by
module, so an edit of one program does not force another to be rechecked.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tests.rules.cases import Module, Program, State
from tests.rules.parsing import parse
from tests.rules.split import split

_TAG = re.compile(r"__c(\d{4})[0-9ta]")
_TIMELINE, _APART = "t", "a"
# A module with every attribute: importing from it gives Any and no error.
_ANYTHING = Module("from typing import Any\ndef __getattr__(name: str) -> Any: ...\n", (), "")
_MINIMUM_VISITS = 2  # a daemon that starts from the cache of the first
_AT_A_TIME = 400  # programs


@dataclass(frozen=True)
class Placement:
    """One program in one state, under one tag; touched: with a comment at the end of the file that uses the others."""

    number: int
    program: Program
    state: int
    tag: str
    touched: bool = False

    @functools.cached_property
    def files(self) -> dict[str, str]:
        """The path in the source tree → text."""
        state = history(self.program)[self.state]
        imported = _imported(state)
        rename = re.compile(rf"\b({'|'.join(map(re.escape, sorted(imported)))})\b") if imported else None
        return {_tagged(path, self.tag): self._text(path, module, rename) for path, module in state.items()}

    def _text(self, path: str, module: Module, rename: re.Pattern[str] | None) -> str:
        text = rename.sub(rf"\g<1>{self.tag}", module.text) if rename else module.text
        return f"{text}# touched\n" if self.touched and path == self.program.entry else text


Visit = Sequence[Placement]


def history(program: Program) -> tuple[State, ...]:
    """Returns the states a program goes through.

    A program without steps starts clean: its entry file exists, and every module it imports answers Any. A program of
    one file starts empty.
    """
    if len(program.states) > 1:
        return program.states
    (state,) = program.states
    if len(state) == 1:
        return ({name: Module("", (), module.place) for name, module in state.items()}, state)
    return ({name: module if name == program.entry else _ANYTHING for name, module in state.items()}, state)


def side_by_side(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    """Returns one visit to every state of every program at once."""
    return [list(_all_states(programs, touched=False))]


def side_by_side_touched(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    return [list(_all_states(programs, touched=True))]


def back_and_forth(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    """Returns visits in which every program goes through its states, then stays as it is, and then goes.

    In its last state, mypy must repeat its reports, once: a daemon checks all functions with errors again each time.
    """
    walks = {number: _walk(program) for number, program in programs}
    return _along(walks, programs, max([len(walk) for walk in walks.values()] + [_MINIMUM_VISITS]))


def back_and_forth_served(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    """Returns the same visits for a daemon, which would check again what goes, if it went while others change."""
    return list(_leaving_alone(back_and_forth(programs)))


def in_turns(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    """Returns visits in which all programs are in their first state, and then some at a time go through the others.

    For each file that changes, a daemon looks at all files that it has. Those with the longest ways go together.
    """
    walks = {number: _walk(program) for number, program in programs}
    by_length = sorted(programs, key=lambda one: len(walks[one[0]]))
    parts = [by_length[start : start + _AT_A_TIME] for start in range(0, len(by_length), _AT_A_TIME)]
    waiting = [_on_its_walk(number, program, walks[number], 0) for number, program in by_length]
    visits = [waiting]
    for part in parts:
        waiting = waiting[len(part) :]
        _, *turn = _along(walks, part, max(len(walks[number]) for number, _ in part) + 1)
        visits += [[*visit, *waiting] for visit in turn]
    return list(_leaving_alone([*visits, []]))


def _along(
    walks: Mapping[int, Sequence[tuple[int, bool]]], programs: Sequence[tuple[int, Program]], visits: int
) -> list[Visit]:
    return [
        [_on_its_walk(n, p, walks[n], visit) for n, p in programs if visit <= len(walks[n])] for visit in range(visits)
    ]


def _leaving_alone(visits: Iterable[Visit]) -> Iterator[Visit]:
    """Adds visits in which nothing happens but that programs go."""
    before: Visit = ()
    for visit in visits:
        there = {placement.number for placement in visit}
        staying = [placement for placement in before if placement.number in there]
        if len(staying) < len(before):
            yield staying
        if visit:
            yield visit
        before = visit


def apart(programs: Sequence[tuple[int, Program]]) -> list[Visit]:
    """Returns visits to programs with their classes in a separate module.

    There are two visits. The second touches the first file, so that the classes come from the cache.
    """
    halves = [(number, program) for number, whole in programs if (program := split(whole))]
    return [
        [
            Placement(number, program, len(history(program)) - 1, _tag(number, _APART), touched)
            for number, program in halves
        ]
        for touched in (False, True)
    ]


def _all_states(programs: Iterable[tuple[int, Program]], *, touched: bool) -> Iterator[Placement]:
    for number, program in programs:
        for state in range(len(history(program))):
            yield Placement(number, program, state, _tag(number, str(state)), touched)


def _walk(program: Program) -> list[tuple[int, bool]]:
    """Returns the state at each visit, and whether the file is touched.

    A program goes forth, back, and forth again through its states, because some faults show only the second time. A
    program whose only file is empty at first has no state to forget then; it is checked again after a touch.
    """
    states = len(history(program))
    if len(program.states) == len(program.states[0]) == 1:
        return [(0, False), (1, False), (1, True)]
    there_and_back = [*range(states), *range(states - 2, 0, -1)]
    return [(there_and_back[visit % len(there_and_back)], False) for visit in range(2 * states)]


def _on_its_walk(number: int, program: Program, walk: Sequence[tuple[int, bool]], visit: int) -> Placement:
    state, touched = walk[min(visit, len(walk) - 1)]
    return Placement(number, program, state, _tag(number, _TIMELINE), touched)


def source_trees(visits: Sequence[Visit]) -> list[dict[str, str]]:
    """Returns, for each visit, path → text of all its programs."""
    libraries = only_libraries(visits)
    return [dict(chain.from_iterable(placement.files.items() for placement in visit)) | libraries for visit in visits]


def only_libraries(visits: Iterable[Visit]) -> dict[str, str]:
    """Returns a module that imports what any state of any program imports, to keep it in the build.

    The daemon drops a library with its last importer, which costs minutes for jax.
    """
    programs = {placement.number: placement.program for visit in visits for placement in visit}
    states = [state for program in programs.values() for state in history(program)]
    lines = sorted({line for state in states for line in _libraries(state)})
    return {"libraries.py": "".join(f"{line}  # type: ignore\n" for line in lines)}


def owner(path: str) -> str | None:
    """Returns the tag in a path of the source tree."""
    match = _TAG.search(path)
    return match[0] if match else None


def number_of(tag: str) -> int:
    match = _TAG.fullmatch(tag)
    assert match is not None
    return int(match[1])


def without_tags(text: str) -> str:
    return _TAG.sub("", text)


def tags(number: int, program: Program) -> list[str]:
    """Returns every tag the program gets in any mode."""
    return [_tag(number, kind) for kind in [*map(str, range(len(history(program)))), _TIMELINE, _APART]]


def _tag(number: int, kind: str) -> str:
    return f"__c{number:04d}{kind}"


def top_level(path: str) -> str:
    """Returns the first name of the module in a file."""
    return path.partition("/")[0].removesuffix(".py")


def _tagged(path: str, tag: str) -> str:
    head, slash, rest = path.partition("/")
    return f"{head}{tag}/{rest}" if slash else f"{head.removesuffix('.py')}{tag}.py"


def _imported(state: State) -> set[str]:
    """Returns the program's own top-level modules that it imports by absolute name; its text renames only these."""
    own = {top_level(path) for path in state}
    return {_head(name) for name, _ in _imports(state)} & own


def _libraries(state: State) -> set[str]:
    """Returns statements that import the program's libraries: `from flax import nnx`, where `nnx` may be a module."""
    own = {top_level(path) for path in state}
    return {line for name, line in _imports(state) if _head(name) not in own}


def _imports(state: State) -> Iterator[tuple[str, str]]:
    """Yields each module imported by absolute name, and a statement for each name imported from it."""
    return chain.from_iterable(_imports_of(module.text) for module in state.values())


@functools.cache
def _imports_of(text: str) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Import):
            found += ((alias.name, f"import {alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += ((node.module, f"from {node.module} import {alias.name}") for alias in node.names)
    return tuple(found)


def _head(module: str) -> str:
    return module.partition(".")[0]
