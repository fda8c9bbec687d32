"""The state of one editor that is connected."""

import logging
import os
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from jaxtyped_static_cli.files.python_files import is_of_library
from jaxtyped_static_cli.project.roots import find_project
from jaxtyped_static_cli.project.versions import own_version
from jaxtyped_static_cli.terminal.problems import Problem

from .projects import Project
from .settings import Settings

Json = Any
STATUS: Final = "jaxtypedStatic/status"  # a notification for clients that show the state of a project
_LOG: Final = logging.getLogger(__name__)
_UNTITLED: Final = "untitled:"
CONVERTER: Final = get_converter()  # between the protocol's JSON and its classes


class Server(LanguageServer):
    """The state of one editor: its settings, and the projects that have an open file."""

    def __init__(self) -> None:
        super().__init__("jaxtyped-static", own_version())
        self.settings = Settings()
        self.projects: dict[Path, Project] = {}
        self.roots: dict[Path, Path] = {}  # of each folder in which a file was opened
        self.problems: set[str] = set()  # those that were shown

    def path_of(self, uri: str) -> Path | None:
        """Where a document is, or would be; None for what is no file of a project."""
        if uri.startswith(_UNTITLED):
            name = "".join(letter if letter.isalnum() else "_" for letter in uri.removeprefix(_UNTITLED))
            return self._folder() / f"{name.lower()}.py"
        path = to_fs_path(uri)
        return Path(os.path.normpath(path)) if path is not None and not is_of_library(path) else None

    def project_of(self, path: Path) -> Project | None:
        """The project that a file is in; None if it has a fault, which is shown."""
        try:
            root = self.roots.get(path.parent) or find_project([path]).root
        except (Problem, OSError) as problem:
            self.show_problem(str(problem))
            return None
        self.roots[path.parent] = root
        if root not in self.projects:
            self.projects[root] = self._new_project(root)
        return self.projects[root]

    def opened(self, uri: str) -> tuple[Path, Project] | None:
        """The path and the project of an open document."""
        path = self.path_of(uri)
        project = self.project_of(path) if path is not None else None
        return (path, project) if path is not None and project is not None and path in project.opened else None

    def restart(self) -> None:
        """Begins anew with every open file: the settings are others."""
        opened = [one for project in self.projects.values() for one in project.opened.items()]
        for project in self.projects.values():
            project.close()
        self.projects.clear()
        self.roots.clear()
        for path, document in opened:
            if (found := self.project_of(path)) is not None:
                found.open(path, document.uri, document.text, document.version)

    def show_problem(self, problem: str) -> None:
        """Shows it once."""
        if problem not in self.problems:
            self.problems.add(problem)
            text = f"jaxtyped-static: {problem}"
            self.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=text))

    @property
    def unit(self) -> str:
        """In which this editor counts columns."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def say(self, text: str) -> None:
        self.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=text))

    def _folder(self) -> Path:
        folders = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        return Path(next((folder for folder in folders if folder), None) or self.workspace.root_path or Path.cwd())

    def _new_project(self, root: Path) -> Project:
        return Project(root, self.settings, self.unit, self._publish, self._tell, self._refresh)

    def _publish(self, uri: str, found: list[Json], version: int | None) -> None:
        given = {"uri": uri, "diagnostics": found, "version": version}
        self.text_document_publish_diagnostics(CONVERTER.structure(given, lsp.PublishDiagnosticsParams))

    def _tell(self, root: Path, message: Json) -> None:
        if message.get("problem"):
            self.show_problem(message["problem"])
        else:
            self.problems.clear()
        state = {key: value for key, value in message.items() if key not in ("diagnostics", "potential")}
        _LOG.info("%s: %s", root, state)
        self.protocol.notify(STATUS, {**state, "root": str(root)})

    def _refresh(self) -> None:
        """A new census: hints and lenses are others."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None, callback=_ignore)
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None, callback=_ignore)


def _ignore(answer: object) -> None:
    """A client answers that it has refreshed."""
