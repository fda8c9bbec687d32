"""A plugin of python-lsp-server, beside `pylsp-mypy`, which shows the errors.

actions    fixes for the errors under the cursor
hover      what of a function or class is static, and why
background what the last check and census of a project say
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from pluggy import Result
from pylsp import hookimpl
from pylsp.workspace import Document, Workspace

from . import actions, background, hover

Json = Any
_SETTINGS: Final = "jaxtyped_static"


@hookimpl
def pylsp_settings() -> Json:
    return {"plugins": {_SETTINGS: {"enabled": True, "unsafe_fixes": True, "hover": True}}}


@hookimpl
def pylsp_code_actions(config: Any, workspace: Workspace, document: Document, context: Json) -> list[Json]:
    opened = {Path(file.path): file.source for file in workspace.documents.values() if file.path.endswith(".py")}
    found = actions.actions(Path(document.path), context.get("diagnostics", []), opened)
    allows_unsafe = config.plugin_settings(_SETTINGS).get("unsafe_fixes", True)
    return [action.json for action in found if action.is_safe or allows_unsafe]


@hookimpl
def pylsp_document_did_open(config: Any, document: Document) -> None:
    background.look(Path(document.path), with_census=config.plugin_settings(_SETTINGS).get("hover", True))


@hookimpl
def pylsp_document_did_save(config: Any, document: Document) -> None:
    background.look(Path(document.path), with_census=config.plugin_settings(_SETTINGS).get("hover", True))


@hookimpl(hookwrapper=True)
def pylsp_hover(document: Document, position: Json) -> Generator[None, Result[Json], None]:
    """Adds to what other plugins show."""
    outcome = yield
    text = hover.text_at(document, position)
    if text:
        outcome.force_result(hover.added(outcome.get_result(), text))
