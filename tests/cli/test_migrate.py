"""`jaxtyped-static migrate` moves static parameters into the annotations, and changes nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jaxtyped_static_cli.migrating.migration import propose
from jaxtyped_static_cli.migrating.planning import Wanted
from tests.cli.running import run, write
from tests.e2e.environments import ROOT

pytestmark = pytest.mark.xdist_group("light")

PAGE = (ROOT / "docs" / "migrate.md").read_text()


BEFORE, AFTER = re.findall(r"```python good run\n(.*?)```", PAGE, re.DOTALL)


# Each function and what becomes of it: the static parameters, or the reason why it is left.
SPELLINGS = """\
import functools
import sys
from dataclasses import dataclass
from functools import partial as p
from typing import Callable, ParamSpec, TypeVar

import jax
import jax as j
import jax_dataclasses as jdc
from jax import jit as compiled

NAMES = ("n",)
BOTH = ["n", "m"]
static = p(jax.jit, static_argnames=NAMES)


@static
def by_alias(x: int, n: int) -> None: ...  # n


@p(compiled, static_argnums=[1, 2])
def by_number(x: int, n: int, m: "int", /) -> None: ...  # n, m


@functools.partial(j.jit, static_argnames=BOTH)
def by_constant(x: int, n: int, *, m: int) -> None: ...  # n, m


def called(x: int, n: int) -> None: ...  # n


called = jax.jit(called, static_argnums=1)


def twice(x: int, n: int) -> None: ...  # n


first, second = jax.jit(twice, static_argnames="n"), p(jax.jit, static_argnums=(1,))(twice)


@jdc.jit
def marked(x: int, n: jdc.Static[int], *, m: jdc.Static[tuple[int, ...]] = ()) -> None: ...  # n, m


@jdc.jit(donate_argnums=0)
def marked_by_position(x: int, n: jdc.Static["int"], /) -> None: ...  # n


StaticInt = jdc.Static[int]


@jdc.jit
def marked_by_alias(x: int, n: jdc.Static[int], m: StaticInt) -> None: ...  # unverified


class Outer:
    @dataclass(frozen=True)
    class Inner:
        @jax.jit(static_argnames=("self", "n"))
        def method(self, n: int) -> None: ...  # self, n

        @classmethod
        @jax.jit(static_argnums=0)
        def made(cls, x: int) -> None: ...  # cls

        @p(jax.jit, static_argnums=0, static_argnames="n")
        def keyword_only(self, x: int, *, n: int) -> None: ...  # self, n

        @p(jax.jit, static_argnums=0, static_argnames="n")
        def one_way(self, x: int, n: int) -> None: ...  # one-way


@p(jax.jit, static_argnums=-1)
def from_the_end(x: int, n: int) -> None: ...  # negative


@p(jax.jit, static_argnames="n")
def into_kwargs(x: int, **kwargs: int) -> None: ...  # variadic


@p(jax.jit, static_argnames="n")
def bare(x, n) -> None: ...  # unannotated


@p(jax.jit, static_argnames="n")
def no_type(x: int, n: (int, str)) -> None: ...  # annotation


@p(jax.jit, static_argnames="n")
@jax.checkpoint
def wrapped(x: int, n: int) -> None: ...  # decorated


@p(jax.jit, static_argnames=NAMES + ("m",))
def summed(x: int, n: int, m: int) -> None: ...  # n, m


@p(jax.jit, static_argnames=[*NAMES, "m"])
def unpacked(x: int, n: int, m: int) -> None: ...  # n, m


@p(jax.jit, static_argnames="n" + "m")
def joined(x: int, nm: int) -> None: ...  # computed


@p(jax.jit, static_argnames=(*"nm",))
def spelled(x: int, n: int, m: int) -> None: ...  # computed


@p(jax.jit, static_argnums=tuple(range(1, 2)))
def counted(x: int, n: int) -> None: ...  # computed


