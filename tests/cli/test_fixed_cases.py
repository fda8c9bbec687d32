"""What `--fix` makes of the faulty programs in the documentation, with the types of the real JAX."""

from __future__ import annotations

import ast
import io
import json
import tokenize
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from tests.cli.running import findings_of
from tests.rules.cases import load_programs

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("light")]

# Of the findings for which there is a fix, how many have to be gone; and of all findings.
OF_FIXABLE, OF_ALL = 0.95, 0.45
# What these report has no edit that a program could make: only the author knows what a call or a pytree lacks.
WITHOUT_FIXES = ("jax-call", "pytree-unflatten")


class Measured(NamedTuple):
    """The findings of programs before and after, and their sources before, after, and after a second run."""

    findings: Sequence[dict[str, Any]]
    left: Sequence[dict[str, Any]]
    sources: tuple[dict[str, str], dict[str, str], dict[str, str]]


def programs() -> dict[str, str]:
    """Faulty programs of one file and with no settings, by the names of their files."""
    chosen = [
        program
        for program in load_programs()
        if program.is_checked and len(program.states) == 1 and len(program.states[0]) == 1
        if not program.config and not program.jax and program.id.startswith("docs/")
    ]
    texts = [next(iter(program.states[0].values())) for program in chosen]
    return {f"case_{number:03}.py": text.text for number, text in enumerate(texts) if any(m.code for m in text.marks)}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> Measured:
    folder = tmp_path_factory.mktemp("cases")
    names = [name.removesuffix(".py") for name in programs()]
    # Each is a module for users: in an application, what only one of them defines would be code that nothing runs.
    (folder / "pyproject.toml").write_text(f"[build-system]\n\n[tool.setuptools]\npy-modules = {json.dumps(names)}\n")
    for name, text in programs().items():
        (folder / name).write_text(text)

    def check(*arguments: str) -> Sequence[dict[str, Any]]:
        return findings_of(folder, cache_with_jax, *arguments)

    def sources() -> dict[str, str]:
        return {path.name: path.read_text() for path in folder.glob("case_*.py")}

    findings, before = check(), sources()
    left, after = check("--fix", "--unsafe-fixes"), sources()
    check("--fix", "--unsafe-fixes")
    return Measured(findings, left, (before, after, sources()))


def test_most_of_what_can_be_fixed_is_fixed(measured: Measured) -> None:
    gone = Counter(map(_key, measured.findings)) - Counter(map(_key, measured.left))
    fixable = [one for one in measured.findings if one["fix"]]
    fixed = sum(gone[_key(one)] > 0 for one in fixable)
    print(f"{gone.total()} of {len(measured.findings)} findings are gone; {fixed} of the {len(fixable)} with a fix")
    counted = [one for one in measured.findings if one["code"] not in WITHOUT_FIXES]
    assert fixed >= OF_FIXABLE * len(fixable) and gone.total() >= OF_ALL * len(counted)


def test_no_program_has_more_findings_than_before(measured: Measured) -> None:
    before, after = (Counter(one["path"] for one in found) for found in (measured.findings, measured.left))
    assert after - before == Counter()


def test_fixing_twice_is_the_same_as_once(measured: Measured) -> None:
    _, once, twice = measured.sources
    assert once == twice


def test_programs_still_parse_and_keep_their_comments(measured: Measured) -> None:
    before, after, _ = measured.sources
    for name, text in after.items():
        ast.parse(text)
        assert not _comments(before[name]) - _comments(text), name


def _key(finding: dict[str, Any]) -> tuple[str, ...]:
    return finding["path"], finding["code"], finding["subject"], finding["problem"]


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
