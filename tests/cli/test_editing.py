"""Edits keep everything else as it was: formatting, comments, encoding and line endings."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import libcst as cst
import pytest

from jaxtyped_static_cli.editing.documents import EXPRESSION, Document, Unreadable
from jaxtyped_static_cli.editing.edits import Edit, edited
from jaxtyped_static_cli.editing.imports import Import, spelling
from jaxtyped_static_cli.editing.keywords import (
    argument,
    decorator_with,
    decorator_without,
    with_keyword,
    without_keyword,
)
from jaxtyped_static_cli.editing.writing import difference, write

PROGRAM = """\
import functools

# The width.
x = 1  # wide

for i in range(3):  # thrice
    y = x
"""


def replaced(content: bytes, old: str, new: str, *, edit: Edit | None = None) -> bytes:
    document = Document(content)
    node = next(node for node in document.all(EXPRESSION) if document.code(node) == old)
    return edited(document, [Edit({node: cst.parse_expression(new)}), *([edit] if edit else [])])


@pytest.mark.parametrize(
    "content",
    [
        PROGRAM.encode(),
        PROGRAM.replace("\n", "\r\n").encode(),
        codecs.BOM_UTF8 + PROGRAM.encode(),
        b"# -*- coding: latin-1 -*-\n# \xe9\xe8\n" + PROGRAM.encode(),
        PROGRAM.rstrip().encode(),
        PROGRAM.replace("    y", "\ty").encode(),
    ],
    ids=["plain", "crlf", "bom", "latin-1", "no newline at the end", "tabs"],
)
def test_only_what_is_edited_changes(content: bytes) -> None:
    assert replaced(content, "1", "[2]") == content.replace(b"x = 1", b"x = [2]")


def test_what_cannot_be_edited_is_refused() -> None:
    for content in (b"def f(:\n", b"x = '\xe9'\n", b"# -*- coding: no-such -*-\n"):
        with pytest.raises(Unreadable):
            Document(content)


def test_places_are_those_that_mypy_counts_in_bytes() -> None:
    document = Document('name = "é", [1]\n'.encode())
    found = document.starting_at(document.place(1, 14), cst.List)
    assert found is not None and document.code(found) == "[1]"


def test_the_outermost_node_starts_and_the_innermost_is_around() -> None:
    document = Document(b"f(a.b.c, [1, 2])\n")
    starting = document.starting_at((1, 2), EXPRESSION)
    around = document.around((1, 10), EXPRESSION)
    assert starting is not None and document.code(starting) == "a.b.c"
    assert around is not None and document.code(around) == "1"


def test_a_statement_goes_before_another_with_its_comments_above() -> None:
    document = Document(PROGRAM.encode())
    loop = next(document.all(cst.For))
    first = cst.ensure_type(cst.parse_statement("z = 1\n"), cst.SimpleStatementLine)
    assert edited(document, [Edit(before={loop: [first]})]).decode() == PROGRAM.replace("\nfor", "\nz = 1\nfor")


def test_edits_overlap_if_one_is_inside_what_the_other_replaces() -> None:
    document = Document(b"f([1, 2], 3)\n")
    number, items, last = (
        Edit({next(node for node in document.all(EXPRESSION) if document.code(node) == code): cst.Name("x")})
        for code in ("1", "[1, 2]", "3")
    )
    assert number.overlaps(items, document) and items.overlaps(number, document) and items.overlaps(items, document)
    assert not last.overlaps(items, document)


@pytest.mark.parametrize(
    ("before", "text", "missing"),
    [
        ("import functools", "functools.partial", None),
        ("from functools import partial as p", "p", None),
        ("from functools import wraps", "partial", Import("functools", "partial")),
        ("partial = 1", "functools.partial", Import("functools")),
    ],
)
def test_a_function_is_spelled_as_the_file_spells_it(before: str, text: str, missing: Import | None) -> None:
    assert spelling(Document(f"{before}\n".encode()), "functools.partial") == (text, missing)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("import jax.numpy as jnp", "jnp.where"),
        ("from jax import numpy", "numpy.where"),
        ("import jax", "jax.numpy.where"),
        ("import os", "jnp.where"),
        ("import jax.numpy", "jax.numpy.where"),
        ("from jax.numpy import where", "where"),
        ("jnp = 1", "jax.numpy.where"),
    ],
)
def test_a_module_gets_its_usual_name(before: str, text: str) -> None:
    found = spelling(Document(f"{before}\n".encode()), "jax.numpy.where")
    assert found is not None and found.text == text


def test_nothing_is_spelled_with_a_name_that_means_something_else() -> None:
    assert spelling(Document(b"partial = functools = 1\n"), "functools.partial") is None


IMPORTING = """\
\"\"\"Title.\"\"\"

