"""`check --fix` mends what it can, and leaves everything else as it was."""

from __future__ import annotations

import codecs
import hashlib
import json
from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.causes import Finding
from jaxtyped_static_cli.fixes.results import Result, result_of
from jaxtyped_static_cli.fixes.table import FIXES
from jaxtyped_static_cli.fixes.uncovering import caused, scope_of
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, Span
from jaxtyped_static_cli.mypy_runs.runs import Checked, Outcome
from jaxtyped_static_mypy.reporting import finding as data
from jaxtyped_static_mypy.reporting.finding import Place
from jaxtyped_static_mypy.reporting.positions import STATIC_ARGUMENT
from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import CONFIG, run, write

pytestmark = pytest.mark.xdist_group("light")

FIXED_STEPS = STEPS.replace("list[int]", "tuple[int, ...]")
FIXED_SOLVER = SOLVER.replace("@dataclass", "@dataclass(frozen=True)")
CHANGED_LINES = "\n-@dataclass\n+@dataclass(frozen=True)\n class Solver:\n"


def files(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (project / "app").iterdir() if path.is_file()}


def test_fixes_are_counted_shown_and_made(project: Path, cache: str) -> None:
    before = files(project)
    assert "2 fixable with --fix.\n" in run(project, "check", cache).out
    shown = run(project, "check", cache, "--diff")
    assert shown.out.startswith("--- app/solver.py\n+++ app/solver.py\n@@ -1,6 +1,6 @@\n")
    assert CHANGED_LINES in shown.out and shown.code == 1 and files(project) == before
    made = run(project, "check", cache, "--fix")
    named = "Fixed 2 problems in 2 files:\n  app/solver.py\n  app/steps.py\n"
    assert made.out.startswith(f"{named}Nothing found.\n") and made.code == 0, made.errors
    assert files(project)["solver.py"].decode() == FIXED_SOLVER and files(project)["steps.py"].decode() == FIXED_STEPS
    again = run(project, "check", cache, "--diff")
    assert (again.out, again.code) == ("", 0)
    assert run(project, "check", cache, "--fix").out.startswith("Nothing found.\n")


def test_what_can_be_fixed_is_looked_for_again_when_any_file_has_changed(project: Path, tmp_path: Path) -> None:
    cache = f"--cache-dir={tmp_path / 'own-cache'}"
    assert "2 fixable with --fix.\n" in run(project, "check", cache).out
    remembered = tmp_path / "own-cache" / "fixable.json"
    kept = json.loads(remembered.read_text())
    forgotten = {**kept, "fixes": [(name, None) for name, _ in kept["fixes"]]}
    parts = (forgotten["of"], forgotten["states"], forgotten["fixes"])
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    remembered.write_text(json.dumps({**forgotten, "digest": digest}))
    assert "fixable" not in run(project, "check", cache).out
    write(project, {"app/other.py": "def slow_down(solver):\n    solver.dt = 0.1\n"})
    assert "1 fixable with --fix, 1 more with --unsafe-fixes.\n" in run(project, "check", cache).out
    remembered.write_text("[]")
    assert "1 fixable with --fix" in run(project, "check", cache).out


@pytest.mark.thorough
def test_only_selected_findings_are_fixed(project: Path, cache: str) -> None:
    before = files(project)
    assert run(project, "check", cache, "--fix", "--select=jit").code == 0
    assert files(project) == before


@pytest.mark.thorough
def test_what_a_baseline_accepts_is_left(project: Path, cache: str) -> None:
    run(project, "check", cache, "--write-baseline")
    before = files(project)
    assert run(project, "check", cache, "--fix", "--baseline=jaxtyped-static-baseline.json").code == 0
    assert files(project) == before


