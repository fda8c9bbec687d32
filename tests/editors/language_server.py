"""Talks to a language server as an editor does: JSON-RPC over the server's standard input and output."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Any, Final, NamedTuple, Self

Json = Any
_PATIENCE: Final = 300  # seconds that a test may take, on a machine with much else to do


class Place(NamedTuple):
    """A position in a file, counted from zero."""

    line: int
    character: int

    @classmethod
    def of(cls, text: str, marked: str) -> Self:
        """Where the `|` in `marked` stands, in a text that contains the rest of `marked` once."""
        before, _, after = marked.partition("|")
        start = text.index(before + after) + len(before)
        line = text.count("\n", 0, start)
        return cls(line, start - (text.rfind("\n", 0, start) + 1))

    @property
    def json(self) -> Json:
        return {"line": self.line, "character": self.character}


class Streams(NamedTuple):
    to_server: IO[bytes]
    from_server: IO[bytes]


class Editor:
    """An editor with one folder open. Requests wait for their answers; the server's other messages are kept."""

    def __init__(self, streams: Streams, folder: Path, settings: Mapping[str, Json], pid: int) -> None:
        self.folder = folder
        self.pid = pid  # of the server's process
        self._streams = streams
        self._settings = settings
        self._notes: list[Json] = []
        self._number = 0

    def initialize(self, options: Json) -> None:
        uri = self.folder.as_uri()
        capabilities = {
            "workspace": {"configuration": True},
            "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}, "publishDiagnostics": {}},
        }
        self.request(
            "initialize",
            processId=os.getpid(),
            rootUri=uri,
            workspaceFolders=[{"uri": uri, "name": self.folder.name}],
            capabilities=capabilities,
            initializationOptions=options,
        )
        self.notify("initialized")
        self.notify("workspace/didChangeConfiguration", settings=self._settings)

    def request(self, method: str, **params: Json) -> Json:
        """The server's answer.

        Raises:
            RuntimeError: the answer is an error, or the server has ended.
        """
        self._number += 1
        self._send(id=self._number, method=method, params=params)
        for message in self._messages():
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._keep(message)
        raise RuntimeError(f"{method}: the server has ended")

    def notify(self, method: str, **params: Json) -> None:
        self._send(method=method, params=params)

    def open(self, name: str) -> None:
        text = (self.folder / name).read_text()
        document = {"uri": self.uri(name), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, name: str, text: str, version: int) -> None:
        """Replaces the text of an open file."""
        document = {"uri": self.uri(name), "version": version}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def save(self, name: str, text: str, version: int) -> None:
        """Replaces the text of an open file, and saves it."""
        (self.folder / name).write_text(text)
        self.change(name, text, version)
        self.notify("textDocument/didSave", textDocument={"uri": self.uri(name)}, text=text)

    def at(self, name: str, place: Place) -> Json:
        return {"textDocument": {"uri": self.uri(name)}, "position": place.json}

    def diagnostics(self, name: str) -> Iterator[list[Json]]:
        """What the server reports about a file, each time anew."""
        return self.diagnostics_at(self.uri(name))

    def diagnostics_at(self, uri: str) -> Iterator[list[Json]]:
        """The same by the address of a text."""
        while True:
            kept = [note for note in self._notes if note["method"] == "textDocument/publishDiagnostics"]
            self._notes = [note for note in self._notes if note not in kept]
            for note in kept or self._messages_to_the_end():
                if note.get("method") != "textDocument/publishDiagnostics":
                    self._keep(note)
                elif note["params"]["uri"] == uri:
                    yield note["params"]["diagnostics"]

    def edits(self, name: str) -> list[Json]:
        """What the server has changed in a file since the last look."""
        asked = [note["params"]["edit"]["changes"] for note in self._notes if note["method"] == "workspace/applyEdit"]
        self._notes = [note for note in self._notes if note["method"] != "workspace/applyEdit"]
        return [edit for changes in asked for edit in changes[self.uri(name)]]

    def messages(self) -> list[str]:
        """What the server has shown to the user."""
        return [note["params"]["message"] for note in self._notes if note["method"] == "window/showMessage"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def _keep(self, message: Json) -> None:
        if "id" not in message:
            self._notes.append(message)
            return
        if message["method"] == "workspace/applyEdit":
            self._notes.append(message)
            self._send(id=message["id"], result={"applied": True})
            return
        wanted = message["params"]["items"] if message["method"] == "workspace/configuration" else []
        self._send(id=message["id"], result=[self._settings.get(item.get("section"), {}) for item in wanted])

    def _send(self, **message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._streams.to_server.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._streams.to_server.flush()

    def _messages_to_the_end(self) -> Iterator[Json]:
        yield from self._messages()
        raise RuntimeError("the server has ended")

    def _messages(self) -> Iterator[Json]:
        stream = self._streams.from_server
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stream.readline()
            yield json.loads(stream.read(length))


def applied(text: str, edits: list[Json]) -> str:
    """A text after edits of whole lines."""
    lines = text.splitlines(keepends=True)
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["character"] == end["character"] == 0
        lines[start["line"] : end["line"]] = [edit["newText"]]
    return "".join(lines)


@contextmanager
def editor(
    command: Sequence[str | Path], folder: Path, settings: Mapping[str, Json], options: Json = None
) -> Iterator[Editor]:
    """Starts a server, and kills it in the end.

    `settings`: what the editor answers for each section that the server asks for. `options`: the server's
    `initializationOptions`.
    """
    with _started(command, folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        it = Editor(Streams(process.stdin, process.stdout), folder, settings, process.pid)
        it.initialize(options or {})
        yield it


@contextmanager
def editor_over_tcp(command: Sequence[str | Path], folder: Path) -> Iterator[Editor]:
    """The same for a server that takes `--tcp`."""
    port = free_port()
    with (
        _started([*command, "--tcp", str(port)], folder) as process,
        _connected(port) as connection,
        connection.makefile("wb") as to_server,
        connection.makefile("rb") as from_server,
    ):
        it = Editor(Streams(to_server, from_server), folder, {}, process.pid)
        it.initialize({})
        yield it


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@contextmanager
def _started(
    command: Sequence[str | Path], folder: Path, stdin: int | None = None, stdout: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        list(map(str, command)),
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    impatient = Timer(_PATIENCE, process.kill)  # a server that says nothing ends the test, instead of keeping it
    impatient.start()
    try:
        yield process
    finally:
        impatient.cancel()
        process.kill()
        process.wait()
