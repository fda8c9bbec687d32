"""What the modules of installed packages have, read from their source: nothing of them is imported.

Doubt counts for a module: what its source mentions anywhere, or may give it in a way that is not read, it has.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from ...files.ordinary import read_ordinary
from ...files.parsing import parsed_by_python
from ...files.python_names import named_last, words_of

_PACKAGES_KEPT: Final = 4
_FOLLOWED: Final = 12  # imports from one module to the next
# What gives a module names that its source does not mention.
_DYNAMIC: Final = re.compile(r"\b(?:globals|vars|exec|setattr|eval)\s*\(|\bsys\.modules\b|\blocals\(\)|__dict__")
# What makes modules that are no files.
_IMPORTABLE: Final = re.compile(r"\bsys\.modules\b|__path__|\bmeta_path\b|\bexec\s*\(")
_OWN_GETTER: Final = "__getattr__"
_LISTING: Final = re.compile(r"deprecation|^attach$")  # makes a `__getattr__` for the names in a table beside it
_IN_GETTERS: Final = frozenset({"AttributeError", "warn", "deprecated"})  # what one calls that has few names
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers")
# Decorators below which a function takes what it declares.
_TRANSPARENT: Final = frozenset(
    {"api_boundary", "custom_jvp", "custom_vjp", "export", "implements", "jit", "partial", "set_module"}
)

Definition = ast.FunctionDef | ast.ClassDef


class Source:
    """The source of a module."""

    def __init__(self, name: str, file: Path, text: str, tree: ast.Module) -> None:
        self.name = name
        self.file = file
        self.text = text
        self._tree = tree
        self.bound: dict[str, list[ast.stmt]] = {}
        self.stars: list[str] = []
        for statement in _statements(tree.body):
            for bound in _bound_by(statement):
                self.bound.setdefault(bound, []).append(statement)
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                self.stars.append(self.full_name(statement))

    @property
    def is_package(self) -> bool:
        return self.file.stem == "__init__"

    @cached_property
    def is_open(self) -> bool:
        """Whether it may have names that its source does not mention."""
        if _DYNAMIC.search(self.text) is not None:
            return True
        return not all(map(_has_few_names, self.bound.get(_OWN_GETTER, ())))

    def mentions(self, name: str) -> bool:
        """Its own package is in each of its imports, so there the name counts only where it is bound."""
        if name == self.name.partition(".")[0]:
            return name in self.bound
        return re.search(rf"\b{re.escape(name)}\b", self.text) is not None and name in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        """What may name something of the module. The `x` in `other.x` does not, nor do comments and docstrings."""
        nodes = [*ast.walk(self._tree)]
        docs = {node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
        found = (word for node in nodes if node not in docs for word in words_of(node))
        return frozenset(found) | self.bound.keys()

    def full_name(self, statement: ast.ImportFrom) -> str:
        """The module that a statement imports from."""
        around = self.name.split(".")
        around = around[: len(around) - statement.level + self.is_package] if statement.level else []
        return ".".join([*around, *([statement.module] if statement.module else [])])


class Packages:
    """`folder`: where they are installed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, Source | None] = {}
        self._missing: dict[str, str | None] = {}

    def missing(self, name: str) -> str | None:
        """The part of a full name that no module has: itself, or what it is in; None if all of it may be there."""
        if name not in self._missing:
            self._missing[name] = self._first_missing(name)
        return self._missing[name]

    def missing_module(self, name: str) -> str | None:
        """The same of a module that is imported by its name: a file or folder has to be there, whatever names one."""
        outer, _, _ = name.rpartition(".")
        found = self.missing_module(outer) if "." in outer else None
        if found is not None or self.has_module(name):
            return found
        around = self._source(outer)
        is_settled = around is not None and _IMPORTABLE.search(around.text) is None
        return name if is_settled else None

    def definition(self, name: str) -> Definition | None:
        """What a full name stands for, if there is one definition alone."""
        *outer, last = name.split(".")
        source = self._reached(outer)
        return self._defined(source, last, _FOLLOWED) if source is not None else None

    def names(self, module: str) -> Sequence[str]:
        """The names that a module binds."""
        source = self._reached(module.split("."))
        return tuple(source.bound) if source is not None else ()

    def has_module(self, name: str) -> bool:
        path = self._folder.joinpath(*name.split("."))
        if path.is_dir() or any(path.with_suffix(suffix).is_file() for suffix in (".py", ".pyi", ".so")):
            return True
        return any(path.parent.glob(f"{path.name}.*.so"))

    def _first_missing(self, name: str) -> str | None:
        shown, *parts = name.split(".")
        source = self._source(shown)
        for part in parts:
            if source is None:
                return None
            shown = f"{shown}.{part}"
            if self._lacks(source, part, _FOLLOWED):
                return shown
            source = self._inner(source, part)
        return None

    def _reached(self, parts: Sequence[str]) -> Source | None:
        source = self._source(parts[0]) if parts else None
        for part in parts[1:]:
            source = self._inner(source, part) if source is not None else None
        return source

    def _lacks(self, source: Source, name: str, steps: int) -> bool:
        if not steps or source.is_open or source.mentions(name) or self._has_inner(source, name):
            return False
        if name.startswith("__"):
            return False
        around = [self._source(star) for star in source.stars]
        return all(one is not None and self._lacks(one, name, steps - 1) for one in around)

    def _has_inner(self, source: Source, name: str) -> bool:
        return source.is_package and self.has_module(f"{source.name}.{name}")

    def _inner(self, source: Source, part: str) -> Source | None:
        """The module that a name of another one stands for."""
        statements = source.bound.get(part, [])
        if not statements:
            return self._source(f"{source.name}.{part}") if source.is_package else None
        targets = {_imported(statement, part, source) for statement in statements}
        return self._source(targets.pop()) if len(targets) == 1 else None

    def _defined(self, source: Source, name: str, steps: int) -> Definition | None:
        statements = [statement for statement in source.bound.get(name, []) if not _changes_nothing(statement, name)]
        if len(statements) != 1 or not steps:
            return None
        statement = statements[0]
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            return statement
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
            return self._defined(source, statement.value.id, steps - 1)
        if not isinstance(statement, ast.ImportFrom):
            return None
        module, _, imported = _imported(statement, name, source).rpartition(".")
        inner = self._source(module)
        return self._defined(inner, imported, steps - 1) if inner is not None else None

    def _source(self, name: str) -> Source | None:
        if name not in self._sources:
            self._sources[name] = self._read(name)
        return self._sources[name]

    def _read(self, name: str) -> Source | None:
        path = self._folder.joinpath(*name.split("."))
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")) if name else ():
            try:
                text = read_ordinary(file).decode(errors="replace")
            except OSError:
                continue
            tree = parsed_by_python(text)
            return Source(name, file, text, tree) if tree is not None else None
        return None


