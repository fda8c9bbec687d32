"""Calls mypy on a real program: always with the same libraries, with or without the plugin."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.real.packages import SETTINGS
from tests.real.workspace import Program, interpreter, own_package

Settings = Mapping[str, list[str]]

_MYPY: Mapping[str, object] = {
    "python_version": "3.11",
    "ignore_missing_imports": True,
    # Most of this code is unannotated.
    "check_untyped_defs": True,
}
# mypy hides errors after the 200th if an import is missing, unless it is told not to.
_FLAGS = ("--no-error-summary", "--soft-error-limit", "-1", "--show-traceback")


@dataclass(frozen=True)
class Invocation:
    """A command with its folder and environment."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


def invocation(
    program: Program, scratch: Path, *flags: str, with_plugin: bool = True, settings: Settings = SETTINGS
) -> Invocation:
    """Returns the mypy command for the program, with its configuration and its cache in the folder `scratch`."""
    config = scratch / "mypy.toml"
    config.write_text(config_text(settings, with_plugin=with_plugin))
    command = (
        *(sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(cache_folder(scratch))),
        *("--python-executable", str(interpreter()), *_FLAGS, *flags, *program.targets),
    )
    path = os.pathsep.join(map(str, (program.tree, own_package())))
    return Invocation(command, program.tree, {**os.environ, "MYPYPATH": path})


def cache_folder(scratch: Path) -> Path:
    return scratch / "cache"


def config_text(settings: Settings = SETTINGS, *, with_plugin: bool) -> str:
    if not with_plugin:
        return _table("tool.mypy", _MYPY)
    plugins = {"plugins": ["jaxtyped_static_mypy"]}
    return _table("tool.mypy", {**_MYPY, **plugins}) + _table("tool.jaxtyped_static", settings)


def _table(name: str, entries: Mapping[str, object]) -> str:
    # JSON's strings, lists and booleans are also valid TOML.
    return "\n".join([f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in entries.items()), ""])
