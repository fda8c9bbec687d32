"""The language server: what an editor asks for, and where it is answered."""

import logging
import os
from collections.abc import Callable, Mapping
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

from .costs import costs_of
from .hints import hints
from .hover import class_text, function_text, without_markdown
from .lenses import SHOW_CALLERS, SHOW_REASONS, lenses
from .projects import Project
from .settings import Settings
from .words_at import word_at

Json = Any
STATUS: Final = "jaxtypedStatic/status"  # a notification for clients that show the state of a project
_LOG: Final = logging.getLogger(__name__)
_UNTITLED: Final = "untitled:"
_MOST_NAMED: Final = 10  # callers in a message
_CONVERTER: Final = get_converter()  # between the protocol's JSON and its classes


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

    def _folder(self) -> Path:
        folders = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        return Path(next((folder for folder in folders if folder), None) or self.workspace.root_path or Path.cwd())

    def _new_project(self, root: Path) -> Project:
        return Project(root, self.settings, self.unit, self._publish, self._tell, self._refresh)

    def _publish(self, uri: str, found: list[Json], version: int | None) -> None:
        given = {"uri": uri, "diagnostics": found, "version": version}
        self.text_document_publish_diagnostics(_CONVERTER.structure(given, lsp.PublishDiagnosticsParams))

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


def initialize(server: Server, parameters: lsp.InitializeParams) -> None:
    server.settings = Settings.read(parameters.initialization_options)


def change_settings(server: Server, parameters: lsp.DidChangeConfigurationParams) -> None:
    settings = Settings.read(parameters.settings)
    if parameters.settings and settings != server.settings:
        server.settings = settings
        server.restart()


def open_document(server: Server, parameters: lsp.DidOpenTextDocumentParams) -> None:
    document = parameters.text_document
    path = server.path_of(document.uri)
    if path is not None and (project := server.project_of(path)) is not None:
        project.open(path, document.uri, document.text, document.version)


def change_document(server: Server, parameters: lsp.DidChangeTextDocumentParams) -> None:
    uri = parameters.text_document.uri
    if (found := server.opened(uri)) is not None:
        path, project = found
        project.change(path, server.workspace.get_text_document(uri).source, parameters.text_document.version)


def close_document(server: Server, parameters: lsp.DidCloseTextDocumentParams) -> None:
    if (found := server.opened(parameters.text_document.uri)) is not None:
        path, project = found
        project.close_file(path)
        if not project.opened:
            project.close()
            server.projects.pop(project.root, None)


def save_document(server: Server, parameters: lsp.DidSaveTextDocumentParams) -> None:
    if (found := server.opened(parameters.text_document.uri)) is not None:
        found[1].look()


def see_changed_files(server: Server, parameters: lsp.DidChangeWatchedFilesParams) -> None:
    paths = [server.path_of(change.uri) for change in parameters.changes]
    for root, project in server.projects.items():
        if any(path is not None and path.is_relative_to(root) for path in paths):
            project.look()


async def code_actions(server: Server, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    only = parameters.context.only
    found = server.opened(parameters.text_document.uri)
    if found is None or (only and lsp.CodeActionKind.QuickFix not in only):
        return None
    path, project = found
    actions = await project.actions(path, _CONVERTER.unstructure(parameters.range))
    return _CONVERTER.structure([_with_uris(action, project) for action in actions], list[lsp.CodeAction])


def _with_uris(action: Json, project: Project) -> Json:
    """The action with the addresses that the editor has for what it has open."""
    uris = {path.as_uri(): opened.uri for path, opened in project.opened.items()}
    changes = {uris.get(uri, uri): edits for uri, edits in action["edit"]["changes"].items()}
    return {**action, "edit": {"changes": changes}}


def hover(server: Server, parameters: lsp.HoverParams) -> lsp.Hover | None:
    found = server.opened(parameters.text_document.uri)
    if found is None or not server.settings.hover:
        return None
    path, project = found
    word = word_at(project.opened[path].text, parameters.position.line, parameters.position.character, server.unit)
    text = _hover_text(project, path, word) if word else ""
    if not text:
        return None
    capabilities = server.client_capabilities.text_document
    formats = capabilities.hover.content_format if capabilities is not None and capabilities.hover is not None else None
    if formats and lsp.MarkupKind.Markdown not in formats:
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, without_markdown(text)))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text))


def _hover_text(project: Project, path: Path, word: str) -> str:
    """About the function or class of a name: that of the file, or the only one of the project."""
    if (census := project.census.last) is None:
        return ""
    for kind, text in (("functions", function_text), ("classes", lambda cls: class_text(cls, census))):
        named = [one for one in census[kind] if one["name"].rpartition(".")[2] == word]
        here = [one for one in named if project.census.path(one) == path]
        if here or len(named) == 1:
            return str(text((here or named)[0]))
    return ""


def inlay_hints(server: Server, parameters: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
    found = server.opened(parameters.text_document.uri)
    if found is None or not server.settings.inlay_hints:
        return None
    path, project = found
    text, census = project.opened[path].text, project.census
    first, last = parameters.range.start.line, parameters.range.end.line
    every = hints(text, census.functions(path), census.calls(path), server.unit)
    shown = [hint for hint in every if first <= hint["position"]["line"] <= last]
    return _CONVERTER.structure(shown, list[lsp.InlayHint])


def code_lenses(server: Server, parameters: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    opened = server.opened(parameters.text_document.uri)
    if opened is None or not server.settings.code_lens:
        return None
    path, project = opened
    costs, functions = costs_of(project.root), project.census.functions(path)
    found = lenses(path, project.opened[path].text, functions, costs, lambda calls: _locations(project, calls))
    return _CONVERTER.structure(found, list[lsp.CodeLens])


def _locations(project: Project, calls: list[Json]) -> list[Json]:
    places = [(project.census.path(call).as_uri(), call["line"] - 1) for call in calls]
    return [{"uri": uri, "range": _whole_line(line)} for uri, line in dict.fromkeys(places)]


def _whole_line(line: int) -> Json:
    return {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}


def show_callers(server: Server, uri: str, position: Json, locations: list[Json]) -> None:
    """For editors that have no list of references to show them in."""
    named = [f"{Path(to_fs_path(one['uri']) or '').name}:{one['range']['start']['line'] + 1}" for one in locations]
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    _say(server, f"called from {', '.join(named[:_MOST_NAMED])}{more}")


def show_reasons(server: Server, name: str, reasons: list[str], file: str) -> None:
    why = "\n".join(reasons) or "it was compiled once"
    _say(server, f"{name}:\n{why}\n(jaxtyped-static report {os.path.relpath(file)})")


def _say(server: Server, text: str) -> None:
    server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=text))


_FEATURES: Final[Mapping[str, tuple[Callable[..., Any], Any]]] = {
    lsp.INITIALIZE: (initialize, None),
    lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: (change_settings, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (open_document, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (change_document, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (close_document, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (save_document, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (see_changed_files, None),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        code_actions,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    ),
    lsp.TEXT_DOCUMENT_HOVER: (hover, None),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (code_lenses, None),
}
_COMMANDS: Final[Mapping[str, Callable[..., Any]]] = {SHOW_CALLERS: show_callers, SHOW_REASONS: show_reasons}


def new_server() -> Server:
    server = Server()
    for name, (answer, options) in _FEATURES.items():
        server.feature(name, options)(answer)
    for command, do in _COMMANDS.items():
        server.command(command)(do)
    return server