def test_values_that_are_written_out_change_with_their_type(project: Path, cache: str) -> None:
    calls = (
        "\n\nsecond(1, Solver(0.1), [1, 2])  # two\n\n\ndef call() -> None:\n    second(1, Solver(0.1), sizes=[1])\n"
    )
    write(project, {"app/solver.py": FIXED_SOLVER, "app/steps.py": STEPS + calls})
    run(project, "check", cache, "--fix")
    assert files(project)["steps.py"].decode() == FIXED_STEPS + calls.replace("[1, 2]", "(1, 2)").replace("[1]", "(1,)")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "elsewhere",
    [
        "def slow(solver: Solver) -> None:\n    solver.dt = 0.1\n",
        "def slow(solver):\n    solver.dt *= 2\n",
        "def slow(solver):\n    setattr(solver, 'dt', 1)\n",
        "class Slow(Solver):\n    def slow(self):\n        self.dt = 1\n",
    ],
    ids=["typed", "untyped", "setattr", "subclass"],
)
def test_a_class_whose_fields_are_assigned_to_is_not_frozen(project: Path, cache: str, elsewhere: str) -> None:
    write(project, {"app/other.py": f"from app.solver import Solver\n\n\n{elsewhere}"})
    said = run(project, "check", cache, "--fix", "app/steps.py", "app/solver.py")
    assert files(project)["solver.py"].decode() == SOLVER and said.code == 1
    assert "1 fixable with --fix --unsafe-fixes." in said.out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("head", "fixed"),
    [
        ("@dataclass(eq=False)\nclass Solver:", "@dataclass(frozen=True)\nclass Solver:"),
        ("@dataclass(eq=False, repr=False)\nclass Solver:", "@dataclass(repr=False, frozen=True)\nclass Solver:"),
    ],
)
def test_a_class_that_is_frozen_is_also_compared_by_value(project: Path, cache: str, head: str, fixed: str) -> None:
    by_identity = SOLVER.replace("@dataclass\nclass Solver:", head)
    write(project, {"app/solver.py": by_identity})
    run(project, "check", cache, "--fix")
    assert files(project)["solver.py"].decode() == by_identity
    run(project, "check", cache, "--fix", "--unsafe-fixes")
    assert files(project)["solver.py"].decode() == SOLVER.replace("@dataclass\nclass Solver:", fixed)


@pytest.mark.thorough
def test_other_classes_may_assign_to_attributes_of_the_same_name(project: Path, cache: str) -> None:
    write(project, {"app/other.py": "class Clock:\n    def __init__(self) -> None:\n        self.dt = 1\n"})
    run(project, "check", cache, "--fix")
    assert files(project)["solver.py"].decode() == FIXED_SOLVER


DERIVED = """\
from dataclasses import dataclass

from app.solver import Solver


@dataclass
class Slow(Solver):
    order: int
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("file", "slower"),
    [
        ("other", "def slower(solver: Solver) -> None:\n    solver.dt = 1.0\n"),
        ("other", "class Slow(Solver):\n    def slower(self) -> None:\n        self.dt = 1.0\n"),
        ("solver", "    def __post_init__(self) -> None:\n        self.dt = 1.0\n"),
    ],
    ids=["anywhere", "below", "making"],
)
def test_no_fix_is_offered_that_would_be_undone(project: Path, cache: str, file: str, slower: str) -> None:
    begins = {"other": "from app.solver import Solver\n\n\n", "solver": f"{SOLVER}\n"}
    write(project, {f"app/{file}.py": begins[file] + slower})
    before = files(project)["solver.py"]
    assert "1 fixable with --fix.\n" in run(project, "check", cache).out
    said = run(project, "check", cache, "--fix", "--unsafe-fixes")
    assert files(project)["solver.py"] == before and said.errors == ""


@pytest.mark.thorough
def test_a_fix_that_leads_to_another_error_is_undone(project: Path, cache: str) -> None:
    write(project, {"app/other.py": DERIVED})
    said = run(project, "check", cache, "--fix", "--unsafe-fixes")
    assert files(project)["solver.py"].decode() == SOLVER and files(project)["steps.py"].decode() == FIXED_STEPS
    undone = "static-mutable: not fixed: the fix was undone, because it leads to another error"
    harm = "app/other.py:7: Non-frozen dataclass cannot inherit from a frozen dataclass  [misc]"
    assert (said.errors, said.code) == (f"app/solver.py:5: {undone}: {harm}\n", 1)
    shown = run(project, "check", cache, "--diff", "--unsafe-fixes")
    assert (shown.out, shown.code) == ("", 0)
    assert shown.errors == f"{said.errors}Nothing to change.\n"


@pytest.mark.thorough
def test_encoding_and_line_endings_stay(project: Path, cache: str) -> None:
    text = "# é\r\n" + STEPS.replace("\n", "\r\n")
    (project / "app/steps.py").write_bytes(codecs.BOM_UTF8 + text.encode())
    run(project, "check", cache, "--fix")
    assert files(project)["steps.py"] == codecs.BOM_UTF8 + text.replace("list[int]", "tuple[int, ...]").encode()


OUTER = """\
from dataclasses import dataclass

