"""A build that follows changes of its files, as mypy's daemon does, and begins with an ordinary cache of libraries.

A build of mypy (2.4.1) uses its cache, or keeps what an update needs, but not both, unless a daemon wrote that cache.
It looks whether to use the cache when it begins, and at each module whether to keep what an update needs. So it is told
in between, by the plugin: the program's own modules, which are never taken from the cache, can then be updated.
"""

import copy
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mypy.build import BuildResult, build
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.server.update import FineGrainedBuildManager

from .building import build_sources
from .file_system import FileSystem

_NO_CACHE: Final = "followed"  # no other build marks modules so, and this one writes none


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

    `modules`: path, name and base folder of each.

    Raises:
        CompileError: something keeps mypy from checking the program.
    """

    def __init__(self, modules: list[tuple[str, str, str]], options: Options, contents: Mapping[Path, bytes]) -> None:
        sources = build_sources(modules)
        self._names = {path: name for path, name, _ in modules}
        self._files = FileSystem(contents, sources)
        self._manager = FineGrainedBuildManager(self._built(sources, _for(self._names.values(), options)))

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
        """Checks again what changed files, by their paths, have an effect on.

        mypy itself would also check again each function, and each module, in which there was an error: it forgets them
        all. Here those are kept that are in functions which the change has no effect on.
        """
        manager, errors = self._manager, self._manager.manager.errors
        before = {path: list(found) for path, found in errors.error_info_map.items()}
        self._files.change(contents)
        manager.flush_cache()
        manager.previous_targets_with_errors = set()
        lines = manager.update([(self._names[path], path) for path in changed], [])
        is_blocked = manager.blocking_error is not None
        read = {state.xpath for name in manager.updated_modules if (state := manager.graph.get(name)) is not None}
        again = set(manager.processed_targets)
        for path, found in before.items():
            if path not in read:
                kept = (info for info in found if info.target not in again)
                errors.error_info_map.setdefault(path, []).extend(kept)
        return Updated([], lines) if is_blocked else Updated(self._all_errors(), [])

    def _all_errors(self) -> list[str]:
        errors = self._manager.manager.errors
        return [
            line
            for path in sorted(errors.error_info_map)
            for line in errors.format_messages(path, errors.file_messages(path), formatter=errors.error_formatter)
        ]


def _for(names: Iterable[str], options: Options) -> Options:
    own = copy.copy(options)
    own.per_module_options = dict(options.per_module_options)
    for name in names:
        own.per_module_options[name] = {
            **own.per_module_options.get(name, {}),
            "always_true": [_NO_CACHE],
            "fine_grained_incremental": True,
        }
    own._per_module_cache = None
    return own
