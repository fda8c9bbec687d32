"""Moves the list of static parameters of one function into its annotations, as `migrate` does for a program.

The worker offers it, from the text alone. What is offered must be verified by mypy, which takes seconds and forgets
what the worker knows: `python -P -m jaxtyped_static_server.marking` does that in a process of its own. It reads one
object from its input, and writes one:

    {"path": path, "function": number, "texts": {path: text of an open file}}
    {"text": the file afterwards} or {"why": why it stays as it is}
"""

import argparse
import ast
import functools
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from jaxtyped_static_cli.editing.documents import Document, Unreadable
from jaxtyped_static_cli.editing.jit_lists import OPTIONS
from jaxtyped_static_cli.editing.names import Names
from jaxtyped_static_cli.editing.permission import permission
from jaxtyped_static_cli.files.parsing import parsed_by_python
from jaxtyped_static_cli.migrating.migration import Migration, propose, verified
from jaxtyped_static_cli.migrating.planning import Wanted, plan
from jaxtyped_static_cli.migrating.reading import Reader
from jaxtyped_static_cli.mypy_runs.configuration import settings_of
from jaxtyped_static_cli.mypy_runs.plugin import SWITCHES
from jaxtyped_static_cli.mypy_runs.preparation import prepare
from jaxtyped_static_cli.project.interpreter import find_interpreter
from jaxtyped_static_cli.project.roots import find_project
from jaxtyped_static_cli.terminal.problems import Problem

from .command_names import MAKE_STATIC
from .syntax import functions_in

Json = Any
_KIND: Final = "refactor.rewrite"


class _Offer(NamedTuple):
    """A function that can be migrated, and the lines on which it is compiled."""

    number: int
    static: tuple[str, ...]
    lines: tuple[int, ...]


def markings(path: Path, content: bytes, lines: range) -> Iterator[Json]:
    """The code actions for what is compiled on some lines of a file, from 1. Their command does it."""
    if not any(option.encode() in content for option in OPTIONS):
        return
    tree = parsed_by_python(content)
    touched = [span for span in _spans(tree) if _overlap(span, lines)] if tree is not None else []
    for offer in _offers(path, content) if touched else ():
        if any(line in span for line in offer.lines for span in touched):
            title = f"mark {', '.join(offer.static)} as Static[...] in the signature"
            command = {"title": title, "command": MAKE_STATIC, "arguments": [path.as_uri(), offer.number]}
            yield {"title": title, "kind": _KIND, "command": command}


def _spans(tree: ast.Module) -> Iterator[range]:
    """The lines on which functions may be compiled: from the first decorator to the body, and calls with lists."""
    for function in functions_in(tree):
        if function.decorator_list:
            yield range(function.decorator_list[0].lineno, max(function.body[0].lineno, function.lineno + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and any(keyword.arg in OPTIONS for keyword in node.keywords):
            yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


@functools.lru_cache(maxsize=4)
def _offers(path: Path, content: bytes) -> tuple[_Offer, ...]:
    try:
        document = Document(content)
        planned = plan(document, Names(document), path, Wanted(write_any=True))
    except (Unreadable, RecursionError):
        return ()
    return tuple(_Offer(one.number, one.static, tuple(site.line for site in one.sites)) for one in planned.functions)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="jaxtyped_static_server.marking")
    parser.add_argument("root", type=Path)
    parser.add_argument("--python")
    given = parser.parse_args(arguments)
    wanted = json.load(sys.stdin)
    texts = {Path(path): text.encode(errors="surrogatepass") for path, text in wanted["texts"].items()}
    try:
        print(json.dumps(_marked(given, Path(wanted["path"]), wanted["function"], texts)))
    except (Problem, OSError) as problem:
        print(json.dumps({"why": str(problem)}))


def _marked(given: argparse.Namespace, path: Path, number: int, texts: Mapping[Path, bytes]) -> Json:
    project = find_project([given.root])
    if (refusal := permission(project.root, ()).refusal(path)) is not None:
        return {"why": refusal}
    python = find_interpreter(given.python, project.root)
    prepared = prepare(project, python, argparse.Namespace(cache_dir=None, no_shared_cache=False))
    files = list(dict.fromkeys([*prepared.files([])[1].files, path]))
    edited = {file: texts[file] for file in files if file in texts}
    others = frozenset(files) - {path}
    proposed = propose(files, Wanted(write_any=True, only=number), others, edited)
    if proposed.changed:
        prepared.fill_cache()
        SWITCHES.strict = False
        settings = settings_of(project)
        proposed = verified(proposed, Reader(files, project.root, prepared.options, settings, edited))
    return _said(proposed, path, number)


def _said(migration: Migration, path: Path, number: int) -> Json:
    for file in migration.changed:
        if file.path == path:
            return {"text": file.content.decode(file.document.module.encoding)}
    refused = [file.refused[number].why for file in migration.files if number in file.refused]
    unread = [why for file, why in migration.unread if file == path]
    return {"why": next(iter([*refused, *unread]), "the text has changed meanwhile")}


if __name__ == "__main__":
    main(sys.argv[1:])
