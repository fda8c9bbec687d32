"""One project, checked again whenever its files change, on the disk or in an editor."""

import argparse
import contextlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from jaxtyped_static_cli.files import sources
from jaxtyped_static_cli.files.parsing import parsed_by_python
from jaxtyped_static_cli.files.python_files import is_of_library
from jaxtyped_static_cli.findings.causes import Finding, find_causes
from jaxtyped_static_cli.mypy_runs.following import Followed, NotFollowed
from jaxtyped_static_cli.mypy_runs.plugin import SWITCHES
from jaxtyped_static_cli.mypy_runs.preparation import Prepared, prepare
from jaxtyped_static_cli.mypy_runs.runs import Checked, Outcome, Run
from jaxtyped_static_cli.mypy_runs.watched import Stamps, Watched
from jaxtyped_static_cli.project.interpreter import Interpreter, find_interpreter
from jaxtyped_static_cli.project.roots import Project, find_project
from jaxtyped_static_cli.terminal.problems import Problem

Contents = Mapping[Path, bytes]
_PAUSE: Final = 10.0  # seconds


class Answer(NamedTuple):
    """What a check says."""

    project: Project
    findings: tuple[Finding, ...] = ()  # also potential ones
    checked: tuple[Checked, ...] = ()
    contents: Contents = MappingProxyType({})  # of the files, as they were checked
    broken: Mapping[Path, str] = MappingProxyType({})  # files that were not checked, and why
    unseen: tuple[str, ...] = ()  # packages of which nothing is known
    shows_potential: bool = False  # the settings ask for it
    python: Interpreter | None = None
    problem: str = ""  # why nothing could be checked


class _State(NamedTuple):
    """What the last check from the beginning rests on, and what was found since."""

    prepared: Prepared
    watched: Watched
    stamps: Stamps  # of the files on the disk, when they were last looked at
    opened: frozenset[Path]  # files that were in the editor then
    unsaved: frozenset[Path]  # those of them that are not on the disk
    contents: Contents  # of all files, also those that cannot be read
    unread: Mapping[Path, str]  # files that mypy could not read when it began, and why
    outcome: Outcome
    followed: Followed | None  # None if every change needs a check from the beginning
    answer: Answer


