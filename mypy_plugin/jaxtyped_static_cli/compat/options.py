"""mypy's options: for an interpreter, from a configuration file, and for single modules of a build."""

import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from mypy import modulefinder
from mypy.config_parser import parse_config_file
from mypy.main import process_options
from mypy.options import Options

from ..files.limits import TooLong, limited
from ..terminal.problems import Problem

SearchFolders = tuple[list[str], list[str]]  # all folders of an environment, and those for its packages
_SECONDS: Final = 5.0  # of CPU time to read a configuration, of which `files` is looked for on the disk
_VERSION: Final = re.compile(r"(?:python|pypy)3\.(\d+)t?/site-packages$")
_STARS: Final = 3  # inside of a pattern for modules; comparing one takes the length of a name to this power

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
    output = StringIO()
    arguments = ["--config-file=", "--python-executable", str(python), "--output", "json"]
    try:
        _, options = process_options(arguments, stdout=output, stderr=output, require_targets=False)
    except SystemExit:
        line = next((line for line in reversed(output.getvalue().splitlines()) if "error:" in line), "no reason given")
        raise Problem(f"mypy cannot use {python}: {line.partition('error: ')[2] or line}") from None
    _READ.clear()
    if folders is not None:
        _READ[options.python_executable] = folders
    try:
        _, packages = _search_folders(options.python_executable)
    except Exception:  # mypy reads what it prints
        raise Problem(f"{python} is not an interpreter of Python; choose another with --python") from None
    options.python_version = max(options.python_version, _version_of(packages))
    return options


def _version_of(packages: Iterable[str]) -> tuple[int, int]:
    """The Python of an environment, by its folders for packages: mypy takes that which runs mypy, and refuses what is
    newer in a file.
    """
    found = (_VERSION.search(Path(folder).as_posix()) for folder in packages)
    return max(((3, int(match[1])) for match in found if match is not None), default=(3, 0))


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


def keep_trees(options: Options) -> None:
    """For a build that is inspected."""
    options.preserve_asts = options.export_types = True


def skip_module(options: Options, name: str) -> None:
    """Keeps mypy from following imports of a module."""
    options.per_module_options[name] = {"follow_imports": "skip"}
    options._per_module_cache = None


def can_use_older_parser(options: Options) -> bool:
    """Whether it is not in use, and reads what programs for the Python of the project may have."""
    return options.native_parser and options.python_version <= sys.version_info[:2]


def use_older_parser(options: Options) -> None:
    """Parses with the Python that runs mypy; mypy 2.4.1's parser takes a name `match` after a `;` for a statement."""
    options.native_parser = False
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
