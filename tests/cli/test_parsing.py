"""Python's own parser, used where nothing of mypy is needed."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from jaxtyped_static_cli.files.parsing import parsed_by_python


def test_another_thread_that_parses_at_the_same_time_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, failures = ast.parse, [SystemError("AST constructor recursion depth mismatch (before=153, after=55)")]

    def parse_beside_another(source: Any) -> Any:
        if failures:
            raise failures.pop()
        return parse(source)

    monkeypatch.setattr(ast, "parse", parse_beside_another)
    assert parsed_by_python("x = 1\n") is not None


@pytest.mark.parametrize("source", ["x = \n", b"\xff\n", "(" * 1000 + ")" * 1000])
def test_what_cannot_be_parsed_has_no_tree(source: str | bytes) -> None:
    assert parsed_by_python(source) is None
