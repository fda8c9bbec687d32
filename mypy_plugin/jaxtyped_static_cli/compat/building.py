"""Runs mypy on modules, with the contents that files have or would have."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy.build import BuildResult, State, build
from mypy.errors import CompileError
from mypy.modulefinder import BuildSource
from mypy.options import Options

from ..terminal.problems import Problem
from .file_system import FileSystem
from .trees import CheckedProgram

_INTERNAL_ERROR: Final = re.compile(r"^(.+?):(?:\d+:)* error: INTERNAL ERROR", re.MULTILINE)
_UNWRITTEN: Final = "Error writing plugins snapshot"  # the one file of the cache without which mypy does not go on


class Built(NamedTuple):
    """What a build consisted of, whether it was read or taken from the cache."""

    paths: dict[str, str]  # of each module
    imports: dict[str, set[str]]  # of each module, those that mypy found
    left_out: dict[str, set[str]]  # of each module, those that it imports and mypy did not find, or did not look at

    def named_in(self, module: str) -> set[str]:
        """The modules that a module imports."""
        return self.imports[module] | self.left_out[module]


class CacheFailed(Exception):
    """mypy cannot read or write its cache. The cause is the `sqlite3.Error` or `OSError`, if it is known."""

    def __init__(self, why: str, *, is_damaged: bool = False) -> None:
        super().__init__(why)
        self.is_damaged = is_damaged


class MypyFailed(Problem):
    """mypy has failed, on a file that it names or for another reason."""

    def __init__(self, why: str, path: str | None) -> None:
        super().__init__(f"mypy failed: {why}; `python -m mypy --show-traceback` shows where")
        self.path = path


def build_sources(modules: Iterable[tuple[str, str, str]]) -> list[BuildSource]:
    """`modules`: path, name and base folder of each."""
    return [BuildSource(path, name, None, base) for path, name, base in modules]


def run_build(
    sources: list[BuildSource],
    options: Options,
    on_messages: Callable[[str | None, list[str]], None],
    inspect: Callable[[CheckedProgram], None] | None = None,
    contents: Mapping[Path, bytes] = MappingProxyType({}),
    *,
    said: StringIO,
) -> Built | None:
    """Checks a program; returns None if errors kept mypy from checking anything.

    `on_messages` gets each file as it is done, with its errors as lines of JSON. `inspect` gets the checked program.
    `contents`: of files that are checked as if they had been changed. `said` gets what is printed to stderr.

    Raises:
        CacheFailed: what is in the cache is unfit, or the disk is full; without a cache it may succeed.
        MypyFailed: it has a fault of its own.
    """
    output = StringIO()
    unwritten: list[str] = []

    def flush_errors(file: str | None, messages: list[str], is_serious: bool) -> None:
        unwritten.extend(message for message in messages if _UNWRITTEN in message)
        on_messages(file, messages)

    try:
        # Where mypy fails on an expression, it prints the file's errors and its own to the streams of the process.
        with redirect_stdout(output), redirect_stderr(said):
            result = build(sources, options, None, flush_errors, FileSystem(contents, sources), output, output)
    except CompileError:
        if unwritten:
            raise CacheFailed("the disk may be full") from None
        return None
    except (sqlite3.Error, OSError) as error:
        if options.cache_dir == os.devnull:
            raise
        is_damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        raise CacheFailed(str(error), is_damaged=is_damaged) from error
    except SystemExit:
        text = output.getvalue() + said.getvalue()
        last = text.strip().splitlines()[-1:] or ["it gave no reason"]
        failed = _INTERNAL_ERROR.search(text)
        raise MypyFailed(last[0], failed[1] if failed is not None else None) from None
    if inspect is not None:
        inspect(_checked(result))
    result.manager.metastore.close()
    return Built(
        {name: state.path for name, state in result.graph.items() if state.path is not None},
        {name: set(state.dependencies) for name, state in result.graph.items()},
        {name: set(_not_found(state)) for name, state in result.graph.items()},
    )


def _checked(result: BuildResult) -> CheckedProgram:
    files = [(state.tree, path) for state in result.graph.values() if state.tree and (path := state.path)]
    not_found = {state.path: _not_found(state) for state in result.graph.values() if state.path is not None}
    return CheckedProgram(files, result.types, not_found)


def _not_found(state: State) -> list[str]:
    """Leaves out `.names`, which `from .names import f` is to mypy in a file that it takes to be in no package."""
    return [name for name in state.suppressed if not name.startswith(".")]
