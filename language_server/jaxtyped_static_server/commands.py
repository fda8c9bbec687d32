"""The commands that code lenses and code actions have."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from .command_names import MAKE_STATIC, SHOW_CALLERS, SHOW_REASONS
from .edits import text_edits
from .server import CONVERTER, Server

Json = Any
_MOST_NAMED: Final = 10  # callers in a message


def show_callers(server: Server, uri: str, position: Json, locations: list[Json]) -> None:
    """For editors that have no list of references to show them in."""
    named = [f"{Path(to_fs_path(one['uri']) or '').name}:{one['range']['start']['line'] + 1}" for one in locations]
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    server.say(f"called from {', '.join(named[:_MOST_NAMED])}{more}")


def show_reasons(server: Server, name: str, reasons: list[str], file: str) -> None:
    why = "\n".join(reasons) or "it was compiled once"
    server.say(f"{name}:\n{why}\n(jaxtyped-static report {os.path.relpath(file)})")


async def make_static(server: Server, uri: str, number: int) -> None:
    """Moves the list of static parameters of a function into its annotations. `number`: of the function in its file."""
    found = server.opened(uri)
    if found is None:
        return
    path, project = found
    before = project.opened[path]
    text, version = before.text, before.version
    async with _progress(server, "moving static arguments into the signature"):
        said = await project.with_marks(path, number)
    if "text" not in said:
        server.say(f"left as it is: {said['why']}")
    elif (now := project.opened.get(path)) is None or now.version != version:
        server.say("left as it is: the text has changed meanwhile")
    else:
        edit = {"edit": {"changes": {now.uri: text_edits(text, said["text"])}}}
        await server.workspace_apply_edit_async(CONVERTER.structure(edit, lsp.ApplyWorkspaceEditParams))


@asynccontextmanager
async def _progress(server: Server, title: str) -> AsyncIterator[None]:
    """Shows that something takes a while, in an editor that can."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield
        return
    token = str(uuid4())
    await server.work_done_progress.create_async(token)
    server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title))
    try:
        yield
    finally:
        server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())


COMMANDS: Final[Mapping[str, Callable[..., Any]]] = {
    SHOW_CALLERS: show_callers,
    SHOW_REASONS: show_reasons,
    MAKE_STATIC: make_static,
}
