"""The files that a check depends on, and in which state they are."""

from pathlib import Path
from typing import NamedTuple

from ..files.python_files import find_sources
from ..project.roots import settings_files

Stamps = dict[Path, tuple[int, int]]  # when each file was changed, and its size


class Watched(NamedTuple):
    """What a check depends on."""

    root: Path
    folders: tuple[Path, ...]  # new files in them count, too
    exclude: tuple[str, ...] = ()
    program: frozenset[Path] = frozenset()  # files outside of packages, and the folder of these

    def stamps(self) -> Stamps:
        """The state of each file that exists."""
        sources = find_sources(self.folders, self.exclude, self.root)
        stamps = {}
        for path in {*sources, *self.program, *settings_files(self.root)}:
            try:
                state = path.stat()
            except OSError:
                continue
            stamps[path] = (state.st_mtime_ns, state.st_size)
        return stamps