def named(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


def hiding(function):
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


F = TypeVar("F")


def typed(function: F) -> F:
    return globals()["hiding"](function)


@p(jax.jit, static_argnames=("n",), donate_argnums=0)  # its decorators
@named
def passed_on(x: int, n: int) -> None: ...  # n


P = ParamSpec("P")


def unbound(function) -> Callable[P, int]:
    @functools.wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> int:
        return function(*args, **kwargs)

    return inner


@p(jax.jit, static_argnames="n")
@unbound
def below_unbound(x: int, *, n: int) -> int: ...  # n


@p(jax.jit, static_argnames="n")
@named
@hiding
def hidden(x: int, n: int) -> None: ...  # decorated


@p(jax.jit, static_argnames="n")
@typed
def only_typed(x: int, n: int) -> None: ...  # decorated


if sys.platform == "win32":

    @jax.jit(static_argnames="n")
    def unseen(x: int, n: int) -> None: ...  # unverified


def disagreeing(x: int, n: int) -> None: ...  # disagree


third, fourth = jax.jit(disagreeing, static_argnums=1), jax.jit(disagreeing)
"""


def migrated(project: Path, source: str, *arguments: str) -> str:
    """Returns what becomes of a file."""
    write(project, {"main.py": source})
    said = run(project, "migrate", "--write", *arguments)
    assert said.errors == "", said
    return (project / "main.py").read_text()


def test_the_documented_edit_is_made(tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text(BEFORE)
    (file,) = propose([path], Wanted()).files
    assert file.content.decode() == AFTER


@pytest.mark.thorough
def test_the_documented_program_becomes_the_documented_one(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": BEFORE})
    shown = run(tmp_path, "migrate", cache)
    assert (tmp_path / "main.py").read_text() == BEFORE
    assert "+@jit(donate_argnums=0)\n" in shown.out and shown.code == 1
    assert migrated(tmp_path, BEFORE, cache) == AFTER
    again = run(tmp_path, "migrate", cache)
    assert (again.out, again.code) == ("Nothing to change\n", 0)


@pytest.mark.thorough
def test_every_spelling_is_read_and_what_is_left_has_a_reason(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": SPELLINGS})
    report = json.loads(run(tmp_path, "migrate", cache, "--format=json").out)
    became = {one["function"]: ", ".join(one["static"]) for one in report["changed"]}
    became |= {one["function"]: one["reason"] for one in report["left"]}
    expected = re.findall(r"^ *def (\w+)\(.*# ([\w-]+(?:, \w+)*)$", SPELLINGS, re.MULTILINE)
    assert {name.rpartition(".")[2]: what for name, what in became.items()} == dict(expected)


@pytest.mark.thorough
def test_jax_is_told_the_same(tmp_path: Path) -> None:
    """JAX itself is asked, by running the program before and after."""
    path = tmp_path / "main.py"
    # Whether a decorator passes the parameters on is known only to the checker.
    source = "\n\n\n".join(part for part in SPELLINGS.split("\n\n\n") if not part.endswith("# decorated"))
    path.write_text(source)
    (file,) = propose([path], Wanted()).files
    was, now = told(source), told(file.content.decode())
    assert was == now and len(was) > 10


def told(source: str) -> dict[str, object]:
    """Returns what JAX knows of each compiled function: its static and donated parameters."""
    namespace: dict[str, Any] = {"__name__": "main"}
    exec(compile(source, "main.py", "exec"), namespace)
    holders = {"": namespace, "Inner.": vars(namespace["Outer"].Inner)}
    found = {f"{at}{name}": value for at, holder in holders.items() for name, value in list(holder.items())}
    infos = {name: getattr(getattr(value, "__func__", value), "_jit_info", None) for name, value in found.items()}
    return {name: _lists(info, name) for name, info in infos.items() if info is not None}


def _lists(info: Any, name: str) -> tuple[set[object], ...]:
    lists = (info.static_argnums, info.static_argnames, info.donate_argnums, info.donate_argnames)
    # A method call never passes its object by name.
    return tuple(set(each) - ({"self", "cls"} if name.startswith("Inner.") else set()) for each in lists)


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_the_bytes_of_all_other_lines_stay(ending: str, encoding: str, tmp_path: Path) -> None:
    lines = ["import jax", "", "@jax.jit(", "    static_argnames=[", "        'n',  # größe", "    ],", ")"]
    lines += ["def f(  x, n : int=2  ): return x   ;", "é = 'ß'  ", ""]
    header = ["# -*- coding: latin-1 -*-"] if encoding == "latin-1" else []
    path = tmp_path / "main.py"
    path.write_bytes(ending.join([*header, *lines]).encode(encoding))
    (file,) = propose([path], Wanted()).files
    expected = ["from jaxtyped_static import Static, jit", "", "# größe", "@jit"]
    expected += ["def f(  x, n : Static[int]=2  ): return x   ;", "é = 'ß'  ", ""]
    assert file.content == ending.join([*header, *expected]).encode(encoding)


def test_an_import_stays_that_another_module_imports_from_the_file(tmp_path: Path) -> None:
    source = "import jax\nfrom functools import partial\n@partial(jax.jit, static_argnums=0)\ndef f(n: int): ...\n"
    write(tmp_path, {"one.py": source, "two.py": "from .one import (\n    partial,\n)\n"})
    (file,) = propose(sorted(tmp_path.glob("*.py")), Wanted()).files
    assert b"from functools import partial\n" in file.content and b"import jax\n" not in file.content


PARTIAL = "import jax\nfrom functools import partial\n@partial(jax.jit, static_argnums=0)\ndef f(n: int): ...\n"


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("", "from one import *\n"),
        ("", "import one\none.partial(print)\n"),
        ("", "import importlib\nimportlib.import_module('one').partial\n"),
        ("", "from unittest import mock\nmock.patch('one.partial')\n"),
        ("eval('partial')\n", ""),
        ("globals()['par' + 'tial']\n", ""),
        ("__all__ = ['partial']\n", ""),
    ],
)
def test_an_import_stays_that_other_code_may_read(own: str, other: str, tmp_path: Path) -> None:
    write(tmp_path, {"one.py": PARTIAL + own, "two.py": other})
    (file,) = propose(sorted(tmp_path.glob("*.py")), Wanted()).files
    assert b"from functools import partial\n" in file.content


def test_an_import_goes_that_other_files_have_of_their_own(tmp_path: Path) -> None:
    write(
        tmp_path, {"one.py": PARTIAL, "two.py": "import functools\nfrom functools import partial\nfunctools.partial\n"}
    )
    (file,) = propose(sorted(tmp_path.glob("*.py")), Wanted()).files
    assert b"partial" not in file.content and b"import jax\n" not in file.content


MODEL = """\
{imports}from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import jax

import pk as js

if TYPE_CHECKING:
    from pk.data import Data


@partial(jax.jit, static_argnames="mode")
def energy(x: int, data: {data}, later: {later}, *, mode: str | None = None) -> int:
    return x


class Later(NamedTuple):
    y: int
"""


DATA = "from typing import NamedTuple\n\n\nclass Data(NamedTuple):\n    y: int\n"


@pytest.mark.parametrize(
    "data",
    ["js.data.Data", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("Data", "list[js.data.Data] | None"))],
)
@pytest.mark.parametrize("is_postponed", [True, False], ids=["postponed", "in quotes"])
def test_a_program_that_is_migrated_can_be_imported(
    tmp_path: Path, cache: str, data: str, *, is_postponed: bool
) -> None:
    imports = "from __future__ import annotations\n\n" if is_postponed else ""
    quote = "" if is_postponed else '"'
    text = MODEL.format(imports=imports, data=f"{quote}{data}{quote}", later=f"{quote}Later{quote}")
    write(tmp_path, {"pk/__init__.py": "from . import model\nfrom . import data\n", "pk/model.py": text})
    write(tmp_path, {"pk/data.py": DATA})
    said = run(tmp_path, "migrate", cache, "--write")
    assert said.code == 0 and "Static[str | None]" in (tmp_path / "pk/model.py").read_text(), said
    command = [sys.executable, "-c", "import pk.model; print(pk.model.energy)"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