from app.inner import Solver as Solver


@dataclass(frozen=True)
class Outer:
    inner: Solver
"""


@pytest.mark.thorough
def test_a_field_is_found_through_the_classes_above_it(project: Path, cache: str) -> None:
    field = "    sizes: list[int] = field(default_factory=lambda: [1])  # levels\n"
    inner = FIXED_SOLVER.replace("import dataclass", "import dataclass, field") + field
    steps = STEPS.replace("Static[Solver], sizes", "Static[Outer], sizes").replace("import ", "import Outer, ", 1)
    write(project, {"app/inner.py": inner, "app/solver.py": OUTER, "app/steps.py": steps})
    said = run(project, "check", cache, "--fix", "--unsafe-fixes")
    expected = field.replace("list[int]", "tuple[int, ...]").replace("[1])", "(1,))")
    assert files(project)["inner.py"].decode() == inner.replace(field, expected) and said.code == 0, said.out


def test_the_docs_list_every_fix() -> None:
    page = (Path(__file__).parents[2] / "docs/check.md").read_text()
    listed = page.partition("## Fixing")[2].partition("## A baseline")[0]
    rows = [f"| {', '.join(f'`{code}`' for code in fix.codes)} | {fix.does} | {fix.is_safe_if} |" for fix in FIXES]
    assert [line for line in listed.splitlines() if line.startswith("| `")] == rows


LOOP = """\
from jaxtyped_static import jit


def steps(x: int) -> None:
    for i in range(3):
        jit(lambda y: abs(y))(x + i)  # one step


def step(x: int) -> int:
    return jit(lambda y: abs(y))(x)
"""
HOISTED = """\
from jaxtyped_static import jit


def steps(x: int) -> None:
    jitted = jit(lambda y: abs(y))
    for i in range(3):
        jitted(x + i)  # one step


_jitted = jit(lambda y: abs(y))


def step(x: int) -> int:
    return _jitted(x)
"""


@pytest.mark.thorough
def test_a_function_that_is_jitted_again_and_again_is_jitted_once(tmp_path: Path, cache: str) -> None:
    packaged = '[build-system]\nrequires = ["hatchling"]\n\n[project]\nname = "app"\n'
    texts = {"app/__init__.py": "from .steps import step as step\n", "app/steps.py": LOOP}
    write(tmp_path, {"pyproject.toml": f"{CONFIG}\n{packaged}", **texts})
    assert run(tmp_path, "check", cache, "--fix").code == 0
    assert files(tmp_path)["steps.py"].decode() == HOISTED


ARRAY_OR_NUMBER = """\
import jax
from jaxtyped_static import Static, jit


@jit
def ones(n: Static[int | jax.Array]) -> int:
    return 1


@jit
def array(x: {annotation}) -> int:
    return 1
"""


def test_a_static_parameter_that_need_not_be_an_array_stays_static(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"app/steps.py": ARRAY_OR_NUMBER.format(annotation="Static[jax.Array]")})
    run(tmp_path, "check", cache, "--fix", "--unsafe-fixes")
    assert files(tmp_path)["steps.py"].decode() == ARRAY_OR_NUMBER.format(annotation="jax.Array")


LISTED = """\
from jaxtyped_static import jit


@jit(static_argnames=("size",))
def step(x: int, sizes: dict[str, int]) -> int:
    return x
"""


def test_a_fix_that_uncovers_the_next_fault_is_kept(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"app/steps.py": LISTED})
    said = run(tmp_path, "check", cache, "--fix", "--unsafe-fixes", "--format=concise")
    assert files(tmp_path)["steps.py"].decode() == LISTED.replace('"size"', '"sizes"')
    assert "Fixed 1 problem in app/steps.py." in said.out and said.errors == "" and said.code == 1
    assert "static-mutable" in said.out and "jit-argnames" not in said.out


NAMED = """\
from typing import Any

from app.helpers import jit
from jax import jit as compiled