from __future__ import annotations

from dataclasses import dataclass, field

x: int = field()
"""
IMPORTED = """\
\"\"\"Title.\"\"\"

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

x: int = partial(1)
"""


def test_imports_are_added_once_and_removed_when_unused() -> None:
    edit = Edit(imports=(Import("functools", "partial"),) * 2, unneeded=(Import("dataclasses", "field"),))
    assert replaced(IMPORTING.encode(), "field()", "partial(1)", edit=edit).decode() == IMPORTED


def test_a_file_does_not_begin_with_the_blank_line_after_a_removed_import() -> None:
    edit = Edit(unneeded=(Import("dataclasses", "field"),))
    text = b"from dataclasses import field\n\nimport jax\n\nx = field()\n"
    assert replaced(text, "field()", "1", edit=edit) == b"import jax\n\nx = 1\n"
    assert replaced(b"# Title\n" + text, "field()", "1", edit=edit) == b"# Title\n\nimport jax\n\nx = 1\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()", "f(k=1)"),
        ("f(a)", "f(a, k=1)"),
        ("f(a, )", "f(a, k=1, )"),
        ("f(a, k = 2, b=3)", "f(a, k = 1, b=3)"),
        ("f(\n    a,\n    b,  # two\n)", "f(\n    a,\n    b,  # two\n    k=1,\n)"),
        ("f(\n    a\n)", "f(\n    a,\n    k=1\n)"),
    ],
)
def test_a_keyword_is_set(before: str, after: str) -> None:
    call = cst.ensure_type(cst.parse_expression(before), cst.Call)
    assert cst.Module([]).code_for_node(with_keyword(call, "k", "1")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(k=1)", "f()"),
        ("f( k=1 )", "f()"),
        ("f(a, k=1)", "f(a)"),
        ("f(k=1, a=2)", "f(a=2)"),
        ("f(\n    a,\n    k=1,\n)", "f(\n    a,\n)"),
    ],
)
def test_a_keyword_is_removed(before: str, after: str) -> None:
    call = cst.ensure_type(cst.parse_expression(before), cst.Call)
    assert argument(call, "k") is not None and argument(call, "z") is None
    assert cst.Module([]).code_for_node(without_keyword(call, "k")) == after


def test_a_decorator_has_brackets_only_for_arguments() -> None:
    bare = cst.parse_expression("dataclass")
    called = decorator_with(bare, "frozen", "True")
    code = cst.Module([]).code_for_node
    assert code(called) == "dataclass(frozen=True)" and code(decorator_without(called, "frozen")) == "dataclass"


def test_a_file_that_changed_after_it_was_read_is_left_alone(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    for path in (old, new):
        path.write_bytes(b"x = 1")
    os.utime(old, (100, 100))
    failed = write(dict.fromkeys((old, new), b"x = 2\n"), read_at=200)
    assert (old.read_bytes(), new.read_bytes()) == (b"x = 2\n", b"x = 1")
    assert failed == {new: "it changed while it was checked"}


def test_a_difference_says_where_the_last_line_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1")
    shown = list(difference({path: b"x = 2\n"}))[3:]
    assert shown == ["-x = 1\n\\ No newline at end of file\n", "+x = 2\n"]


def test_a_difference_has_the_lines_that_patch_sees(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n\x0c\ny = 2\r\n")
    shown = list(difference({path: b"x = 3\n\x0c\ny = 2\r\n"}))[2:]
    assert shown == ["@@ -1,3 +1,3 @@\n", "-x = 1\n", "+x = 3\n", " \x0c\n", " y = 2\r\n"]
