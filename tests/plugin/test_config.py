"""Settings are read from mypy's own configuration file, and a mistake in them is an error that names the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy.errors import CompileError

from jaxtyped_static_mypy.config import Settings

EVERYTHING = Settings(
    strict=True,
    static_bases=frozenset({"torax.StaticDataclass"}),
    static_types=frozenset({"app.Registry", "app.Mesh"}),
    typed_jax_jit=True,
)
TOML = """
[tool.jaxtyped_static]
strict = true
static_bases = ["torax.StaticDataclass"]
static_types = ["app.Registry", "app.Mesh"]
typed_jax_jit = true
"""
INI = """
[mypy]
strict = false

[jaxtyped_static]
strict = True
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


@pytest.mark.parametrize("name", ["pyproject.toml", "mypy.ini"])
def test_without_a_section_the_defaults_hold(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    assert Settings.load(str(tmp_path / name)) == Settings()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("stict = true", "unknown key 'stict'; did you mean 'strict'?"),
        ("colour = 1", "unknown key 'colour'; known keys: strict, static_bases"),
        ('strict = "maybe"', "'strict' takes true or false, not 'maybe'"),
        ("static_types = [1]", "'static_types' takes a list of fully qualified names, not [1]"),
        ('static_bases = "torax.StaticDataclass"', "'static_bases' takes a list"),
    ],
)
def test_a_mistake_is_an_error_that_names_the_key(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.jaxtyped_static]\n{line}\n")
    with pytest.raises(CompileError) as caught:
        Settings.load(str(path))
    assert any(named in message and str(path) in message for message in caught.value.messages)


def test_a_mistake_in_an_ini_file_is_found_too(tmp_path: Path) -> None:
    path = tmp_path / "mypy.ini"
    path.write_text("[jaxtyped_static]\nstrict = maybe\n")
    with pytest.raises(CompileError) as caught:
        Settings.load(str(path))
    assert any("'strict' takes true or false" in message for message in caught.value.messages)
