"""A kind of compilation: a program as text, with marks that say what must be recorded of each line."""

from __future__ import annotations

import ast
import operator
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import jax

_PREAMBLE: Final = """\
import dataclasses, enum, functools, threading
from collections import OrderedDict, namedtuple
import jax, jax.numpy as jnp, numpy as np
from jax import lax
"""
_MARK: Final = re.compile(
    r"(?P<what>first|again|traced|maybe traced|maybe operations|operations|operation|several|is)"
    r"(?: (?P<name>(?:(?! <- | x\d+$| x\d+ <- ).)+))?(?: x(?P<times>\d+))?(?: <- (?P<reason>.*))?"
)
_LIMIT: Final = re.compile(r"\s*\{([^{}]*\d)\}$")
_COMPARED: Final[dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]]] = {
    ">=": operator.ge,
    "<": operator.lt,
}


class Kind(NamedTuple):
    """A kind of compilation.

    Attributes:
        name: what it is, in words.
        program: its text.
        releases: the releases of JAX in which it is possible: `>=0.6 <0.9`; empty for all.
        libraries: the modules that it needs, beyond JAX.
        devices: how many devices it needs.
    """

    name: str
    program: str
    releases: str = ""
    libraries: tuple[str, ...] = ()
    devices: int = 1


class Mark(NamedTuple):
    """What must be recorded for a line."""

    line: int
    what: str
    name: str = ""
    reason: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what} {self.name}{f' <- {self.reason}' if self.reason else ''}"


class Definition(NamedTuple):
    """A function of a program: its name in reports, and the lines that count as its definition."""

    name: str
    lines: range


class Program(NamedTuple):
    """A program that can be run."""

    text: str
    before: ast.Module
    recorded: ast.Module
    marks: tuple[Mark, ...]
    definitions: dict[str, Definition]


def applies(releases: str) -> bool:
    """Returns whether this release of JAX is among some: `>=0.6 <0.9`."""
    return all(_is_within(limit) for limit in releases.split())


def _is_within(limit: str) -> bool:
    sign = limit.rstrip("0123456789.")
    return _COMPARED[sign](jax.__version_info__, tuple(map(int, limit.removeprefix(sign).split("."))))


def read(kind: Kind) -> Program:
    """Returns a kind's program."""
    text = f"{_PREAMBLE}{textwrap.dedent(kind.program).strip()}\n"
    lines = text.splitlines()
    start = lines.index("# recorded:") + 1
    body = ast.parse(text).body
    marks = [mark for number, line in enumerate(lines, start=1) for mark in _marks(number, line)]
    defined = dict(_definitions(ast.parse(text), ""))
    labels = {mark.name: mark.line for mark in marks if mark.what == "is"}
    named = {
        label: next(definition for definition in defined.values() if line in definition.lines)
        for label, line in labels.items()
    }
    return Program(
        text,
        ast.Module([statement for statement in body if statement.lineno <= start], []),
        ast.Module([statement for statement in body if statement.lineno > start], []),
        tuple(mark for mark in marks if mark.what != "is"),
        {**{definition.name: definition for definition in defined.values()}, **named},
    )


def _marks(number: int, line: str) -> Iterator[Mark]:
    for text in line.split("#: ")[1:]:
        limit = _LIMIT.search(text)
        if limit is not None and not applies(limit[1]):
            continue
        found = _MARK.fullmatch(_LIMIT.sub("", text).strip())
        if found is None:
            raise ValueError(f"not a mark: {text}")
        for _ in range(int(found["times"] or 1)):
            yield Mark(number, found["what"], found["name"] or "", found["reason"] or "")


def _definitions(node: ast.AST, around: str) -> Iterator[tuple[int, Definition]]:
    """Yields the functions in a program, each with its line."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield id(child), Definition(f"{around}{child.name}", range(first, child.lineno + 1))
            yield from _definitions(child, "")
        elif isinstance(child, ast.Lambda):
            yield id(child), Definition("<lambda>", range(child.lineno, child.lineno + 1))
            yield from _definitions(child, "")
        elif isinstance(child, ast.ClassDef):
            yield from _definitions(child, f"{around}{child.name}.")
        else:
            yield from _definitions(child, around)
