"""All advice works: a case shows each error, followed by the program after following its advice.

The cases prove in every mode that the first program has the error and the second has none. The tests here verify that
all advice has a case.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from jaxtyped_static_mypy import libraries, rules
from jaxtyped_static_mypy.judgement.immutable_forms import with_package
from jaxtyped_static_mypy.libraries import KEY_TYPES
from jaxtyped_static_mypy.reporting import held_parts, one_cause
from jaxtyped_static_mypy.reporting.actions import Alternative
from jaxtyped_static_mypy.reporting.contract_rule import ContractRule
from jaxtyped_static_mypy.reporting.evidence import changes
from jaxtyped_static_mypy.reporting.messages import ALTERNATIVE, Message
from tests.rules.cases import CASE_FOLDERS, NOT_CASES, Block, read_blocks
from tests.rules.marks import Mark, read_marks

_PLACEHOLDER = re.compile(r"\{\w*\}")
_TEXT_TO_WRITE = re.compile(r"(?:Write instead|Add): (?P<text>.+)")
# mypy knows nothing of ml_collections, which has no types: only the runtime gives this advice.
_OF_THE_RUNTIME = frozenset({"FrozenConfigDict"})


class Followed(NamedTuple):
    """A program with errors, and the following ones, in which the advice was followed."""

    bad: Block
    marks: tuple[Mark, ...]
    good: tuple[Block, ...]

    @property
    def place(self) -> str:
        return self.bad.place


def _advice_of_rules() -> Iterator[str]:
    """Returns that of the rules, and what is advised for all that is wrong with a class."""
    of_command = {code.replace("-", "_") for code in rules.OF_COMMAND}  # mypy says nothing of these
    names = [found.name for found in pkgutil.iter_modules(rules.__path__) if found.name not in of_command]
    in_rules = [importlib.import_module(f"{rules.__name__}.{name}") for name in names]
    for module in (*in_rules, one_cause, held_parts, changes):
        for name, value in vars(module).items():
            if isinstance(value, str) and "ADVICE" in name:
                yield value
            else:
                yield from _advice_in(value)


def _advice_in(value: object) -> Iterator[str]:
    if isinstance(value, Message):
        yield value.advice_text
    elif isinstance(value, Alternative):
        yield value.text
    elif isinstance(value, ContractRule):
        yield from _advice_in(value.messages)
        yield from _advice_in(value.where_compared)
        yield from _advice_in(value.where_concrete)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _advice_in(item)


def _advice_about_classes() -> Iterator[str]:
    """Returns how classes are frozen, from each library's file, and what is written for a mutable one."""
    for file in Path(libraries.__path__[0]).glob("*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from re.findall(r'"([^"]+)"', line) if re.search(r"\bfreeze\b", line) else ()
    yield from {with_package(known.instead) for known in KEY_TYPES.values()} - {"", *_OF_THE_RUNTIME}


def _pairs() -> Iterator[Followed]:
    """Raises `AssertionError` for a followed block that follows nothing."""
    documents = [path for folder in CASE_FOLDERS for path in sorted(folder.glob("*.md")) if path.name not in NOT_CASES]
    for document in documents:
        blocks = [block for _, block in read_blocks(document) if block.language == "python"]
        for index, block in enumerate(blocks):
            if "followed" in block.flags:
                assert "good" in block.flags and index, f"{block.place}: only a good block is followed advice"
            if "bad" in block.flags and (good := tuple(_following(blocks[index + 1 :]))):
                yield Followed(block, read_marks(block.text)[1], good)


def _following(blocks: Sequence[Block]) -> Iterator[Block]:
    return itertools.takewhile(lambda block: "followed" in block.flags, blocks)


PAIRS = list(_pairs())
ADVICE = sorted({*_advice_of_rules(), *_advice_about_classes()})


@pytest.mark.parametrize("advice", [advice for advice in ADVICE if _PLACEHOLDER.sub("", advice).strip()])
def test_an_advice_has_a_case_in_which_it_is_followed(advice: str) -> None:
    """As many cases as it has alternatives."""
    pattern = re.compile(".*".join(re.escape(part) for part in _PLACEHOLDER.split(advice)))
    alternatives = len([part for part in advice.split(ALTERNATIVE) if part])
    shown = [pair for pair in PAIRS if any(mark.code and pattern.search(mark.text) for mark in pair.marks)]
    assert any(len(pair.good) >= alternatives for pair in shown), [pair.place for pair in shown]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.place)
def test_the_advice_of_a_note_appears_in_the_followed_program(pair: Followed) -> None:
    for mark in pair.marks:
        if mark.code is None and (note := _TEXT_TO_WRITE.match(mark.text)) is not None:
            assert any(note["text"] in block.text for block in pair.good), mark.text


def test_every_block_of_followed_advice_comes_after_what_it_follows() -> None:
    followed = {block.place for pair in PAIRS for block in pair.good}
    documents = [path for folder in CASE_FOLDERS for path in folder.glob("*.md") if path.name not in NOT_CASES]
    blocks = [block for document in documents for _, block in read_blocks(document)]
    assert {block.place for block in blocks if "followed" in block.flags} == followed
