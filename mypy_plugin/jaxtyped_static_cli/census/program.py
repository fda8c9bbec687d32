"""The program that a census is taken of: which files are its own, and how places in it are named."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mypy.nodes import ClassDef, MypyFile, TypeInfo

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.syntax.trees import statements

from ..compat.trees import CheckedProgram
from ..files import sources
from .model import Place


@dataclass(frozen=True, eq=False)
class Program:
    """A checked program. `files`: those that the user asked about, by the names of their modules."""

    checked: CheckedProgram
    files: Mapping[str, Path]
    settings: Settings

    @cached_property
    def trees(self) -> list[MypyFile]:
        return [tree for tree, _ in self.checked.files if tree.fullname in self.files]

    @cached_property
    def classes(self) -> dict[TypeInfo, None]:
        """Those of its files, also inside of functions."""
        nodes = (node for tree in self.trees for node in statements(tree.defs))
        return {node.info: None for node in nodes if isinstance(node, ClassDef) and node.info}

    def is_own(self, info: TypeInfo) -> bool:
        return info in self.classes

    def id_of(self, info: TypeInfo) -> str:
        return self.identifier(info.module_name, info.line, info.name)

    def identifier(self, module: str, line: int, name: str) -> str:
        """`app/solver.py::Outer.Inner`."""
        path = self.files[module]
        scope = sources.scope(path, line)
        if name and scope != name and not scope.endswith(f".{name}"):
            scope = f"{scope}.{name}" if scope else name
        return f"{os.path.relpath(path)}::{scope}"

    def place(self, module: str, line: int) -> Place:
        return Place(os.path.relpath(self.files[module]), line)
