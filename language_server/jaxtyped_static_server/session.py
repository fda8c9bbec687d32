"""One project, checked again whenever its files change, on the disk or in an editor."""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

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
    """What the last check from the beginning rests on."""

    prepared: Prepared
    watched: Watched
    stamps: Stamps
    unsaved: frozenset[Path]  # files that are not on the disk
    unread: Contents  # files that mypy could not read then
    outcome: Outcome
    followed: Followed | None  # None if every change needs a check from the beginning


class Session:
    """The state of one project. `tell` gets each answer; a check from the beginning gives the first before the last."""

    def __init__(self, root: Path, python: str | None, tell: Callable[[Answer], None]) -> None:
        self._root, self._python, self._tell = root, python, tell
        self._state: _State | None = None
        self._contents: dict[Path, bytes] = {}
        self._opened: frozenset[Path] = frozenset()

    def look(self, opened: Contents) -> Answer:
        """Checks what has changed. `opened`: the text of the files that are being edited."""
        answer = self._answer(opened)
        self._tell(answer)
        return answer

    def warm(self, opened: Contents) -> bool:
        """Prepares for an edit of one of the open files; returns whether there was something to prepare."""
        followed = self._state.followed if self._state is not None else None
        return followed is not None and any(followed.warm(file) for file in opened)

    def _answer(self, opened: Contents) -> Answer:
        try:
            if self._state is not None and self._state.followed is not None and self._is_same_program(opened):
                try:
                    return self._follow(self._state, self._state.followed, opened)
                except NotFollowed:
                    pass
            return self._begin(opened)
        except Problem as problem:
            self._state = None
            return Answer(find_project([self._root]), problem=str(problem))

    def _is_same_program(self, opened: Contents) -> bool:
        """Whether there are the same files, settings and packages as at the last check from the beginning."""
        state = self._state
        assert state is not None
        stamps = state.watched.stamps()
        own = state.followed.contents.keys() | state.unread.keys() if state.followed is not None else set()
        before = {path: stamp for path, stamp in state.stamps.items() if path not in own}
        after = {path: stamp for path, stamp in stamps.items() if path not in own}
        if before != after or not own <= stamps.keys() | opened.keys():
            return False
        if _unsaved(opened, stamps, self._root) != state.unsaved:
            return False
        return find_interpreter(self._python, self._root) == state.prepared.python

    def _follow(self, state: _State, followed: Followed, opened: Contents) -> Answer:
        now = self._read(opened, state.watched.stamps())
        changed = {file: content for file, content in now.items() if self._contents.get(file) != content}
        for file in changed.keys() - followed.contents.keys():
            if parsed_by_python(changed[file]) is not None:
                raise NotFollowed  # mypy could not read it, and can now
        self._contents = now
        sources.show({**followed.contents, **_known(changed, followed)})
        followed.update(_known(changed, followed))
        sources.show(followed.contents)
        broken = {**dict.fromkeys(state.unread, "it has a syntax error"), **followed.broken}
        return self._said(state, (followed.checked,), followed.contents, broken)

    def _read(self, opened: Contents, stamps: Stamps) -> dict[Path, bytes]:
        """The content of each file: the editor's, or the disk's, which is read if it may have changed."""
        state = self._state
        assert state is not None
        found = {}
        for file in self._contents:
            is_known = file not in self._opened and state.stamps.get(file) == stamps.get(file)
            found[file] = opened[file] if file in opened else self._contents[file] if is_known else file.read_bytes()
        self._opened = frozenset(opened)
        self._state = state._replace(stamps=stamps)
        return found

    def _begin(self, opened: Contents) -> Answer:
        project = find_project([self._root])
        python = find_interpreter(self._python, project.root)
        arguments = argparse.Namespace(cache_dir=None, no_shared_cache=False)
        prepared = prepare(project, python, arguments)
        paths, found = prepared.files([])
        jax, keep = prepared.require_jax(), prepared.fill_cache()
        watched = Watched(project.root, tuple(paths), tuple(prepared.options.exclude), frozenset({jax}))
        stamps = watched.stamps()
        unsaved = _unsaved(opened, stamps, project.root)
        files = [*found.files, *sorted(unsaved)]
        contents = {file: opened[file] if file in opened else file.read_bytes() for file in files}
        edited = {file: opened[file] for file in files if file in opened and _differs(file, opened[file])}
        sources.show(contents)
        SWITCHES.strict = False
        outcome = Run(files, project.root, prepared.options, contents=edited)()
        keep(checked.modules for checked in outcome.checked)
        program = frozenset(_own_modules(outcome) - set(files))
        watched = watched._replace(program=watched.program | program)
        unread = {project.root / error.span.path: error.message for error in outcome.broken}
        state = _State(prepared, watched, watched.stamps(), unsaved, _only(contents, unread), outcome, None)
        answer = self._said(state, tuple(outcome.checked), contents, unread)
        if len(outcome.checked) == 1:
            self._tell(answer)
            state = state._replace(followed=_followed(outcome.checked[0], prepared, contents))
        self._state, self._contents, self._opened = state, contents, frozenset(opened)
        return answer

    def _said(
        self, state: _State, checked: tuple[Checked, ...], contents: Contents, broken: Mapping[Path, str]
    ) -> Answer:
        prepared = state.prepared
        findings = sorted(find_causes(checked, prepared.project.root), key=lambda finding: finding.order)
        shown = tuple(one for one in findings if prepared.project.root / one.span.path not in broken)
        unseen = tuple(sorted(state.outcome.unseen))
        potential = SWITCHES.shows_potential
        return Answer(prepared.project, shown, checked, contents, broken, unseen, potential, prepared.python)


def _followed(checked: Checked, prepared: Prepared, contents: Contents) -> Followed | None:
    try:
        return Followed(checked.named, prepared.project.root, prepared.options, contents)
    except NotFollowed:
        return None


def _known(contents: Contents, followed: Followed) -> dict[Path, bytes]:
    return _only(contents, followed.contents)


def _only(contents: Contents, files: Iterable[Path]) -> dict[Path, bytes]:
    wanted = set(files)
    return {file: content for file, content in contents.items() if file in wanted}


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
