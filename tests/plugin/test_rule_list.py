"""A rule is one line in the list, one file, one page, and at least one check that something calls."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyped_static_mypy import rules
from jaxtyped_static_mypy.rules import CODES, OF_COMMAND, checks
from tests.rules.cases import NOT_CASES, ROOT

PLUGIN = Path(rules.__file__).parents[1]
FILES = {code: code.replace("-", "_") for code in CODES}
_IMPORT = re.compile(r"^\s*from (\S+) import (\([^)]*\)|.*)", re.MULTILINE)
CALLED_BY_CHECKS = {"CONTRACT", "check_body", "check_class"}


def test_every_file_and_page_belongs_to_a_listed_rule() -> None:
    files = {path.stem for path in (PLUGIN / "rules").glob("*.py") if not path.stem.startswith("_")}
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md") if path.name not in NOT_CASES}
    assert files - {"checks"} == set(FILES.values())
    assert pages == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_rule_has_the_code_it_is_listed_under(code: str) -> None:
    module = importlib.import_module(f"{rules.__name__}.{FILES[code]}")
    assert module.CODE is CODES[code]
    assert "CONTRACT" not in vars(module) or module.CONTRACT.code is module.CODE


def test_only_hooks_import_a_rule() -> None:
    """The list finds other rules by name; shared code is in modules with an underscore."""
    importers = {path for path, name in _imports() if name in FILES.values()}
    assert {path.parent.name for path in importers} == {"hooks"}


@pytest.mark.parametrize("code", [code for code in CODES if code not in OF_COMMAND])
def test_every_rule_is_called(code: str) -> None:
    module = importlib.import_module(f"{rules.__name__}.{FILES[code]}")
    assert CALLED_BY_CHECKS & vars(module).keys() or FILES[code] in {name for _, name in _imports()}


def test_each_reason_to_break_the_contract_belongs_to_one_rule() -> None:
    reasons = [reason for rule in checks.CONTRACT_RULES for reason in rule.messages]
    assert len(reasons) == len(set(reasons))


@functools.cache
def _imports() -> frozenset[tuple[Path, str]]:
    """Returns the last part of each module that a file of the plugin imports, and of each imported name."""
    return frozenset((path, name) for path in PLUGIN.rglob("*.py") for name in _imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    """By text: CPython 3.11 may fail to make a syntax tree while the garbage collector runs (gh-106905)."""
    for module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        yield module.rpartition(".")[2]
        yield from re.findall(r"\w+", names)
