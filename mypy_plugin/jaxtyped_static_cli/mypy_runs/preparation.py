"""What commands do before they run mypy: find the files and JAX, and prepare the cache."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mypy.options import Options

from ..cache.folder import NAME as CACHE
from ..cache.folder import cache_folder, jax_folder, lend_markers
from ..cache.foreign import require_own
from ..cache.shared import Modules, borrow
from ..files.python_files import Found, find, find_files
from ..project.interpreter import Interpreter, folders_with_environments
from ..project.roots import Project
from ..terminal.problems import Problem
from ..terminal.saying import say
from .configuration import options_of, paths_to_check


class Prepared(NamedTuple):
    """A project that is ready for mypy, except for its cache."""

    project: Project
    python: Interpreter
    options: Options
    cache: Path
    shares_cache: bool
    jax: Path | None  # the folder in which mypy finds JAX with types

    def files(self, named: list[Path]) -> tuple[list[Path], Found]:
        """The paths that are checked, and the files in them; says what is left out. `named`: what the user names.

        Raises:
            Problem: there are no files.
        """
        paths = paths_to_check(self.project, named)
        root = self.project.root
        found = find(paths, self.options.exclude, root)
        for left in found.left_out:
            say(str(left))
        if found.files:
            return paths, found
        where = ", ".join(map(str, paths))
        if find_files(paths, (), root):
            setting = f"'exclude' in {self.project.config_file} leaves out every Python file in {where}"
            raise Problem(f"{setting}; change the setting, or name the files")
        raise Problem(f"no Python files in {where}")

    def require_jax(self) -> Path:
        """The folder with JAX.

        Raises:
            Problem: mypy does not see it.
        """
        if self.jax is not None:
            return self.jax
        own = ", ".join(os.path.relpath(folder) for folder in folders_with_environments(self.project.root))
        other = f"; or check {own}, with environments of their own, one by one" if own else ""
        raise Problem(
            f"no JAX with types in {self.python.path} ({self.python.origin}); "
            f"install jax there, or choose another with --python{other}"
        )

    def fill_cache(self) -> Callable[[Modules], None]:
        """Lends mypy the markers, and what is known of JAX; returns what keeps that for other projects.

        Raises:
            Problem: mypy does not see JAX.
        """
        jax = self.require_jax()
        lend_markers(self.options, self.project.root, self.cache)
        return borrow(self.options, jax) if self.shares_cache else lambda modules: None


def cache_of(project: Project, arguments: argparse.Namespace) -> Path:
    """The folder of the cache, whether or not it is there."""
    folder: Path = arguments.cache_dir or project.root / CACHE
    return folder


def prepare(project: Project, python: Interpreter, arguments: argparse.Namespace) -> Prepared:
    """Makes the cache, if it is not there.

    Raises:
        Problem: the cache came with the project, or cannot be written; or what `options_of` raises.
    """
    if arguments.cache_dir is None:
        require_own(project.root / CACHE)
    cache = cache_folder(cache_of(project, arguments))
    options = options_of(project, python, cache=cache)
    jax = jax_folder(options, project.root)
    return Prepared(project, python, options, cache, not arguments.no_shared_cache, jax)
