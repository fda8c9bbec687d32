"""What the definitions of a file mention, by its syntax: other code runs them only where it has their names."""

import ast
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import KNOWN_PACKAGES

from ...files import sources
from ...files.parsing import parsed_by_python
from ...files.python_names import named_last
from .blocks import (
    COMPOUND,
    DEFINITIONS,
    FUNCTIONS,
    Definition,
    Lines,
    all_lines,
    blocks,
    flags_of,
    is_handed_to_nobody,
    is_stub,
    left_out,
    lines_of,
    replaced_in,
    unnamed_in,
    walk,
)
from .starting import Starting

_FILES_KEPT: Final = 4096
_WORD: Final = re.compile(r"[^\W\d]\w*")
# What loads a file that the command line names, and the function that it calls there.
LOADED: Final = {"DEFINE_config_file": "get_config"}
LOCAL: Final = ":"  # in front of a name that is not imported
_PATH: Final = re.compile(r"\w+(?:[.:/]\w+)+")  # in a text: `app.envs:Pole`, `train.py`
_CALLING_NOTHING: Final = frozenset({"ABC", "Generic", "NamedTuple", "Protocol", "object"})  # bases


class Words(NamedTuple):
    """The words that some code mentions."""

    names: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    looked_in: frozenset[str] = frozenset()  # of what it gets an attribute by a name made at run time: as imported
    imported: frozenset[str] = frozenset()  # of the names, those that it imports, and does nothing else with

    @property
    def mentioned(self) -> frozenset[str]:
        """All but what is imported and not used."""
        return (self.names - self.imported) | self.attributes | self.texts

    def have(self, word: str) -> bool:
        return word in self.names or word in self.attributes or word in self.texts

    def have_any(self, words: AbstractSet[str]) -> bool:
        """Whether code, and not only a text, mentions one of these."""
        return not (words.isdisjoint(self.names) and words.isdisjoint(self.attributes))

    def joined(self, *others: "Words") -> "Words":
        return Words(*(frozenset[str]().union(*parts) for parts in zip(self, *others, strict=True)))


class Unit(NamedTuple):
    """A function or class at the level of a module, a method, or (without a name) the rest of a module."""

    name: str
    cls: str  # of a method
    lines: Lines
    words: Words
    is_class: bool = False
    is_kept: bool = False  # something may call it that does not have its name
    bases: tuple[str, ...] = ()  # of a class: full names, or as they are written
    is_replaced: bool = False


class Code(NamedTuple):
    """What is known of a file."""

    units: tuple[Unit, ...] = ()
    is_script: bool = False  # it may do something by itself when it runs
    begins: bool = False  # it surely does, and is there for that
    replaced: tuple[Lines, ...] = ()
    stubs: tuple[Lines, ...] = ()
    unnamed: tuple[Lines, ...] = ()  # functions in another one, which does not name them
    switched_off: tuple[Lines, ...] = ()
    flags: frozenset[str] = frozenset()  # that leave something out
    assigned: frozenset[str] = frozenset()  # the attributes that it assigns to, of whatever object


def code_of(path: Path) -> Code | None:
    """None for a file that cannot be parsed."""
    return _code(sources.lines(path))


@lru_cache(_FILES_KEPT)
def _code(lines: tuple[str, ...]) -> Code | None:
    tree = parsed_by_python("\n".join(lines))
    return _Reader(tree).code() if tree is not None else None


