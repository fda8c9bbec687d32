"""A checkout that leaves traces if its code is run: a canary in every place that Python or a tool runs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cli.environment_made import PROGRAM, PYTHON, make_environment, write_files

# What a project's code might be taken for, when its folder is on the path.
_SHADOWS: Final = (
    *("argparse", "ast", "contextlib", "dataclasses", "json", "logging", "subprocess", "tomllib", "traceback"),
    *("libcst", "mypy", "pathspec", "platformdirs", "pydantic/__init__", "pydantic/mypy", "pygments", "rich"),
    *("sitecustomize", "usercustomize", "conftest", "setup", "noxfile", "jaxtyped_static_cli", "jax_plugins/__init__"),
)
_PLUGINS: Final = (
    *("json:/evil.py", "evil", "folder/evil.py", "./folder/evil.py", "evil:plugin", "folder.evil", "pydantic.mypy"),
    *("pydantic.mypy:evil", "numpy.typing.mypy_plugin", "jaxtyped_static_mypy.evil", "mypy_django_plugin.main"),
)
_SETTINGS: Final = f"""\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[tool.mypy]
plugins = {list(_PLUGINS)}
python_executable = ".venv/bin/python"
exclude = ["^(?!main)"]
mypy_path = ["stubs"]
cache_dir = ".mypy_cache"

[tool.pytest.ini_options]
addopts = "-p evil"
"""
_GIT: Final = """\
[core]
  fsmonitor = {root}/.git/hooks/fsmonitor
  hooksPath = {root}/.git/hooks
  pager = {root}/.git/hooks/pager
"""
_SITE: Final = f".venv/lib/{PYTHON}/site-packages"
_PYTHON_FILES: Final = (
    *(f"{name}.py" for name in _SHADOWS),
    *("json:/evil.py", "evil.py", "folder/evil.py", "backend.py", ".mypy_cache/evil.py", "stubs/evil.pyi"),
    *(f"{_SITE}/{name}.py" for name in ("sitecustomize", "usercustomize", "_virtualenv", "__editable___app_finder")),
    *(f"{_SITE}/pydantic/{name}.py" for name in ("__init__", "mypy")),
    *(f"{_SITE}/jaxtyped_static_mypy/{name}.py" for name in ("__init__", "evil")),
)
_SCRIPTS: Final = (
    *(f".venv/bin/{name}" for name in ("python", "python3", PYTHON, "mypy", "activate", "git")),
    *(f".git/hooks/{name}" for name in ("fsmonitor", "pager", "pre-commit", "post-checkout", "post-index-change")),
    *("venv/bin/python", "../.venv/bin/python", "../venv/bin/python"),
)


def plant(root: Path, traces: Path) -> list[Path]:
    """Writes the checkout; returns its canaries. Each leaves a file in `traces` when it is run."""
    traces.mkdir()
    make_environment(root / ".venv")
    make_environment(root.parent / ".venv", {})
    lines = {f"{_SITE}/{name}.pth": _trace(traces, name) for name in ("distutils-precedence", "__editable__.app-1")}
    write_files(
        root,
        {
            **{name: _trace(traces, name) for name in _PYTHON_FILES},
            **{name: f"#!/bin/sh\necho > '{_place(traces, name)}'\n" for name in _SCRIPTS},
            **{name: f"import os; {line}" for name, line in lines.items()},
            "main.py": PROGRAM,
            "pyproject.toml": _SETTINGS,
            ".git/config": _GIT.format(root=root),
            "../pyproject.toml": _SETTINGS,
            ".libcst.codemod.yaml": "modules: ['evil']\n",
        },
    )
    for name in _SCRIPTS:
        (root / name).chmod(0o755)
    return [root / name for name in (*_PYTHON_FILES, *_SCRIPTS, *lines)]


def _place(traces: Path, name: str) -> Path:
    return traces / name.replace("/", "|")


def _trace(traces: Path, name: str) -> str:
    return f"open({str(_place(traces, name))!r}, 'w').close()\n"
