"""`jaxtyped-static check` finds the causes of what is wrong, on any project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import CONFIG, Said, run, write

pytestmark = pytest.mark.xdist_group("light")

FULL = """\
static-mutable: Solver is not frozen
 --> app/solver.py:5:7
  |
4 | @dataclass
5 | class Solver:
  |       ^^^^^^
  = harm: raises an exception
  = help: declare it @dataclass(frozen=True)
  = where: app/steps.py:6:19 first: Static argument "solver"
  = where: app/steps.py:11:20 second: Static argument "solver"

static-mutable: list[int] is mutable
  --> app/steps.py:11:44
   |
10 | @jit
11 | def second(y: int, solver: Static[Solver], sizes: Static[list[int]]) -> int:
   |                                            ^^^^^^^^^^^^^^^^^^^^^^^^
   = harm: raises an exception
   = help: use tuple[int, ...] instead
   = where: second: Static argument "sizes"

Found 2 problems in 2 files: 2 exceptions
`jaxtyped-static rule static-mutable` explains the first. 2 fixable with --fix.
mypy has 1 error of its own: --all shows it.
"""


def found(said: Said) -> list[tuple[str, str, str]]:
    return [(one["path"], one["code"], one["subject"]) for one in json.loads(said.out)["findings"]]


def test_a_class_that_is_wrong_in_several_positions_is_one_finding_at_the_class(project: Path, cache: str) -> None:
    cold = run(project, "check", cache)
    assert cold.out.startswith(FULL), cold.errors
    assert "Checked 3 files" in cold.out
    warm = run(project, "check", cache)
    assert (warm.out.startswith(FULL), warm.code) == (True, 1)


def test_faults_at_one_place_have_the_class_in_common(project: Path, cache: str) -> None:
    """mypy drops the second of two equal notes."""
    write(project, {"app/solver.py": SOLVER.replace("@dataclass", "@dataclass(eq=False)")})
    data = json.loads(run(project, "check", cache, "--format=json").out)
    first, second = data["findings"]
    assert (first["path"], first["code"], first["subject"]) == ("app/steps.py", "static-mutable", "second: sizes")
    assert (second["path"], second["subject"]) == ("app/solver.py", "app.solver.Solver")
    assert any("hashed by identity" in text for text in (second["problem"], *second["notes"])), second
    assert len(second["positions"]) == 2


def test_a_class_that_holds_arrays_is_no_cause(project: Path, cache: str) -> None:
    """What is wrong is each place that makes it static."""
    traced = SOLVER.replace("Solver", "Traced").replace("dt: float", "dt: Dynamic[float]")
    imports = "from jax.tree_util import register_dataclass\nfrom jaxtyped_static import Dynamic\n"
    solver = imports + traced.replace("@dataclass", "@register_dataclass\n@dataclass(frozen=True)")
    write(project, {"app/solver.py": solver, "app/steps.py": STEPS.replace("Solver", "Traced")})
    paths = {path for path, code, _ in found(run(project, "check", cache, "--format=json")) if code == "static-dynamic"}
    assert paths == {"app/steps.py"}


def test_the_first_positions_are_shown_and_all_of_them_on_demand(project: Path, cache: str) -> None:
    more = [f"\n\n@jit\ndef more{number}(solver: Static[Solver]) -> None: ...\n" for number in range(3)]
    write(project, {"app/steps.py": "".join([STEPS, *more])})
    assert "= where: 2 more; --verbose lists them" in run(project, "check", cache).out
    assert run(project, "check", cache, "--verbose").out.count('Static argument "solver"') == 5


def test_the_exit_code_tells_what_happened(project: Path, cache: str) -> None:
    codes = [
        run(project, "check", cache, *arguments).code
        for arguments in (["app/solver.py"], ["app"], ["app", "--exit-zero"], ["no-such-folder"])
    ]
    assert codes == [0, 1, 0, 2]


def test_rules_are_chosen_by_code_and_by_beginning(project: Path, cache: str) -> None:
    assert run(project, "check", cache, "--select", "jit").code == 0
    assert run(project, "check", cache, "--select", "jit,static-mutable").code == 1
    assert run(project, "check", cache, "--ignore", "static").code == 0
    wrong = run(project, "check", cache, "--select", "static-mutabel")
    assert (wrong.errors, wrong.code) == ("error: there is no rule 'static-mutabel'; did you mean static-mutable?\n", 2)


def test_errors_of_mypy_are_counted_and_shown_on_demand(project: Path, cache: str) -> None:
    shown = run(project, "check", cache, "--all", "--format=concise").out
    assert "app/steps.py:12:12: return-value" in shown and "of its own" not in shown


def test_strict_reports_what_is_not_proved(project: Path, cache: str) -> None:
    lines = ["from typing import Any", "from jaxtyped_static import Static, jit", "@jit", "def f(x: Static[Any]): ..."]
    write(project, {"app/steps.py": "\n".join(lines)})
    assert run(project, "check", cache).code == 0
    assert found(run(project, "check", cache, "--strict", "--format=json"))[0][1] == "static-unverified"
    assert run(project, "check", cache).code == 0


def test_settings_are_those_of_the_project(project: Path, cache: str) -> None:
    write(project, {"pyproject.toml": CONFIG + '[tool.jaxtyped_static]\nstatic_types = ["app.solver.Solver"]\n'})
    assert [one[2] for one in found(run(project, "check", cache, "--format=json"))] == ["second: sizes"]
    write(project, {"pyproject.toml": CONFIG + "[tool.jaxtyped_static]\nstrickt = true\n"})
    wrong = run(project, "check", cache)
    assert "unknown key 'strickt'; did you mean 'strict'?" in wrong.errors and wrong.code == 2


def test_the_strictness_of_mypy_and_its_missing_plugins_do_not_matter(project: Path, cache: str) -> None:
    config = CONFIG + 'strict = true\nignore_errors = true\nplugins = ["no_such_plugin"]\nexclude = ["solver"]\n'
    write(project, {"pyproject.toml": config})
    said = run(project, "check", cache)
    assert "Found 2 problems" in said.out and "Checked 2 files" in said.out, said.errors


def test_a_setting_that_leaves_out_every_file_is_named(project: Path, cache: str) -> None:
    write(project, {"pyproject.toml": CONFIG + 'exclude = ["app"]\n'})
    said = run(project, "check", cache, "app")
    assert "pyproject.toml leaves out every Python file in app; change the setting" in said.errors and said.code == 2
    assert "Found 2 problems" in run(project, "check", cache, "app/steps.py", "app/solver.py").out


def test_a_file_with_a_syntax_error_is_named_and_the_rest_is_checked(project: Path, cache: str) -> None:
    write(project, {"app/broken.py": "def f(:\n", "app/steps.py": "import app.broken\n" + STEPS})
    said = run(project, "check", cache)
    assert said.errors.startswith("error: app/broken.py:1:") and "not checked" in said.errors
    assert said.errors.count("\n") == 1 and "Found 2 problems" in said.out and said.code == 2


def test_a_file_that_python_can_parse_is_checked_although_mypy_refuses_it(project: Path, cache: str) -> None:
    """mypy 2.4.1 takes a name `match` after a `;` for a statement."""
    write(project, {"app/steps.py": STEPS + "match: int = 3\nn = 1; match = 2\n", "app/broken.py": "def f(:\n"})
    said = run(project, "check", cache)
    assert said.errors.startswith("error: app/broken.py:1:") and said.errors.count("\n") == 1
    assert "Found 2 problems" in said.out


@pytest.mark.thorough
def test_a_file_that_is_no_text_is_named_and_the_rest_is_checked(project: Path, cache: str) -> None:
    (project / "app" / "image.py").write_bytes(b"\xff\xfe\x00")
    said = run(project, "check", cache)
    assert said.errors.startswith("error: app/image.py:1:1: not checked: Cannot decode file: 'utf-8'")
    assert said.errors.count("\n") == 1 and "Found 2 problems" in said.out and said.code == 2


def test_files_of_the_same_name_in_several_folders_are_all_checked(tmp_path: Path, cache: str) -> None:
    setup, script = "print('setup')\n", "from helper import Solver\n" + STEPS.partition("\n")[2]
    plain = ["setup.py", "docs/conf.py", "one/setup.py", "one/docs/conf.py", "two-dashes/setup.py", "01_intro.py"]
    scripts = {
        f"{folder}/{name}": text for folder in "ab" for name, text in (("helper.py", SOLVER), ("run.py", script))
    }
    write(tmp_path, dict.fromkeys(plain, setup) | scripts)
    assert found(run(tmp_path, "check", cache, "--format=json")) == [
        ("a/helper.py", "static-mutable", "helper.Solver"),
        ("a/run.py", "static-mutable", "second: sizes"),
        ("b/helper.py", "static-mutable", "helper.Solver"),
        ("b/run.py", "static-mutable", "second: sizes"),
    ]


@pytest.mark.thorough
def test_a_package_that_is_in_no_project_is_checked_alone(project: Path, cache_with_jax: str) -> None:
    (project / "pyproject.toml").unlink()
    write(project / "other", {"bad.py": STEPS})
    assert found(run(project / "app", "check", cache_with_jax, "--format=json", "--select=static")) == [
        ("solver.py", "static-mutable", "app.solver.Solver"),
        ("steps.py", "static-mutable", "second: sizes"),
    ]


@pytest.mark.thorough
def test_scripts_import_from_folders_beside_them(tmp_path: Path, cache: str) -> None:
    script = STEPS.replace("app.solver", "parts.solver")
    write(
        tmp_path,
        {f"{name}/{file}": text for name in "ab" for file, text in [("parts/solver.py", SOLVER), ("run.py", script)]},
    )
    said = run(tmp_path, "check", cache, "--format=json")
    assert [path for path, _, subject in found(said) if subject == "parts.solver.Solver"] == [
        "a/parts/solver.py",
        "b/parts/solver.py",
    ], said


@pytest.mark.thorough
def test_a_relative_import_shows_a_package_without_a_file_of_its_own(tmp_path: Path, cache: str) -> None:
    parts = {"pkg/__init__.py": "", "nn/__init__.py": "layers = 1\n", "pkg/parts/nn.py": ""}
    steps = "from nn import layers\n" + STEPS.replace("from app.solver", "from .solver")
    write(tmp_path, {**parts, "pkg/parts/solver.py": SOLVER, "pkg/parts/steps.py": steps})
    said = run(tmp_path, "check", cache, "--format=json")
    assert found(said)[0][2] == "pkg.parts.solver.Solver", said


@pytest.mark.thorough
def test_a_folder_between_packages_need_not_be_one(tmp_path: Path, cache: str) -> None:
    parts = {"pkg/__init__.py": "", "pkg/gap/inner/__init__.py": "from .solver import Solver as Solver"}
    steps = STEPS.replace("app.solver", "pkg.gap.inner")
    write(tmp_path, {**parts, "pkg/gap/inner/solver.py": SOLVER, "pkg/steps.py": steps})
    assert found(run(tmp_path, "check", cache, "--format=json"))[0][2] == "pkg.gap.inner.solver.Solver"


@pytest.mark.thorough
def test_a_package_may_be_imported_by_the_folder_around_it(tmp_path: Path, cache: str) -> None:
    steps = STEPS.replace("app.solver", "examples.app.solver")
    files = {"__init__.py": "", "solver.py": SOLVER, "steps.py": steps}
    write(tmp_path, {f"examples/app/{name}": text for name, text in files.items()})
    assert found(run(tmp_path, "check", cache, "--format=json"))[0][2] == "examples.app.solver.Solver"


def test_a_script_that_is_imported_by_two_names_is_still_checked(tmp_path: Path, cache: str) -> None:
    script = "import helper\n" + STEPS.replace("app.solver", "helper")
    write(tmp_path, {"tools/helper.py": SOLVER, "tools/run.py": script, "main.py": "import tools.helper\n"})
    assert found(run(tmp_path, "check", cache, "--format=json")) == [
        ("tools/run.py", "static-mutable", "second: sizes")
    ]


def test_without_jax_it_says_so(tmp_path: Path, without_jax: str, cache: str) -> None:
    write(tmp_path, {"main.py": "import jax\n", "pyproject.toml": ""})
    said = run(tmp_path, "check", cache, "--python", without_jax)
    assert said.errors == (
        f"error: no JAX with types in {without_jax} (--python); install jax there, or choose another with --python\n"
    )
    assert said.code == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--python", "no-such"], "--python: no-such does not exist"),
        (["--python", "app"], "--python: app is a folder without bin/python"),
        (["--python", "/bin/true"], "/bin/true is not an interpreter of Python"),
        (["--baseline", "no-such"], "--write-baseline writes it"),
        (["nowhere"], "nowhere does not exist"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(project: Path, arguments: list[str], says: str) -> None:
    said = run(project, "check", *arguments)
    assert said.errors.startswith("error: ") and says in said.errors and said.errors.count("\n") == 1
    assert said.code == 2


def test_the_cache_is_ignored_by_git_and_by_backups(project: Path, cache: str) -> None:
    run(project, "check", cache)
    folder = Path(cache.partition("=")[2])
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_statistics_count_the_findings_of_each_rule(project: Path, cache: str) -> None:
    assert "    2  static-mutable: 2 exceptions\n" in run(project, "check", cache, "--statistics").out


@pytest.mark.thorough
def test_projects_with_environments_of_their_own_are_checked_one_at_a_time(tmp_path: Path, cache: str) -> None:
    (tmp_path / ".git").mkdir()
    for name in "ab":
        write(tmp_path / name, {"main.py": "", ".venv/bin/python": ""})
    said = run(tmp_path, "check", cache, "a", "b")
    assert said.errors.startswith(f"error: b has another environment ({tmp_path}/b/.venv) than a ") and said.code == 2


@pytest.mark.thorough
def test_a_repository_names_the_environments_in_it(tmp_path: Path, without_jax: str, cache: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "main.py": "", "packages/a/.venv/bin/python": "", "b/.venv/bin/python": ""})
    said = run(tmp_path, "check", cache, "--python", without_jax)
    assert "; or check b, packages/a, with environments of their own, one by one\n" in said.errors
