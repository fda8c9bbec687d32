"""What the checker reads of a program: each place that compiles, and what the rules report."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from mypy.options import Options

from jaxtyped_static_mypy.config.settings import Settings

from ..compat.options import keep_trees
from ..compat.trees import CheckedProgram
from ..inspection.sites import Compiled, compiled_in
from ..mypy_runs.runs import Outcome, Run

Reported: TypeAlias = tuple[str, str, str]  # the path, code and message of an error, in whatever line


class Site(NamedTuple):
    """A place where a function is compiled, with the names of its parameters."""

    static: frozenset[str]
    dynamic: frozenset[str]
    donated: frozenset[str]
    unread: str = ""
    shows_parameters: bool = True  # the decorators below jit pass on what JAX and `inspect` see of the function


class Reading(NamedTuple):
    """The places that compile, by file, line and name, and the errors of the program."""

    sites: Mapping[tuple[Path, int, str], list[Site]]
    outcome: Outcome

    @property
    def errors(self) -> Counter[Reported]:
        """How often the same is reported of a file, in whatever line."""
        return Counter(
            (diagnostic.span.path, diagnostic.code, diagnostic.message)
            for diagnostic in self.outcome.diagnostics
            if diagnostic.is_error
        )


class Reader(NamedTuple):
    """A program, and how mypy is run on it. `edited`: the contents of files that are not those on the disk."""

    files: Sequence[Path]
    root: Path
    options: Options
    settings: Settings
    edited: Mapping[Path, bytes] = MappingProxyType({})

    def prepare(self) -> None:
        """Lets libraries come from the cache: to keep their trees takes minutes."""
        Run(self.files, self.root, self.options, contents=self.edited)()
        keep_trees(self.options)

    def read(self, contents: Mapping[Path, bytes]) -> Reading:
        """Reads the program as it would be with other contents of some files."""
        sites: dict[tuple[Path, int, str], list[Site]] = {}
        wanted = set(self.files)

        def inspect(program: CheckedProgram) -> None:
            for tree, name in program.files:
                path = Path(os.path.normpath(self.root / name))
                for compiled in compiled_in(tree, program, self.settings) if path in wanted else ():
                    sites.setdefault((path, compiled.line, compiled.name), []).append(_site(compiled))

        contents = {**self.edited, **contents}
        return Reading(sites, Run(self.files, self.root, self.options, inspect=inspect, contents=contents)())


def _site(compiled: Compiled) -> Site:
    named = [(index, name) for index, name in enumerate(compiled.names)]
    static, donated = (
        frozenset(name for index, name in named if index in indices) for indices in (compiled.static, compiled.donated)
    )
    return Site(
        static, frozenset(name for _, name in named) - static, donated, compiled.unread, compiled.shows_parameters
    )