class Session:
    """The state of one project. `tell` gets each answer; a check from the beginning gives the first before the last."""

    def __init__(self, root: Path, python: str | None, tell: Callable[[Answer], None]) -> None:
        self._root, self._python, self._tell = root, python, tell
        self._state: _State | None = None
        self._failed = 0.0  # when a problem kept it from checking anything

    def look(self, opened: Contents, *, is_asked: bool = True) -> None:
        """Checks what has changed. `opened`: the text of the files that are being edited.

        After a problem, it is tried again every few seconds, unless somebody asks.
        """
        if self._state is None and not is_asked and time.monotonic() - self._failed < _PAUSE:
            return
        try:
            self._tell(self._answer(opened))
        except (Problem, OSError) as problem:  # a file may vanish meanwhile
            self._state, self._failed = None, time.monotonic()
            self._tell(Answer(find_project([self._root]), problem=str(problem)))

    def warm(self, opened: Contents) -> bool:
        """Prepares for an edit of one of the open files; returns whether there was something to prepare."""
        followed = self._state.followed if self._state is not None else None
        return followed is not None and any(followed.warm(file) for file in opened)

    def _answer(self, opened: Contents) -> Answer:
        state = self._state
        if state is None:
            return self._begin(opened)
        stamps = state.watched.stamps()
        if not self._is_same_program(state, stamps, opened):
            return self._begin(opened)
        contents = _contents(state, stamps, opened)
        changed = {file: content for file, content in contents.items() if state.contents[file] != content}
        self._state = state._replace(stamps=stamps, opened=frozenset(opened), contents=contents)
        if not changed:
            return state.answer
        if state.followed is not None:
            with contextlib.suppress(NotFollowed):
                return self._follow(self._state, state.followed, changed)
        return self._begin(opened)

    def _is_same_program(self, state: _State, stamps: Stamps, opened: Contents) -> bool:
        """Whether there are the same files, settings and packages as at the last check from the beginning."""
        before = {path: stamp for path, stamp in state.stamps.items() if path not in state.contents}
        after = {path: stamp for path, stamp in stamps.items() if path not in state.contents}
        if before != after or not state.contents.keys() <= stamps.keys() | opened.keys():
            return False
        if _unsaved(opened, stamps, self._root) != state.unsaved:
            return False
        return find_interpreter(self._python, self._root) == state.prepared.python

    def _follow(self, state: _State, followed: Followed, changed: Contents) -> Answer:
        if any(parsed_by_python(changed[file]) is not None for file in changed.keys() & state.unread.keys()):
            raise NotFollowed  # mypy could not read it, and can now
        known = {file: content for file, content in changed.items() if file in followed.contents}
        sources.show({**followed.contents, **known})
        followed.update(known)
        sources.show(followed.contents)
        answer = _said(state, (followed.checked,), followed.contents, {**state.unread, **followed.broken})
        self._state = state._replace(answer=answer)
        return answer

    def _begin(self, opened: Contents) -> Answer:
        project = find_project([self._root])
        python = find_interpreter(self._python, project.root)
        prepared = prepare(project, python, argparse.Namespace(cache_dir=None, no_shared_cache=False))
        paths, found = prepared.files([])
        jax, keep = prepared.require_jax(), prepared.fill_cache()
        watched = Watched(project.root, tuple(paths), tuple(prepared.options.exclude), frozenset({jax}))
        unsaved = _unsaved(opened, watched.stamps(), project.root)
        contents = {file: opened[file] if file in opened else file.read_bytes() for file in (*found.files, *unsaved)}
        sources.show(contents)
        SWITCHES.strict = False
        edited = {file: opened[file] for file in contents if file in opened and _differs(file, opened[file])}
        outcome = Run(list(contents), project.root, prepared.options, contents=edited)()
        keep(checked.modules for checked in outcome.checked)
        watched = watched._replace(program=watched.program | (_own_modules(outcome) - contents.keys()))
        unread = {project.root / error.span.path: error.message for error in outcome.broken}
        opening, stamps = frozenset(opened), watched.stamps()
        empty = Answer(project)
        state = _State(prepared, watched, stamps, opening, unsaved, contents, unread, outcome, None, empty)
        answer = _said(state, tuple(outcome.checked), contents, unread)
        if len(outcome.checked) == 1:
            self._tell(answer)
            state = state._replace(followed=_followed(outcome.checked[0], prepared, contents))
        self._state = state._replace(answer=answer)
        return answer


def _contents(state: _State, stamps: Stamps, opened: Contents) -> dict[Path, bytes]:
    """The content of each file: the editor's, or the disk's, which is read if it may have changed."""
    found = {}
    for file, before in state.contents.items():
        is_known = file not in state.opened and state.stamps.get(file) == stamps.get(file)
        found[file] = opened[file] if file in opened else before if is_known else file.read_bytes()
    return found


def _said(state: _State, checked: tuple[Checked, ...], contents: Contents, broken: Mapping[Path, str]) -> Answer:
    prepared = state.prepared
    findings = sorted(find_causes(checked, prepared.project.root), key=lambda finding: finding.order)
    shown = tuple(one for one in findings if prepared.project.root / one.span.path not in broken)
    unseen, potential = tuple(sorted(state.outcome.unseen)), SWITCHES.shows_potential
    return Answer(prepared.project, shown, checked, contents, broken, unseen, potential, prepared.python)


def _followed(checked: Checked, prepared: Prepared, contents: Contents) -> Followed | None:
    try:
        return Followed(checked.named, prepared.project.root, prepared.options, contents)
    except NotFollowed:
        return None


def _unsaved(opened: Contents, stamps: Stamps, root: Path) -> frozenset[Path]:
    """The files of a project that are only in the editor."""
    return frozenset(file for file in opened if file not in stamps and file.is_relative_to(root) and not file.exists())


def _differs(file: Path, content: bytes) -> bool:
    try:
        return file.read_bytes() != content
    except OSError:
        return True


def _own_modules(outcome: Outcome) -> set[Path]:
    found = (path for checked in outcome.checked for path in checked.modules.values())
    return {Path(os.path.normpath(path)) for path in found if not is_of_library(str(path))}
