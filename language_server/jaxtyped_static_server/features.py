"""What an editor asks for, and where it is answered."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp

from .commands import COMMANDS
from .costs import costs_of
from .edits import whole_lines
from .hints import hints
from .hover import class_text, function_text, without_markdown
from .lenses import lenses
from .projects import Project
from .server import CONVERTER, Server
from .settings import Settings
from .words_at import word_at

Json = Any
_KINDS: Final = (lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite)


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
    found = server.opened(parameters.text_document.uri)
    wanted = [kind for kind in _KINDS if _is_wanted(kind, parameters.context.only)]
    if found is None or not wanted:
        return None
    path, project = found
    actions = await project.actions(path, CONVERTER.unstructure(parameters.range))
    shown = [_with_uris(action, project) for action in actions if action["kind"] in wanted]
    return CONVERTER.structure(shown, list[lsp.CodeAction])


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """An editor that asks for `refactor` means `refactor.rewrite`, too."""
    return not only or any((kind + ".").startswith(one + ".") for one in only)


def _with_uris(action: Json, project: Project) -> Json:
    """The action with the addresses that the editor has for what it has open."""
    uris = {path.as_uri(): opened.uri for path, opened in project.opened.items()}
    if "command" in action:
        uri, *others = action["command"]["arguments"]
        return {**action, "command": {**action["command"], "arguments": [uris.get(uri, uri), *others]}}
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
    return CONVERTER.structure(shown, list[lsp.InlayHint])


def code_lenses(server: Server, parameters: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    opened = server.opened(parameters.text_document.uri)
    if opened is None or not server.settings.code_lens:
        return None
    path, project = opened
    costs, functions = costs_of(project.root), project.census.functions(path)
    found = lenses(path, project.opened[path].text, functions, costs, lambda calls: _locations(project, calls))
    return CONVERTER.structure(found, list[lsp.CodeLens])


def _locations(project: Project, calls: list[Json]) -> list[Json]:
    places = [(project.census.path(call).as_uri(), call["line"] - 1) for call in calls]
    return [{"uri": uri, "range": whole_lines(line, line)} for uri, line in dict.fromkeys(places)]


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
        lsp.CodeActionOptions(code_action_kinds=list(_KINDS)),
    ),
    lsp.TEXT_DOCUMENT_HOVER: (hover, None),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (code_lenses, None),
}


def new_server() -> Server:
    server = Server()
    for name, (answer, options) in _FEATURES.items():
        server.feature(name, options)(answer)
    for command, do in COMMANDS.items():
        server.command(command)(do)
    return server