class _Reader:
    """One file."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._imported = dict(_imported(tree))
        self._listed = frozenset(_listed_names(tree))
        found = [node for block in blocks(tree) for node in replaced_in(block, self.full_name, tree)]
        self._replaced = {id(node): node for node in found}
        found_out = list(left_out(tree, flags_of(tree)))
        self._off = [block for block, _ in found_out]
        self._flags = frozenset(name for _, names in found_out for name in names)
        self._skipped = {id(statement) for block in self._off for statement in block}

    def code(self) -> Code:
        starting = Starting(self.tree, self.full_name, self._skipped)
        definitions = [node for node in ast.walk(self.tree) if isinstance(node, DEFINITIONS)]
        return Code(
            tuple(self._units()),
            starting.is_script,
            starting.begins,
            tuple(map(lines_of, self._replaced.values())),
            tuple(lines_of(node) for node in definitions if is_stub(node)),
            tuple(map(lines_of, unnamed_in(self.tree, self.full_name))),
            tuple(all_lines(self._off)),
            self._flags,
            frozenset(_assigned(self.tree)),
        )

    def full_name(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            value = self.full_name(node.value)
            return f"{value}.{node.attr}" if value else ""
        return self._imported.get(node.id, "") if isinstance(node, ast.Name) else ""

    def _units(self) -> Iterator[Unit]:
        definitions, rest = _parted(self.tree.body, self._skipped)
        for node in definitions:
            yield from self._of_class(node) if isinstance(node, ast.ClassDef) else [self._of_function(node)]
        end = max((node.end_lineno or node.lineno for node in self.tree.body), default=1)
        yield Unit("", "", Lines(1, end), self._words(rest))

    def _of_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, cls: str = "") -> Unit:
        is_kept = not all(is_handed_to_nobody(one, self.full_name) for one in node.decorator_list)
        is_kept = is_kept or naming.is_special(node.name) or naming.flattens(node.name) or naming.unflattens(node.name)
        is_replaced = id(node) in self._replaced
        return Unit(node.name, cls, lines_of(node), self._words([node]), is_kept=is_kept, is_replaced=is_replaced)

    def _of_class(self, node: ast.ClassDef) -> Iterator[Unit]:
        inside, rest = _parted(node.body, self._skipped)
        methods = [one for one in inside if isinstance(one, FUNCTIONS)]
        others = [one for one in inside if not isinstance(one, FUNCTIONS)]
        around = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        words, is_replaced = self._words([*around, *others, *rest]), id(node) in self._replaced
        bases = tuple(self._named(base) for base in node.bases if named_last(_applied(base)) not in _CALLING_NOTHING)
        is_kept = bool(node.keywords) or not all(map(self._is_known, node.decorator_list))
        yield Unit(node.name, "", lines_of(node), words, True, is_kept, bases, is_replaced)
        are_called = not all(is_handed_to_nobody(one, self.full_name) for one in node.decorator_list)
        for method in methods:
            unit = self._of_function(method, node.name)
            yield unit._replace(is_kept=unit.is_kept or are_called, is_replaced=unit.is_replaced or is_replaced)

    def _named(self, base: ast.expr) -> str:
        return self.full_name(_applied(base)) or named_last(_applied(base))

    def _is_known(self, decorator: ast.expr) -> bool:
        """Whether a decorator of a class is of a library that finds no class by its name."""
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return is_handed_to_nobody(decorator, self.full_name) or self.full_name(called).split(".")[0] in KNOWN_PACKAGES

    def _words(self, nodes: Iterable[ast.AST]) -> Words:
        names, attributes, texts, looked_in = set[str](), set[str](), set[str](), set[str]()
        imported = set[str]()
        for node in walk(nodes, self._skipped):
            match node:
                case ast.Name(id=name):
                    names.add(name)
                case ast.Attribute(attr=name):
                    attributes.add(name)
                case ast.alias(name=name, asname=other):
                    (imported if other in (None, name) else names).update(name.split("."))
                case ast.ImportFrom(module=str(module)):
                    names.update(module.split("."))
                case ast.Constant(value=str(text)):
                    texts.update(word for path in _PATH.findall(text) for word in _WORD.findall(path))
                case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]):
                    attributes.add(name)
                case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Name(id=name), *_]) if name in self._listed:
                    pass  # a module's `__all__` has it, whose names count for that module
                case ast.Call(func=ast.Name(id="getattr"), args=[looked, _, *_]):
                    looked_in.add(self.full_name(looked) or f"{LOCAL}{named_last(looked)}")
                case ast.Assign(targets=[ast.Name(id="__all__")], value=listed):
                    names.update(str(part.value) for part in ast.walk(listed) if isinstance(part, ast.Constant))
        texts |= {LOADED[loader] for loader in LOADED.keys() & (names | attributes)}
        found = names | imported, attributes, texts, looked_in, imported - names
        return Words(*map(frozenset, found))


def _listed_names(tree: ast.Module) -> Iterator[str]:
    """The `name` of comprehensions with `for name in module.__all__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension) and named_last(node.iter) == "__all__":
            yield named_last(node.target)


def _parted(body: Iterable[ast.stmt], skipped: AbstractSet[int]) -> tuple[list[Definition], list[ast.AST]]:
    """The definitions of a block, also below conditions, and all else that is in it."""
    definitions, rest = list[Definition](), list[ast.AST]()
    for statement in body:
        if id(statement) in skipped:
            continue
        if isinstance(statement, DEFINITIONS):
            definitions.append(statement)
        elif isinstance(statement, COMPOUND):
            for _, value in ast.iter_fields(statement):
                parts = value if isinstance(value, list) else [value]
                inner = [part for part in parts if isinstance(part, ast.stmt)]
                inner += [one for part in parts if isinstance(part, ast.ExceptHandler) for one in part.body]
                rest += [part for part in parts if isinstance(part, ast.expr | ast.withitem)]
                found, others = _parted(inner, skipped)
                definitions, rest = definitions + found, rest + others
        else:
            rest.append(statement)
    return definitions, rest


def _assigned(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports bind, with their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (head, head)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((alias.asname or alias.name, f"{module}.{alias.name}") for alias in node.names)


def _applied(base: ast.expr) -> ast.expr:
    """`Base`, of `Base[int]`."""
    return base.value if isinstance(base, ast.Subscript) else base
