"""A project in an editor: the files of it that are open, the process that checks it, and what was published of it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .census import CensusTaker
from .settings import Settings
from .workers import Worker, answered

Json = Any
_LOG: Final = logging.getLogger(__name__)
_PAUSE: Final = 0.1  # seconds without a keystroke, after which a check begins


@dataclass
class Opened:
    """A file in the editor. `version`: of its text, as the editor counts."""

    uri: str
    text: str
    version: int


class Project:
    """`publish` gets a file's address, its diagnostics and the version of the text; `tell` the state of the project."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        unit: str,
        publish: Callable[[str, list[Json], int | None], None],
        tell: Callable[[Path, Json], None],
        on_census: Callable[[], None],
    ) -> None:
        self.root = root
        self.opened: dict[Path, Opened] = {}
        self.census = CensusTaker(root, settings.python, on_census)
        self._settings, self._publish, self._tell = settings, publish, tell
        self._python = ("--python", settings.python) if settings.python else ()
        self._worker = Worker(root, ("--unit", unit, *self._python), self._texts, self._take)
        self._versions: dict[int, dict[Path, int]] = {0: {}}  # of the open files, in each state that was sent
        self._published: set[str] = set()
        self._changed: set[Path] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._worker.start()

    def open(self, path: Path, uri: str, text: str, version: int) -> None:
        self.opened[path] = Opened(uri, text, version)
        self._schedule(path, 0.0)

    def change(self, path: Path, text: str, version: int) -> None:
        self.opened[path].text, self.opened[path].version = text, version
        self._schedule(path, _PAUSE)

    def close_file(self, path: Path) -> None:
        closed = self.opened.pop(path, None)
        if closed is not None and not self._settings.workspace_diagnostics:
            self._clear(closed.uri)
        self._schedule(path, 0.0)

    def look(self) -> None:
        """Looks at the disk now, rather than within a second."""
        self._send()
        self.census.is_outdated = True

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._worker.close()
        self.census.close()
        for uri in list(self._published):
            self._clear(uri)

    async def actions(self, path: Path, at: Json) -> list[Json]:
        """The code actions in a range of a file, for the text as it is now."""
        self._send()
        return await self._worker.ask({"ask": "actions", "path": str(path), "range": at}) or []

    async def with_marks(self, path: Path, function: int) -> Json:
        """The text of a file with the static parameters of a function in its annotations; or why there is none."""
        question = {"path": str(path), "function": function, "texts": self._texts()}
        return await answered("jaxtyped_static_server.marking", self.root, self._python, question)

    def _texts(self) -> dict[str, str]:
        return {str(path): opened.text for path, opened in self.opened.items()}

    def _schedule(self, path: Path, pause: float) -> None:
        self._changed.add(path)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._send)

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        changed = {path: self.opened[path].text if path in self.opened else None for path in self._changed}
        self._changed.clear()
        serial = self._worker.send_texts({str(path): text for path, text in changed.items()})
        self._versions[serial] = {path: opened.version for path, opened in self.opened.items()}

    def _take(self, message: Json) -> None:
        if "diagnostics" in message:
            for old in [serial for serial in self._versions if serial < message["serial"]]:
                del self._versions[old]
            self._publish_all(message, self._versions.get(message["serial"], {}))
            self.census.take_when_outdated()
        self._tell(self.root, message)

    def _publish_all(self, message: Json, versions: Mapping[Path, int]) -> None:
        shown: dict[str, list[Json]] = {path: list(found) for path, found in message["diagnostics"].items()}
        if self._settings.potential:
            for path, found in message["potential"].items():
                shown.setdefault(path, []).extend(found)
        for path, opened in self.opened.items():
            found = shown.pop(str(path), [])
            if versions.get(path) == opened.version:  # else there is a newer text, and its check follows
                self._published.add(opened.uri)
                self._publish(opened.uri, found, opened.version)
        others = {Path(path).as_uri(): found for path, found in shown.items()}
        if not self._settings.workspace_diagnostics:
            others = {}
        still = {opened.uri for opened in self.opened.values()}
        for uri in self._published - still - others.keys():
            self._clear(uri)
        for uri, found in others.items():
            self._published.add(uri)
            self._publish(uri, found, None)

    def _clear(self, uri: str) -> None:
        self._published.discard(uri)
        self._publish(uri, [], None)
