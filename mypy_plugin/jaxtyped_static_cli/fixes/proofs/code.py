"""The code of a project: its files, and what is where in them."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from ...files.parsing import parsed_by_python
from ...files.python_names import bound_by, named_last
from ...mypy_runs.modules import relative

Node = TypeVar("Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Worded = ast.Name | ast.Attribute | ast.Constant | ast.ImportFrom | ast.keyword
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# What is found is kept while fixes are made in rounds: of these many files, and of a project in each round.
FILES_KEPT: Final = 4096
PROJECTS_KEPT: Final = 4


class Parsed:
    """A file, parsed. Equal contents are one object, so that what is found in them is found once."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._above: dict[ast.AST, ast.AST] = {}
        self._nodes: dict[type[ast.AST], list[ast.AST]] = {}
        for node in ast.walk(tree):
            self._nodes.setdefault(type(node), []).append(node)
            for part in ast.iter_child_nodes(node):
                self._above[part] = node

    def all(self, kind: type[Node]) -> Iterator[Node]:
        return (node for node in self._nodes.get(kind, ()) if isinstance(node, kind))

    @cached_property
    def attributes(self) -> Mapping[str, list[ast.Attribute]]:
        return _by(self.all(ast.Attribute), lambda node: node.attr)

    @cached_property
    def names(self) -> Mapping[str, list[ast.Name]]:
        return _by(self.all(ast.Name), lambda node: node.id)

    @property
    def imports(self) -> Iterator[ast.Import | ast.ImportFrom]:
        yield from self.all(ast.Import)
        yield from self.all(ast.ImportFrom)

    @cached_property
    def aliases(self) -> list[tuple[str, str]]:
        """The names that imports and assignments give to what has another one."""
        imported = (alias for node in self.imports for alias in node.names)
        found = [(alias.asname, alias.name.rpartition(".")[2]) for alias in imported if alias.asname]
        for node in self.all(ast.Assign):
            name = last_name(node.value) if isinstance(node.value, ast.Name | ast.Attribute) else ""
            found += [(last_name(target), name) for target in node.targets if name and last_name(target) != name]
        return found

    @cached_property
    def words(self) -> list[tuple[str, Worded]]:
        """Names, attributes, names of imports and keywords, and text, all in lower case."""
        kinds: tuple[type[Worded], ...] = (ast.Name, ast.Attribute, ast.Constant, ast.ImportFrom, ast.keyword)
        found: Iterator[Worded] = chain.from_iterable(self.all(kind) for kind in kinds)
        return [(word.lower(), node) for node in found for word in words_of(node)]

    @cached_property
    def binders(self) -> Mapping[str, list[ast.AST]]:
        """The nodes that bind each name, in whatever scope; those that are parameters are left out."""
        found: dict[str, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            for name in bound_by(node):
                found.setdefault(name, []).append(node)
        return found

    @cached_property
    def parameters(self) -> frozenset[str]:
        return frozenset(parameter.arg for parameter in self.all(ast.arg))

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._above.get(node)

    def call_of(self, node: ast.AST) -> ast.Call | None:
        """The call of what a node names; None if the node is not what is called."""
        above = self.parent(node)
        return above if isinstance(above, ast.Call) and above.func is node else None

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that a node is part of, from the inside out."""
        above = self._above.get(node)
        while above is not None:
            yield above
            above = self._above.get(above)


@dataclass(frozen=True, eq=False)
class Source:
    """A file of the project. `parsed` is None if it cannot be parsed."""

    path: Path
    shown: str
    parsed: Parsed | None

    def class_at(self, line: int) -> ast.ClassDef | None:
        """The class whose statement is at a line."""
        found = self.parsed.all(ast.ClassDef) if self.parsed is not None else ()
        return next((node for node in found if node.lineno == line), None)

    def place(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        return f"{self.shown}:{node.lineno}"


@dataclass(frozen=True, eq=False)
class Code:
    """The files of a project, and the path of each module that its programs import.

    `hidden`: files and folders that cannot be read, in which there may be code.
    """

    sources: tuple[Source, ...]
    modules: Mapping[str, Path]
    hidden: tuple[str, ...] = ()

    @property
    def readable(self) -> Iterator[tuple[Source, Parsed]]:
        return ((source, source.parsed) for source in self.sources if source.parsed is not None)

    @cached_property
    def unreadable(self) -> str:
        """What no proof can look into."""
        if self.hidden:
            return f"{self.hidden[0]} cannot be read"
        broken = next((source.shown for source in self.sources if source.parsed is None), None)
        return f"{broken} cannot be parsed" if broken is not None else ""

    @cached_property
    def classes(self) -> Mapping[str, list[tuple[Source, ast.ClassDef]]]:
        """By their names."""
        found: dict[str, list[tuple[Source, ast.ClassDef]]] = {}
        for source, parsed in self.readable:
            for node in parsed.all(ast.ClassDef):
                found.setdefault(node.name, []).append((source, node))
        return found

    @cached_property
    def aliases(self) -> Mapping[str, set[str]]:
        """What else a name may stand for: `Base` for `Solver`, after an import `as` or an assignment."""
        found: dict[str, set[str]] = {}
        for _, parsed in self.readable:
            for alias, name in parsed.aliases:
                found.setdefault(alias, set()).add(name)
        return found

    @cached_property
    def imported_as(self) -> Mapping[str, set[str]]:
        """The other names that imports give to a name."""
        found: dict[str, set[str]] = {}
        for _, parsed in self.readable:
            for alias in (alias for node in parsed.all(ast.ImportFrom) for alias in node.names):
                if alias.asname and alias.asname != alias.name:
                    found.setdefault(alias.name, set()).add(alias.asname)
        return found

    @cached_property
    def methods(self) -> Mapping[str, list[tuple[Source, ast.FunctionDef]]]:
        """By their names."""
        found: dict[str, list[tuple[Source, ast.FunctionDef]]] = {}
        for source, parsed in self.readable:
            for cls in parsed.all(ast.ClassDef):
                for node in cls.body:
                    if isinstance(node, ast.FunctionDef):
                        found.setdefault(node.name, []).append((source, node))
        return found

    @cached_property
    def class_attributes(self) -> Mapping[str, list[ast.expr | None]]:
        """What classes assign to names in their bodies; None if it is not known. Annotated names are fields, mostly."""
        found: dict[str, list[ast.expr | None]] = {}
        for _, cls in chain.from_iterable(self.classes.values()):
            for node in cls.body:
                if isinstance(node, ast.Assign | ast.AnnAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    for name in map(last_name, targets):
                        found.setdefault(name, []).append(_of_all_objects(node))
        return found

    @cached_property
    def _by_path(self) -> Mapping[Path, Source]:
        return {source.path: source for source in self.sources}

    def source(self, path: Path) -> Source | None:
        return self._by_path.get(path)

    @cached_property
    def packages(self) -> frozenset[str]:
        """The outermost packages and modules of the project."""
        return frozenset(name.partition(".")[0] for name, path in self.modules.items() if path in self._by_path)

    def module(self, name: str) -> Source | None:
        """The file of a module, if it is part of the project."""
        path = self.modules.get(name)
        return self._by_path.get(path) if path is not None else None

    def named(self, name: str) -> Iterator[tuple[Source, ast.Name | ast.Attribute]]:
        """Wherever a name is used, and every attribute of that name."""
        for source, parsed in self.readable:
            yield from ((source, node) for node in parsed.names.get(name, ()))
            yield from ((source, node) for node in parsed.attributes.get(name, ()))

    def mentioned(self, part: str) -> Iterator[tuple[Source, Worded]]:
        """Wherever a name, an attribute or text contains some letters, whatever their case."""
        yield from _mentioned(self, part)


@lru_cache(16)  # each looks at every word
def _mentioned(code: Code, part: str) -> list[tuple[Source, Worded]]:
    return [(source, node) for source, parsed in code.readable for word, node in parsed.words if part in word]


def _of_all_objects(node: ast.Assign | ast.AnnAssign) -> ast.expr | None:
    """The value, unless it is only the default of a field."""
    return node.value if isinstance(node, ast.Assign) or "ClassVar" in ast.unparse(node.annotation) else None


def read_code(
    files: Iterable[Path],
    content: Callable[[Path], bytes],
    root: Path,
    modules: Mapping[str, Path],
    hidden: Iterable[Path] = (),
) -> Code:
    sources = []
    for path in files:
        try:
            sources.append(Source(path, relative(path, root), _parsed(content(path))))
        except OSError:
            sources.append(Source(path, relative(path, root), None))
    return Code(tuple(sources), modules, tuple(relative(path, root) for path in hidden))


@lru_cache(FILES_KEPT)
def _parsed(content: bytes) -> Parsed | None:
    tree = parsed_by_python(content)
    return Parsed(tree) if tree is not None else None


def _by(nodes: Iterable[Node], name: Callable[[Node], str]) -> Mapping[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(name(node), []).append(node)
    return found


def parameters(function: Function) -> list[ast.arg]:
    """All of them, those with stars included."""
    given = function.args
    stars = [star for star in (given.vararg, given.kwarg) if star is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def words_of(node: Worded) -> Iterator[str]:
    """The names and the text in a node, without those of its parts."""
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.keyword(arg=str(word)) | ast.Constant(value=str(word)):
            yield word
        case ast.Constant(value=bytes(content)):
            yield content.decode("latin-1")
        case ast.ImportFrom(names=names):
            yield from (alias.name for alias in names)


def last_name(node: ast.expr) -> str:
    """The `c` in `c`, `a.c` and `a.c(...)`; empty for any other expression."""
    return named_last(node.func if isinstance(node, ast.Call) else node)


def dotted(node: ast.expr) -> str:
    """`a.b.c`; empty for what is more than names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""
