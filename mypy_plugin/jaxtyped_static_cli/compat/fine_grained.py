"""A build that follows changes of its files, as mypy's daemon does, and begins with an ordinary cache of libraries.

A build of mypy (2.4.1) uses its cache, or keeps what an update needs, but not both, unless a daemon wrote that cache.
It looks whether to use the cache when it begins, and at each module whether to keep what an update needs. So it is told
in between, by the plugin: the program's own modules, which are never taken from the cache, can then be updated.
"""

import copy
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mypy.build import BuildResult, build
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.server.update import FineGrainedBuildManager

from .building import build_sources
from .file_system import FileSystem

_NO_CACHE: Final = "followed"  # no other build marks modules so, and this one writes none


class Named(NamedTuple):
    """A module of the program: its path, as mypy gets it, its name, and the folder from which the name counts."""

    path: str
    name: str
    base: str


class Updated(NamedTuple):
    """What mypy reports after an update, as lines of JSON; what keeps it from checking is in `blocked`."""

    lines: list[str]
    blocked: list[str]


def keep_what_updates_need(options: Options) -> None:
    """Tells mypy in the middle of a build: see above."""
    options.fine_grained_incremental = True


def is_told(options: Options) -> bool:
    return options.fine_grained_incremental


class FollowingBuild:
    """A checked program. Its files are those on the disk, or have other contents.

    `is_shown`: whether an error of a code counts. The functions in which there are others are not checked again.

    Raises:
        CompileError: something keeps mypy from checking the program.
    """

    def __init__(
        self,
        modules: Iterable[Named],
        options: Options,
        contents: Mapping[Path, bytes],
        is_shown: Callable[[str, str], bool],
    ) -> None:
        modules = list(modules)
        sources = build_sources(modules)
        self._is_shown = is_shown
        self._names = {module.path: module.name for module in modules}
        self._files = FileSystem(contents, sources)
        self._manager = FineGrainedBuildManager(self._built(sources, _for(modules, options)))
        self._expect_errors()

    def _built(self, sources: list[BuildSource], options: Options) -> BuildResult:
        self.first: list[str] = []
        result = build(sources, options, None, lambda file, lines, is_serious: self.first.extend(lines), self._files)
        result.manager.metastore.close()
        return result

    @property
    def modules(self) -> dict[str, str]:
        """The path of each module, libraries included."""
        return {name: state.path for name, state in self._manager.graph.items() if state.path is not None}

    def finds(self, module: str) -> bool:
        """Whether mypy would find a module that is no part of the program."""
        if module in self._manager.graph:
            return False
        return isinstance(self._manager.manager.find_module_cache.find_module(module), str)

    def update(self, changed: Collection[str], contents: Mapping[Path, bytes]) -> Updated:
        """Checks again what changed files, by their paths, have an effect on."""
        self._files.change(contents)
        self._manager.flush_cache()
        lines = self._manager.update([(self._names[path], path) for path in changed], [])
        if self._manager.blocking_error is not None:
            return Updated([], lines)
        self._expect_errors()
        return Updated(lines, [])

    def _expect_errors(self) -> None:
        """mypy forgets all errors at an update, and checks again where some were."""
        infos = (info for found in self._manager.manager.errors.error_info_map.values() for info in found)
        shown = (
            info for info in infos if self._is_shown(info.code.code if info.code is not None else "", info.message)
        )
        self._manager.previous_targets_with_errors = {info.target for info in shown if info.target}


def _for(modules: Iterable[Named], options: Options) -> Options:
    own = copy.copy(options)
    own.per_module_options = dict(options.per_module_options)
    for module in modules:
        own.per_module_options[module.name] = {
            **own.per_module_options.get(module.name, {}),
            "always_true": [_NO_CACHE],
            "fine_grained_incremental": True,
        }
    own._per_module_cache = None
    return own
