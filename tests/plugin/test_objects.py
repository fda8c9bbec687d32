"""Where a program changes objects, by the syntax of its modules: each line says of which class, and which attribute."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from mypy.errors import Errors
from mypy.nodes import MypyFile, SymbolTable
from mypy.options import Options
from mypy.parse import parse

from jaxtyped_static_mypy.facts.objects.all_uses import read_all_uses
from jaxtyped_static_mypy.facts.objects.keeping import keep_uses, kept_uses
from jaxtyped_static_mypy.facts.objects.module_uses import read_uses
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import REFUSED_WHEN_FROZEN, ModuleUses
from jaxtyped_static_mypy.memory import clear
from tests.plugin.changed_objects import CONFIG, PROGRAMS


def tree(name: str, source: str) -> MypyFile:
    options: Any = Options()
    options.native_parser = False
    parsed: Any = parse(textwrap.dedent(source), f"{name}.py", name, Errors(options), options)
    file: Any = parsed[0] if isinstance(parsed, tuple) else parsed
    file._fullname, file.names = name, SymbolTable()
    return file  # type: ignore[no-any-return]


def marks(source: str) -> list[tuple[int, str]]:
    lines = textwrap.dedent(source).split("\n")
    return [
        (line, found[1]) for line, text in enumerate(lines, 1) if (found := re.search(r"# ([\w?]+\.[\w*]+)$", text))
    ]


def calls_in(work: Callable[[], object]) -> int:
    """How many functions of Python this calls."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def last_name(cls: str | None) -> str:
    return cls.rpartition(".")[2] if cls is not None else "?"


@pytest.mark.parametrize("title", PROGRAMS)
def test_each_change_of_an_object_is_found_with_its_class(title: str) -> None:
    files = {"config": tree("config", CONFIG), "app": tree("app", PROGRAMS[title])}
    uses = {name: read_uses(file) for name, file in files.items()}
    program = KnownModules(uses.get)
    found = [(one.line, f"{last_name(program.class_of(one.owner))}.{one.attribute}") for one in uses["app"].changes]
    assert sorted(found) == marks(PROGRAMS[title])


@pytest.mark.parametrize("title", PROGRAMS)
def test_what_a_module_keeps_says_the_same_without_lines(title: str) -> None:
    files = {"config": tree("config", CONFIG), "app": tree("app", PROGRAMS[title])}
    for file in files.values():
        keep_uses(file)
    kept: dict[str, ModuleUses | None] = {name: kept_uses(file) for name, file in files.items()}
    program, app = KnownModules(kept.get), kept["app"]
    found = {(last_name(program.class_of(one.owner)), one.attribute) for one in (app.changes if app else ())}
    assert found == {tuple(mark.split(".")) for _, mark in marks(PROGRAMS[title])}


def test_what_is_kept_does_not_change_when_lines_move() -> None:
    source = PROGRAMS["a part of an object"]
    first, second = tree("app", source), tree("app", "\n\n# more\n" + textwrap.dedent(source))
    for file in (first, second):
        keep_uses(file)
    assert kept_uses(first) == kept_uses(second)


def test_what_a_module_has_lost_is_read_again() -> None:
    file = tree("app", PROGRAMS["a part of an object"])
    keep_uses(file)
    kept = kept_uses(file)
    file.names.clear()  # as the daemon does when it analyses a module again because of another one
    clear()
    assert kept_uses(file) == kept


def test_a_call_says_what_is_called_where_and_whether_a_loop_does() -> None:
    source = """
        from config import Config, make

        def f(a: Config):
            make()
            for i in make().layers:
                Config(i)
            while make():
                a.copy_of_solver()
            [Config(i) for i in range(make())]
            print(len("x"))
    """
    uses = {"config": read_all_uses(tree("config", CONFIG)), "app": read_all_uses(tree("app", source))}
    program = KnownModules(uses.get)
    calls = (use for use in uses["app"].uses if use.is_call)
    found = [(program.definition(call.what), call.line, call.is_repeated) for call in calls]
    assert sorted(found, key=lambda one: one[1:]) == [
        ("config.make", 5, False),
        ("config.make", 6, False),
        ("config.Config", 7, True),
        ("config.make", 8, True),
        ("config.Config.copy_of_solver", 9, True),
        ("config.make", 10, False),
        ("config.Config", 10, True),
    ]


def test_what_forces_a_change_is_known_from_what_a_frozen_class_refuses() -> None:
    source = """
        class Config:
            def f(self, name):
                self.a = 1
                object.__setattr__(self, "b", 1)
                object.__setattr__(self, name, 1)
                del self.c
    """
    found = {(change.attribute, change.how in REFUSED_WHEN_FROZEN) for change in read_uses(tree("app", source)).changes}
    assert found == {("a", True), ("b", False), ("*", False), ("c", True)}


def test_names_of_star_imports_are_found_through_packages_that_import_each_other() -> None:
    files = {
        "config": tree("config", CONFIG),
        "one": tree("one", "from two import *"),
        "two": tree("two", "from one import *\nfrom config import *"),
        "app": tree("app", "from one import Config\ndef f(a: Config): a.dt = 1"),
    }
    uses = {name: read_uses(file) for name, file in files.items()}
    assert [KnownModules(uses.get).class_of(change.owner) for change in uses["app"].changes] == ["config.Config"]


@pytest.mark.parametrize(
    "part",
    [
        "state = state.replace(x=1)\n",
        "a = b if c else d\nb = a if c else d\nd = a if c else b\n",
        "x{i} = C()\nx{i}.a = 1\n",
        "for i in state: state.x = 1\n",
        "if g({i}): state.f(g({i}))\n",
        "if state.x is None: state.x = g({i})\n",
    ],
)
def test_the_work_grows_as_a_function_does(part: str) -> None:
    def work(count: int) -> int:
        body = "".join(part.replace("{i}", str(i)) for i in range(count)) + "state.x = 1\n"
        file = tree("app", "class C: ...\ndef g(i): ...\ndef f(state):\n" + textwrap.indent(body, "    "))
        return calls_in(lambda: read_all_uses(file))

    assert work(200) < 2.5 * work(100)
