"""Reads cases from Markdown: headings name them, fenced blocks are the programs, comments are the expectations.

`README.md` in this folder describes the format for authors.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.rules.marks import Mark, read_marks

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide"
CASE_FOLDERS = (ROOT / "docs", ROOT / "docs" / "rules", GUIDE, ROOT / "tests" / "rules")
NOT_CASES = frozenset({"README.md"})

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^`]*)$")
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)\s*$")
_FLAGS = frozenset({"bad", "good", "run", "followed", "whole"})


class CaseError(ValueError):
    """A Markdown file does not follow the format; the message names file and line."""


@dataclass(frozen=True)
class Block:
    """One fenced block, with the line of the Markdown file on which its code starts."""

    document: Path
    line: int
    heading: str
    language: str
    flags: frozenset[str]
    file: str | None
    step: int
    text: str
    jax: str = ""

    @property
    def place(self) -> str:
        return f"{_shown(self.document)}:{self.line}"


@dataclass(frozen=True)
class Module:
    """One file of a program at one step: the text that mypy sees (without marks) and the expected reports."""

    text: str
    marks: tuple[Mark, ...]
    place: str
    runs: bool = False


State = Mapping[str, Module]


@dataclass(frozen=True)
class Program:
    """A unit of checking: one or more versions of one or more files under one plugin configuration."""

    id: str
    states: tuple[State, ...]
    config: str = ""
    is_checked: bool = True
    jax: str = ""  # the release that it needs, if newer than the oldest supported one
    is_whole: bool = False  # what is found in its classes rests on code that uses them, in the same file

    @property
    def is_guide(self) -> bool:
        return self.id.startswith(f"{GUIDE.name}/")

    @property
    def entry(self) -> str:
        """The file that uses the others: `main.py`, or else the last one given."""
        return "main.py" if "main.py" in self.states[0] else list(self.states[0])[-1]


@functools.cache
def load_programs(folders: tuple[Path, ...] = CASE_FOLDERS) -> tuple[Program, ...]:
    """Returns every program of every Markdown file in `folders`. Raises `CaseError` for a malformed one."""
    documents = [path for folder in folders for path in sorted(folder.glob("*.md")) if path.name not in NOT_CASES]
    return tuple(program for document in documents for program in read_document(document))


def read_document(document: Path) -> list[Program]:
    """Returns the programs of one Markdown file. Raises `CaseError` for a malformed one."""
    by_heading: dict[tuple[int, str], list[Block]] = {}
    for number, block in read_blocks(document):
        by_heading.setdefault((number, block.heading), []).append(block)
    return [program for blocks in by_heading.values() for program in _heading_programs(blocks)]


def read_blocks(document: Path) -> Iterator[tuple[int, Block]]:
    """Returns each fenced block, numbered under its heading."""
    heading, heading_number = document.stem, 0
    lines = document.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if title := _HEADING.match(line):
            heading, heading_number = title["title"], heading_number + 1
        elif opening := _FENCE.match(line):
            start = at
            while at < len(lines) and lines[at].rstrip() != opening["fence"]:
                at += 1
            if at == len(lines):
                raise CaseError(f"{_shown(document)}:{start}: the block is not closed")
            yield heading_number, _block(document, start + 1, heading, opening["info"], lines[start:at])
            at += 1


def _block(document: Path, line: int, heading: str, info: str, lines: list[str]) -> Block:
    language, *words = info.split() or [""]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    flags = frozenset(word for word in words if "=" not in word)
    is_code = language == "python"
    if is_code and (unknown := (flags - _FLAGS) | (options.keys() - {"file", "step", "jax"})):
        raise CaseError(f"{_shown(document)}:{line}: unknown words after ```python: {', '.join(sorted(unknown))}")
    if {"good", "bad"} <= flags:
        raise CaseError(f"{_shown(document)}:{line}: a block is either good or bad")
    step = int(options.get("step", "1"))
    text = "".join(f"{text}\n" for text in lines)
    return Block(document, line, heading, language, flags, options.get("file"), step, text, options.get("jax", ""))


def _heading_programs(blocks: list[Block]) -> Iterator[Program]:
    config = _config(blocks)
    code = [block for block in blocks if block.language == "python" and block.flags]
    for block in code:
        if block.file is None:
            yield _program([[block]], config)
    if parts := [block for block in code if block.file is not None]:
        last = max(block.step for block in parts)
        yield _program([[block for block in parts if block.step == step] for step in range(1, last + 1)], config)


def _config(blocks: list[Block]) -> str:
    texts = [block for block in blocks if block.language == "toml" and "config" in block.flags]
    for block in texts:
        try:
            tomllib.loads(block.text)
        except tomllib.TOMLDecodeError as error:
            raise CaseError(f"{block.place}: {error}") from error
    return "".join(block.text for block in texts)


def _program(steps: list[list[Block]], config: str) -> Program:
    """Raises `CaseError` if a step adds nothing, a block is not Python, or a bad program has no mark."""
    blocks = [block for step in steps for block in step]
    states = _states(steps)
    has_errors = any(mark.code for state in states for module in state.values() for mark in module.marks)
    if any("bad" in block.flags for block in blocks) and not has_errors:
        raise CaseError(f"{blocks[0].place}: a bad block needs a mark such as `# E: [static-mutable]`")
    is_checked = any({"bad", "good"} & block.flags for block in blocks)
    is_whole = any("whole" in block.flags for block in blocks)
    return Program(_identity(blocks[0]), tuple(states), config, is_checked, blocks[0].jax, is_whole)


def _states(steps: list[list[Block]]) -> list[State]:
    """Returns the files at each step; files that a step does not give are unchanged."""
    place = next(block.place for step in steps for block in step)
    state: dict[str, Module] = {}
    states: list[State] = []
    for number, step in enumerate(steps, 1):
        if not step:
            raise CaseError(f"{place}: no block has step={number}")
        names = [block.file or "main.py" for block in step]
        if len(set(names)) < len(names):
            raise CaseError(f"{step[-1].place}: two blocks give the same file and step")
        state = state | {name: _module(block) for name, block in zip(names, step, strict=True)}
        states.append({name: _at_step(module, number) for name, module in state.items()})
    return states


def _module(block: Block) -> Module:
    try:
        compile(block.text, block.place, "exec", dont_inherit=True)
        text, marks = read_marks(block.text)
    except (SyntaxError, ValueError) as error:
        raise CaseError(f"{block.place}: {error}") from error
    if "bad" not in block.flags and any(mark.code for mark in marks):
        raise CaseError(f"{block.place}: only a bad block has `# E:` marks")
    return Module(text, marks, block.place, "run" in block.flags)


def _at_step(module: Module, step: int) -> Module:
    marks = tuple(mark for mark in module.marks if mark.step in (None, step))
    return Module(module.text, marks, module.place, module.runs)


def _identity(block: Block) -> str:
    title = re.sub(r"[^a-z0-9]+", "-", block.heading.lower()).strip("-")
    return f"{_collection(block.document)}/{block.document.stem}/{title}/L{block.line}"


def _collection(document: Path) -> str:
    """Returns which cases a document belongs to: `docs`, which say what every rule does, `guide` or `tests`."""
    if document.parent == GUIDE:
        return GUIDE.name
    return document.relative_to(ROOT).parts[0] if document.is_relative_to(ROOT) else document.parent.parent.name


def _shown(document: Path) -> str:
    return str(document.relative_to(ROOT)) if document.is_relative_to(ROOT) else str(document)
