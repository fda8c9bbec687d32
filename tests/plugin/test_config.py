"""Settings are read from mypy's own configuration file, and a mistake in them is an error that names the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy.errors import CompileError
from mypy.options import Options
from mypy.plugin import ReportConfigContext

from jaxtyped_static_mypy.config.file import settings_elsewhere
from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.plugin import JaxtypedStaticPlugin

EVERYTHING = Settings(
    strict=True,
    potential=True,
    static_bases=frozenset({"torax.StaticDataclass"}),
    static_types=frozenset({"app.Registry", "app.Mesh"}),
    typed_jax_jit=True,
)
TOML = """
[tool.jaxtyped_static]
strict = true
potential = true
static_bases = ["torax.StaticDataclass"]
static_types = ["app.Registry", "app.Mesh"]
typed_jax_jit = true
"""
INI = """
[mypy]
strict = false

[jaxtyped_static]
strict = True
potential = on
static_bases = torax.StaticDataclass
static_types =
    app.Registry,
    app.Mesh
typed_jax_jit = yes
"""


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", TOML), ("mypy.ini", INI), ("setup.cfg", INI)])
def test_toml_and_ini_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert Settings.load(str(tmp_path / name)) == EVERYTHING


@pytest.mark.parametrize(
    ("module", "path", "needs_new_analysis"),
    [
        ("app.model", "/src/app/model.py", True),
        ("flax.struct", "/env/site-packages/flax/struct.py", True),
        ("jax._src.api", "/src/jax/_src/api.py", True),
        ("app.model", "/src/typeshed/app/model.py", True),
        ("jax._src.api", "/env/site-packages/jax/_src/api.py", False),
        ("builtins", "/env/site-packages/mypy/typeshed/stdlib/builtins.pyi", False),
    ],
)
def test_mypys_cache_of_jax_is_valid_for_all_settings(
    tmp_path: Path, module: str, path: str, needs_new_analysis: bool
) -> None:
    reports = []
    for number, text in enumerate([TOML, "[tool.jaxtyped_static]\nstatic_markers = ['app.Static']\n"]):
        options = Options()
        options.config_file = str(tmp_path / f"{number}.toml")
        Path(options.config_file).write_text(text)
        reports.append(
            JaxtypedStaticPlugin(options).report_config_data(ReportConfigContext(module, path, is_check=False))
        )
    assert (reports[0] != reports[1]) == needs_new_analysis


@pytest.mark.parametrize("marker", ["jax.typing.Static", "__static__"])
def test_a_marker_that_jax_may_use_is_looked_for_there(tmp_path: Path, marker: str) -> None:
    options = Options()
    options.config_file = str(tmp_path / "pyproject.toml")
    Path(options.config_file).write_text(f"[tool.jaxtyped_static]\nstatic_markers = ['{marker}']\n")
    context = ReportConfigContext("jax._src.api", "/env/site-packages/jax/_src/api.py", is_check=False)
    assert marker in str(JaxtypedStaticPlugin(options).report_config_data(context))


def refusal(path: Path, text: str) -> str:
    """Returns the one line that is printed for this configuration."""
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        Settings.load(str(path))
    (message,) = caught.value.messages
    return message


WRITTEN_OUT = "[tool.jaxtyped_static]\nstrict = false\nstatic_types = []\ntyped_jax_jit = false\n"


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", ""), ("mypy.ini", ""), ("pyproject.toml", WRITTEN_OUT)])
def test_the_defaults_can_be_left_out_or_written_out(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert Settings.load(str(tmp_path / name)) == Settings()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("stict = true", "unknown key 'stict'; did you mean 'strict'?"),
        ("colour = 1", "unknown key 'colour'; known keys: strict, potential, static_bases"),
        ('strict = "maybe"', "'strict' takes true or false, not 'maybe'"),
        ("static_types = [1]", "'static_types' takes a list of fully qualified names, not [1]"),
        ('static_types = ["app.Mesh", "Mesh"]', "'static_types' takes fully qualified names, and 'Mesh' has no module"),
        ('static_bases = "torax.StaticDataclass"', "'static_bases' takes a list"),
    ],
)
def test_a_mistake_is_an_error_that_names_the_key(tmp_path: Path, line: str, named: str) -> None:
    message = refusal(tmp_path / "pyproject.toml", f"[tool.jaxtyped_static]\n{line}\n")
    assert message.startswith(f"{tmp_path / 'pyproject.toml'}: [tool.jaxtyped_static]: error: ") and named in message


@pytest.mark.parametrize("line", ["strict = maybe", "strict ="])
def test_a_mistake_in_an_ini_file_is_found_too(tmp_path: Path, line: str) -> None:
    assert "'strict' takes true or false" in refusal(tmp_path / "mypy.ini", f"[jaxtyped_static]\n{line}\n")


@pytest.mark.parametrize(
    ("name", "header", "right"),
    [
        ("pyproject.toml", "tool.jaxtyped-static", "[tool.jaxtyped_static]"),
        ("pyproject.toml", "jaxtyped_static", "[tool.jaxtyped_static]"),
        ("pyproject.toml", "tool.jaxtyped_static_mypy", "[tool.jaxtyped_static]"),
        ("mypy.ini", "jaxtyped-static", "[jaxtyped_static]"),
        ("setup.cfg", "tool:jaxtyped_static", "[jaxtyped_static]"),
        ("mypy.ini", "tool.jaxtyped_static", "[jaxtyped_static]"),
    ],
)
def test_a_section_under_another_name_is_an_error_that_gives_the_right_one(
    tmp_path: Path, name: str, header: str, right: str
) -> None:
    message = refusal(tmp_path / name, f"[{header}]\nstrict = true\n")
    assert message == f"{tmp_path / name}: error: [{header}] is not read; call the section {right}"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[tool]\njaxtyped_static = 5\n", "tool.jaxtyped_static is 5, not a table"),
        ("[[tool.jaxtyped_static]]\nstrict = true\n", "tool.jaxtyped_static is an array of tables, not a table"),
    ],
)
def test_a_section_that_is_not_a_table_is_an_error_that_says_how_to_write_one(
    tmp_path: Path, text: str, named: str
) -> None:
    message = refusal(tmp_path / "pyproject.toml", text)
    assert named in message and message.endswith("write [tool.jaxtyped_static] above the settings")


def test_the_default_section_of_an_ini_file_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text(
        "[DEFAULT]\ncolour = red\nstrict = yes\n[jaxtyped_static]\ntyped_jax_jit = yes\n"
    )
    assert Settings.load(str(tmp_path / "mypy.ini")) == Settings(typed_jax_jit=True)


def test_sections_of_other_tools_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy-jaxtyped_static.*]\nignore_errors = True\n[jaxtyped]\nstrict = no\n")
    assert Settings.load(str(tmp_path / "mypy.ini")) == Settings()


def test_settings_in_a_file_that_mypy_does_not_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n[tool.jaxtyped_static]  # ours\nstrict = true\n")
    (warning,) = settings_elsewhere(str(tmp_path / "mypy.ini"))
    assert warning.startswith(str(tmp_path / "pyproject.toml")) and warning.endswith(
        "move it there, as [jaxtyped_static]"
    )
    assert not list(settings_elsewhere(str(tmp_path / "pyproject.toml")))
