"""Private mypy API that the command needs. This file is the place to look at when mypy changes."""

import contextlib
import hashlib
import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy import modulefinder
from mypy.argmap import map_actuals_to_formals
from mypy.build import PLUGIN_SNAPSHOT_FILE, build, create_metastore, get_cache_names, get_meta_ex_name
from mypy.config_parser import parse_config_file
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import CallExpr, Expression, MypyFile
from mypy.options import Options
from mypy.types import CallableType, Type
from mypy.util import hash_digest

from .files import is_of_library
from .limits import TooLong, limited
from .problems import Problem

SearchFolders = tuple[list[str], list[str]]  # all folders of an environment, and those for its packages
_SECOND: Final = 1_000_000_000  # nanoseconds
_TICK: Final = _SECOND // 10  # by which the clock of a file system may be late
_LARGEST: Final = 2**48  # mypy takes times for floats, which are exact up to here
_SECONDS: Final = 5.0  # of CPU time to read a configuration, of which `files` is looked for on the disk
_STARS: Final = 3  # inside of a pattern for modules; comparing one takes the length of a name to this power
_UNWRITTEN: Final = "Error writing plugins snapshot"  # the one file of the cache without which mypy does not go on


class Program(NamedTuple):
    """What mypy knows of a program that it has checked."""

    files: list[tuple[MypyFile, str]]  # with their paths
    types: dict[Expression, Type]  # of expressions in the files that were not taken from the cache
    not_found: dict[str, list[str]]  # by the path of a file, the modules that it imports and mypy does not find

    @property
    def modules(self) -> dict[str, MypyFile]:
        """By their full names."""
        return {file.fullname: file for file, _ in self.files}


class Built(NamedTuple):
    """What a build consisted of, whether it was read or taken from the cache."""

    paths: dict[str, str]  # of each module
    imports: dict[str, set[str]]  # of each module, those that mypy found
    left_out: dict[str, set[str]]  # of each module, those that it imports and mypy did not find, or did not look at

    def named_in(self, module: str) -> set[str]:
        """The modules that a module imports."""
        return self.imports[module] | self.left_out[module]


def keep_trees(options: Options) -> None:
    """For a build that is inspected."""
    options.preserve_asts = options.export_types = True


_READ: Final[dict[str | None, SearchFolders]] = {}  # of interpreters that are not run
_run_for_search_folders: Final = modulefinder.get_search_dirs


def _search_folders(python: str | None) -> SearchFolders:
    return _READ[python] if python in _READ else _run_for_search_folders(python)


# mypy asks an interpreter for its folders by running it. There is no other way to tell mypy which of the folders that
# it searches have installed packages, whose errors are not shown and which need a `py.typed`.
modulefinder.get_search_dirs = _search_folders  # type: ignore[assignment]


def new_options(python: Path, folders: SearchFolders | None = None) -> Options:
    """mypy's defaults for programs of an interpreter, and errors as JSON.

    `folders`: those of its environment, if the interpreter must not be run.

    Raises:
        Problem: mypy cannot use the interpreter.
    """
    said = StringIO()
    arguments = ["--config-file=", "--python-executable", str(python), "--output", "json"]
    try:
        _, options = process_options(arguments, stdout=said, stderr=said, require_targets=False)
    except SystemExit:
        line = next((line for line in reversed(said.getvalue().splitlines()) if "error:" in line), "no reason given")
        raise Problem(f"mypy cannot use {python}: {line.partition('error: ')[2] or line}") from None
    _READ.clear()
    if folders is not None:
        _READ[options.python_executable] = folders
    try:
        _search_folders(options.python_executable)
    except Exception:  # mypy reads what it prints
        raise Problem(f"{python} is not an interpreter of Python; choose another with --python") from None
    return options


def configured_options(file: Path) -> Options:
    """What a configuration file says to mypy. What mypy finds wrong with it, mypy itself says when it is run.

    Raises:
        Problem: mypy would break down, or not come to an end.
    """
    options = Options()
    try:
        with limited(_SECONDS):
            parse_config_file(options, lambda: None, str(file), StringIO(), StringIO())
    except TooLong:
        raise Problem(f"'files' in {file} takes too long to look for; name folders without '*' in them") from None
    except Exception as error:  # a value of a type that mypy does not expect
        raise Problem(f"mypy cannot read its configuration in {file}: {str(error) or type(error).__name__}") from None
    if any("\0" in path for path in (*options.mypy_path, *(options.files or ()), options.custom_typeshed_dir or "")):
        raise Problem(f"{file} names a path with a null character, which no file has")
    for pattern in options.per_module_options:
        if pattern.removesuffix(".*").count("*") > _STARS:
            raise Problem(f"{file} has settings for {pattern!r}, which takes mypy too long to compare; use fewer '*'")
    return options


class CacheFailed(Exception):
    """mypy cannot read or write its cache. The cause is the `sqlite3.Error` or `OSError`, if it is known."""

    def __init__(self, why: str, *, is_damaged: bool = False) -> None:
        super().__init__(why)
        self.is_damaged = is_damaged


