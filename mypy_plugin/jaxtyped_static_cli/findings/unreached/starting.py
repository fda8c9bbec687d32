"""Whether a module is there to be run: what its statements do besides defining something."""

import ast
import sys
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import KNOWN_PACKAGES

from ...files.python_names import named_last
from .blocks import COMPOUND, DEFINITIONS, FUNCTIONS, FullName, blocks, walk

_LOOPS: Final = (ast.For, ast.While)
_PRINT: Final = "print"


@dataclass(frozen=True, eq=False)
class Starting:
    """One module. `skipped`: the statements that never run, by identity."""

    tree: ast.Module
    full_name: FullName
    skipped: AbstractSet[int]

    @property
    def is_script(self) -> bool:
        """Whether it may do something by itself."""
        return any(map(self._does_something, self.tree.body))

    @property
    def begins(self) -> bool:
        """Whether it surely does, and is there for that."""
        return any(map(self._begins, self._alone)) or any(map(_asks_for_main, self.tree.body))

    @cached_property
    def _alone(self) -> list[ast.Call]:
        """The calls of the module that are statements by themselves."""
        found = [node for node in walk(self.tree.body, self.skipped, into=False) if isinstance(node, ast.Expr)]
        return [node.value for node in found if isinstance(node.value, ast.Call)]

    def _begins(self, call: ast.Call) -> bool:
        """Whether only a script has such a statement: it prints, calls an own function, or hands on what that made."""
        if isinstance(call.func, ast.Name) and call.func.id in {_PRINT, *self._functions}:
            return True
        return not _given(call).isdisjoint(self._made)

    def _does_something(self, statement: ast.stmt) -> bool:
        """Whether a statement of the module may make it a script: it calls something for what that does, or loops."""
        if id(statement) in self.skipped or isinstance(statement, DEFINITIONS):
            return False
        if isinstance(statement, ast.Expr):
            return any(isinstance(node, ast.Call) for node in ast.walk(statement))
        if isinstance(statement, COMPOUND):
            inside = (part for block in blocks(statement) for part in block)
            return _asks_for_main(statement) or any(map(self._does_something, inside))
        return isinstance(statement, _LOOPS) or self._goes_on(statement)

    def _goes_on(self, statement: ast.stmt) -> bool:
        """Whether a statement keeps or tests what a function of the program makes, or makes it of another result."""
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) else None
        value = statement.test if isinstance(statement, ast.Assert) else value
        calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)] if value is not None else []
        return any(self._is_of_program(call.func) or not _given(call).isdisjoint(self._made) for call in calls)

    def _is_of_program(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name) and function.id in self._functions:
            return True
        name = self.full_name(function)
        is_library = name.partition(".")[0] in KNOWN_PACKAGES | sys.stdlib_module_names
        return bool(name) and not is_library and not naming.is_class(name)

    @cached_property
    def _functions(self) -> set[str]:
        return {node.name for node in self.tree.body if isinstance(node, FUNCTIONS)}

    @cached_property
    def _made(self) -> set[str]:
        """The variables of the module that hold what calls have made."""
        assigned = (node for node in walk(self.tree.body, self.skipped, into=False) if isinstance(node, ast.Assign))
        made = (node for node in assigned if any(isinstance(part, ast.Call) for part in ast.walk(node.value)))
        return {named_last(target) for node in made for target in node.targets} - {""}


def _given(call: ast.Call) -> set[str]:
    """The names that a call passes."""
    return {named_last(argument) for argument in (*call.args, *(keyword.value for keyword in call.keywords))}


def _asks_for_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in {named_last(node) for node in ast.walk(statement.test)}