@lru_cache(_PACKAGES_KEPT)
def packages_in(folder: Path, version: str | None) -> Packages:
    """`version`: of JAX there; what was read is read again with another."""
    return Packages(folder)


def refuses_argument(definition: Definition, name: str) -> bool:
    """Whether a call with a keyword argument raises for sure."""
    function, is_method = definition, False
    if isinstance(definition, ast.ClassDef):
        makers = [node for node in definition.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
        if len(makers) != 1 or definition.decorator_list or definition.keywords:
            return False
        function, is_method = makers[0], True
    assert isinstance(function, ast.FunctionDef)
    if function.args.kwarg is not None or not all(map(_is_transparent, function.decorator_list)):
        return False
    return name not in arguments_of(function)[is_method:]


def arguments_of(definition: Definition) -> list[str]:
    """The arguments that can be given by name, `self` of a constructor included."""
    if isinstance(definition, ast.ClassDef):
        makers = (node for node in definition.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
        return [name for maker in makers for name in arguments_of(maker)[1:]]
    return [argument.arg for argument in (*definition.args.args, *definition.args.kwonlyargs)]


def positions_of(definition: Definition | None) -> list[ast.arg] | None:
    """The arguments that a function takes by position; None if that is not known, or there is no limit."""
    if not isinstance(definition, ast.FunctionDef) or definition.args.vararg is not None:
        return None
    if not all(map(_is_transparent, definition.decorator_list)):
        return None
    return [*definition.args.posonlyargs, *definition.args.args]


def _changes_nothing(statement: ast.stmt, name: str) -> bool:
    """Whether a function takes what it takes without this: an overload, or `jit = api_boundary(jit)`."""
    if isinstance(statement, ast.FunctionDef):
        return "overload" in map(named_last, statement.decorator_list)
    call = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(call, ast.Call) or not call.args or named_last(call.func) not in _TRANSPARENT:
        return False
    return isinstance(call.args[0], ast.Name) and call.args[0].id == name


def nameless_arguments(definition: Definition | None) -> list[str]:
    """The arguments that can be given by position alone."""
    return [one.arg for one in definition.args.posonlyargs] if isinstance(definition, ast.FunctionDef) else []


def _is_transparent(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(decorator, ast.Call) and named_last(called) == "partial":
        return bool(decorator.args) and named_last(decorator.args[0]) in _TRANSPARENT
    return named_last(called) in _TRANSPARENT


def _statements(body: Sequence[ast.AST]) -> Iterator[ast.stmt]:
    """All statements of a module that run when it is imported."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for block in _BLOCKS:
                yield from _statements(getattr(node, block, ()))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    else:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        parts = (part for target in targets if target is not None for part in ast.walk(target))
        yield from (part.id for part in parts if isinstance(part, ast.Name))


def _imported(statement: ast.stmt, name: str, source: Source) -> str:
    """The full name of what an import binds to a name; nothing for other statements."""
    for alias in statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else ():
        if isinstance(statement, ast.Import) and name == (alias.asname or alias.name.partition(".")[0]):
            return alias.name if alias.asname else name
        if isinstance(statement, ast.ImportFrom) and name == (alias.asname or alias.name):
            return f"{source.full_name(statement)}.{alias.name}"
    return ""


def _has_few_names(getter: ast.stmt) -> bool:
    """Whether a `__getattr__` has only names that the source mentions."""
    if isinstance(getter, ast.FunctionDef):
        calls = [node for node in ast.walk(getter) if isinstance(node, ast.Call)]
        return not getter.decorator_list and all(named_last(call.func) in _IN_GETTERS for call in calls)
    value = getattr(getter, "value", None)
    return isinstance(value, ast.Call) and _LISTING.search(named_last(value.func)) is not None