def run_build(
    sources: list[BuildSource],
    options: Options,
    on_messages: Callable[[str | None, list[str]], None],
    inspect: Callable[[Program], None] | None = None,
    contents: Mapping[Path, bytes] = MappingProxyType({}),
) -> Built | None:
    """Checks a program; returns None if errors kept mypy from checking anything.

    `on_messages` gets each file as it is done, with its errors as lines of JSON. `inspect` gets the checked program.
    `contents`: of files that are checked as if they had been changed.

    Raises:
        CacheFailed: what is in the cache is unfit, or the disk is full; without a cache it may succeed.
        Problem: mypy failed.
    """
    said = StringIO()
    unwritten: list[str] = []

    def flush_errors(file: str | None, messages: list[str], is_serious: bool) -> None:
        unwritten.extend(message for message in messages if _UNWRITTEN in message)
        on_messages(file, messages)

    try:
        result = build(sources, options, None, flush_errors, _Files(contents, sources), said, said)
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
        last = said.getvalue().strip().splitlines()[-1:] or ["it gave no reason"]
        raise Problem(f"mypy failed: {last[0]}; `python -m mypy --show-traceback` shows where") from None
    if inspect is not None:
        files = [(state.tree, path) for state in result.graph.values() if state.tree and (path := state.path)]
        suppressed = {state.path: list(state.suppressed) for state in result.graph.values() if state.path is not None}
        inspect(Program(files, result.types, suppressed))
    result.manager.metastore.close()
    return Built(
        {name: state.path for name, state in result.graph.items() if state.path is not None},
        {name: set(state.dependencies) for name, state in result.graph.items()},
        {name: set(state.suppressed) for name, state in result.graph.items()},
    )


def formals_of(call: CallExpr, signature: CallableType, first: int, type_of: Callable[[int], Type]) -> list[list[int]]:
    """For each parameter, from the `first` on, the indices of the arguments that a call passes for it."""
    kinds, names = signature.arg_kinds[first:], signature.arg_names[first:]
    return map_actuals_to_formals(call.arg_kinds, call.arg_names, kinds, names, type_of)


class _Files(FileSystemCache):
    """The file system as it would be with other contents of some files, and with exact times of change.

    mypy trusts an entry of its cache if the file has the same size as before and was changed in the same second. So
    the time that mypy gets of a file outside of packages is a digest of the exact times. If it may still change within
    one step of the file system's clock, it is one that never comes again, and mypy compares contents in the next run.
    """

    def __init__(self, contents: Mapping[Path, bytes], sources: Iterable[BuildSource]) -> None:
        super().__init__()
        self._contents = {
            name: content for path, content in contents.items() for name in (str(path), os.path.relpath(path))
        }
        self._states: dict[str, os.stat_result | None] = {}
        for source in sources:
            if source.path is not None:
                self.stat_or_none(source.path)  # mypy may read a file before it asks for its time

    def read(self, path: str) -> bytes:
        content = self._contents.get(path)
        return content if content is not None else super().read(path)

    def hash_digest(self, path: str) -> str:
        content = self._contents.get(path)
        return hash_digest(content) if content is not None else super().hash_digest(path)

    def exists(self, path: str, real_only: bool = False) -> bool:
        """mypy's parser reads real files by itself."""
        return not (real_only and path in self._contents) and super().exists(path, real_only)

    def stat_or_none(self, path: str) -> os.stat_result | None:
        if path not in self._states:
            found = super().stat_or_none(path)
            if found is not None and stat.S_ISREG(found.st_mode):
                content = self._contents.get(path)
                if content is not None:
                    found = _with(found, stat.ST_MTIME, zlib.crc32(content))
                    found = _with(found, stat.ST_SIZE, len(content))
                elif not is_of_library(path):
                    found = _with(found, stat.ST_MTIME, _exact_time(found))
            self._states[path] = found
        return self._states[path]


def _exact_time(state: os.stat_result) -> int:
    """A number for the time of the last change of a file, however it was changed."""
    is_coarse = state.st_ctime_ns % _SECOND == 0
    if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < (2 * _SECOND if is_coarse else _TICK):
        return time.time_ns() % _LARGEST
    times = f"{state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
    return int.from_bytes(hashlib.sha256(times.encode()).digest()) % _LARGEST


def _with(state: os.stat_result, index: int, value: int) -> os.stat_result:
    values = list(state)
    values[index] = value
    return os.stat_result(values)


def copy_cache(options: Options, folder: Path, modules: Mapping[str, str]) -> None:
    """Copies what mypy's cache has of modules to a cache in another folder, unless that has it already.

    `modules`: the path of each.
    """
    other = options.apply_changes({"cache_dir": str(folder)})
    source, target = create_metastore(options, False), create_metastore(other, False)
    there = set(target.list_all())
    for module, path in modules.items():
        meta, data, _ = get_cache_names(module, path, options)
        if meta not in there:
            with contextlib.suppress(FileNotFoundError):
                for name in (data, get_meta_ex_name(meta), meta):
                    target.write(name, source.read(name), source.getmtime(name))
    with contextlib.suppress(FileNotFoundError):
        target.write(PLUGIN_SNAPSHOT_FILE, source.read(PLUGIN_SNAPSHOT_FILE))
    target.commit()
    target.close()
    source.close()


def build_sources(modules: Iterable[tuple[str, str, str]]) -> list[BuildSource]:
    """`modules`: path, name and base folder of each."""
    return [BuildSource(path, name, None, base) for path, name, base in modules]


def skip_module(options: Options, name: str) -> None:
    """Keeps mypy from following imports of a module."""
    options.per_module_options[name] = {"follow_imports": "skip"}
    options._per_module_cache = None


@contextlib.contextmanager
def marked(options: Options, names: Iterable[str], mark: str) -> Iterator[None]:
    """Keeps mypy from taking modules from its cache that were not marked in the same way; an empty mark is none."""
    before = dict(options.per_module_options)
    for name in names if mark else ():
        options.per_module_options[name] = {**before.get(name, {}), "always_true": [mark]}
    options._per_module_cache = None
    yield
    options.per_module_options = before
