"""A program as mypy has read it, for what looks at all of its modules after mypy."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mypy.options import Options

from .modules import Module

_JAX: Final = "jax"


@dataclass(frozen=True)
class ReadProgram:
    """Its modules.

    Attributes:
        checked: those whose errors are reported.
        modules: all, with their files.
        root: what the paths of errors are relative to.
        options: mypy's, which may differ for each module.
        read: the content of a file, as mypy has read it.
    """

    checked: Sequence[Module]
    modules: Mapping[str, Path]
    root: Path
    options: Options
    read: Callable[[Path], bytes]

    @property
    def uses_jax(self) -> bool:
        return _JAX in self.modules

    @property
    def jax(self) -> Path:
        """The folder of JAX."""
        return self.modules[_JAX].parent