@{known}
def known(x: int, mode: str) -> int:
    return x


@jit
def helped(x: int, mode: str) -> int:
    return x
"""
HELPERS = """\
from typing import Any
import jax


def jit(function: Any) -> Any:
    return jax.jit(function)
"""


def test_what_compiles_a_function_is_known_by_more_than_its_name(tmp_path: Path, cache: str) -> None:
    """`compiled` is JAX's, and takes lists; the `jit` of the program takes none."""
    write(tmp_path, {"app/__init__.py": "", "app/helpers.py": HELPERS, "app/steps.py": NAMED.format(known="compiled")})
    run(tmp_path, "check", cache, "--fix", "--unsafe-fixes")
    with_list = 'partial(compiled, static_argnames="mode")'
    fixed = NAMED.format(known=with_list).replace("from typing", "from functools import partial\nfrom typing")
    assert files(tmp_path)["steps.py"].decode() == fixed


def error(code: str, line: int, message: str, position: Place | None = None) -> Diagnostic:
    reported = data.Finding(code, "", message, (), (("problem", message),), position=position)
    return Diagnostic(Span("steps.py", line, 1, line, 2), code, message, (), True, reported)


def argument(name: str, owner: str = "") -> Place:
    return Place(STATIC_ARGUMENT, name, owner)


def result(root: Path, *errors: Diagnostic) -> Result:
    return result_of(Outcome([Checked(errors, {})]), (), root)


@pytest.mark.parametrize(
    ("mended", "found", "is_caused"),
    [
        ("jit-argnames", error("static-mutable", 5, "list is mutable; use tuple", argument("n")), False),
        ("jit-branch", error("jit-branch", 6, "this branch depends on a traced value"), False),
        ("static-marker", error("static-hash", 12, "no hash", argument("n", "first")), False),
        ("jit-argnames", error("static-mutable", 12, "list is mutable", argument("n")), True),  # of another
        ("static-hash", error("static-dynamic", 5, "an array", argument("n")), True),  # only then hashed
        ("jit-self", error("static-mutable", 5, "not frozen", argument("self")), True),  # only then static
        ("jit-argnames", error("arg-type", 5, "incompatible type"), True),  # of mypy itself
    ],
)
def test_what_a_fix_uncovers_and_what_it_causes(
    tmp_path: Path, mended: str, found: Diagnostic, *, is_caused: bool
) -> None:
    (tmp_path / "steps.py").write_text(
        "\n\n\ndef first(x, n):\n    x\n    n\n\n\n\ndef second(n):\n    n\n    first(n)\n"
    )
    reported = data.Finding(mended, "", "", ())
    finding = Finding(mended, "", "", Span("steps.py", 4, 1, 4, 2), "", (), (), reported)
    before, after = result(tmp_path), result(tmp_path, found)
    scopes = {finding: scope_of(finding, tmp_path)}
    assert bool(caused(scopes, after, before, tmp_path)) == is_caused
    another = found.reported._replace(values=(("problem", f"{found.message} again"),))
    twice = result(tmp_path, found, found._replace(message=f"{found.message} again", finding=another))
    assert caused(scopes, twice, before, tmp_path)  # a fix uncovers one fault at most


@pytest.mark.parametrize(
    "elsewhere",
    [codecs.BOM_UTF8 + b"x = 1\n", b"x = 1\n\x0c\ny = 2\n", b"x = 1\n# \x00\n", b"# \xe2\x80\xa8 x\n"],
    ids=["byte order mark", "form feed", "NUL", "line separator"],
)
def test_odd_characters_elsewhere_make_no_fix_unsafe(project: Path, cache: str, elsewhere: bytes) -> None:
    (project / "app/other.py").write_bytes(elsewhere)
    run(project, "check", cache, "--fix", "app/steps.py", "app/solver.py")
    assert files(project)["solver.py"].decode() == FIXED_SOLVER


def test_a_form_feed_in_the_file_itself_moves_no_line(project: Path, cache: str) -> None:
    write(project, {"app/solver.py": f"# one\x0c two \u2028 three\n\x0c\n{SOLVER}"})
    run(project, "check", cache, "--fix")
    assert files(project)["solver.py"].decode() == f"# one\x0c two \u2028 three\n\x0c\n{FIXED_SOLVER}"
