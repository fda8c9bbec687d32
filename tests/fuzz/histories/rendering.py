"""Renders a program as files; each module imports what it uses in its chosen way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Final

from tests.fuzz.histories.grammar import sort_of, with_references
from tests.fuzz.histories.model import PLAIN_IMPORT, Declaration, Import, Module, Program
from tests.fuzz.histories.vocabulary import HEADER, HOLDING

_HEADER_NAME: Final = re.compile(rf"(?<![\w.])({'|'.join(HEADER)})\b")
_UNBOUND: Final = {"names": '("c",)', "numbers": "(1,)", "type": "int"}


def files_of(program: Program, prefix: str = "") -> dict[str, str]:
    """Returns path → text. `prefix` is added to every top-level name, so that many programs can share one tree."""
    scope = _Scope(program, program.homes(), _outer_classes(program), prefix)
    exported = _exported(scope)
    # A package always has this file: without it, mypy's daemon fails when it starts from a cache.
    packages = {module.name.rpartition(".")[0] for module in program.modules} - {""}
    files = {f"{scope.spelled(package)}/__init__.py": "" for package in packages}
    for module in program.modules:
        text = _text(module, exported.get(module.name, ()), scope)
        # mypy takes a module for unchanged if its text moves from `.py` to `.pyi`.
        files.update({path: f"{text}# a stub\n" if path.endswith("i") else text for path in _paths(module, scope)})
    return files


@dataclass(frozen=True)
class _Scope:
    program: Program
    homes: Mapping[str, str]
    outer: Mapping[str, str]  # nested class → the enclosing class
    prefix: str

    def spelled(self, module: str) -> str:
        return f"{self.prefix}{module}"

    def top_level(self, name: str) -> str:
        """Returns the outermost class of a nested one."""
        return self.top_level(self.outer[name]) if name in self.outer else name

    def qualified(self, name: str) -> str:
        return f"{self.qualified(self.outer[name])}.{name}" if name in self.outer else name


def _outer_classes(program: Program) -> dict[str, str]:
    outer: dict[str, str] = {}
    for module in program.modules:
        names = {one.name for one in module.declarations if one.kind in HOLDING}
        outer |= {one.name: one.inside for one in module.declarations if one.inside in names and one.inside is not None}
    return outer


def _exported(scope: _Scope) -> dict[str, set[str]]:
    """Returns what each module imports so that others can import it from there."""
    exported: dict[str, set[str]] = {}
    for module in scope.program.modules:
        for name in _needed(module, scope):
            seen, at = {module.name}, module
            while (through := at.imports.get(name, PLAIN_IMPORT).through) is not None and through not in seen:
                seen.add(through)
                if through == scope.homes.get(name) or all(other.name != through for other in scope.program.modules):
                    break
                exported.setdefault(through, set()).add(name)
                at = scope.program.module(through)
    return exported


def _needed(module: Module, scope: _Scope) -> list[str]:
    """Returns the top-level names of other modules that the declarations of this one refer to."""
    referred = (scope.top_level(name) for one in module.declarations for name in one.references())
    return [name for name in dict.fromkeys(referred) if scope.homes.get(name, module.name) != module.name]


def _paths(module: Module, scope: _Scope) -> Iterator[str]:
    path = scope.spelled(module.name).replace(".", "/")
    is_package = any(other.name.startswith(f"{module.name}.") for other in scope.program.modules)
    for suffix in module.suffixes:
        yield f"{path}/__init__{suffix}" if is_package else f"{path}{suffix}"


def _text(module: Module, exported: Iterable[str], scope: _Scope) -> str:
    imported = dict.fromkeys([*_needed(module, scope), *sorted(exported)])
    imports = {name: _Imported.of(name, module, scope) for name in imported}
    spelled = {name: found.reference for name, found in imports.items()}
    body = [_declared(one, module, spelled, scope) for one in _ordered(module, scope)]
    aliases = [f"{name} = {spelled[name]}\n" for name in exported if spelled[name] != name]
    dynamic = "def __getattr__(name: str) -> Any: ...\n" if module.answers_any else ""
    text = "".join([*aliases, *body, dynamic])
    lines = [*_header(text), *dict.fromkeys(found.statement for found in imports.values())]
    if module.lists_exports:
        public = [one.name for one in module.declarations if one.name not in scope.outer]
        lines.append(f"__all__ = {sorted({*public, *exported})!r}")
    above = "".join(f"# {number}\n" for number in range(module.lines_above))
    return above + "".join(f"{line}\n" for line in lines) + text


def _ordered(module: Module, scope: _Scope) -> list[Declaration]:
    """Returns the top-level declarations, each after those that it, or a class nested in it, refers to."""
    tops = {one.name: one for one in module.declarations if one.name not in scope.outer}
    references: dict[str, set[str]] = {name: set() for name in tops}
    for one in module.declarations:
        references[scope.top_level(one.name)] |= {scope.top_level(name) for name in one.references()}
    ordered: dict[str, Declaration] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        for needed in sorted(references[name]):
            if needed in tops and needed not in above and needed not in ordered:
                add(needed, (*above, needed))
        ordered[name] = tops[name]

    for name in tops:
        if name not in ordered:
            add(name, (name,))
    return list(ordered.values())


def _header(text: str) -> list[str]:
    needed = set(_HEADER_NAME.findall(text))
    lines = [line for name in HEADER if name in needed for line in HEADER[name].split("\n")]
    return ["from __future__ import annotations", *dict.fromkeys(sorted(lines, key=_is_definition))]


def _is_definition(line: str) -> bool:
    return not line.startswith(("import ", "from "))


def _declared(declaration: Declaration, module: Module, spelled: Mapping[str, str], scope: _Scope) -> str:
    nested = [one for one in module.declarations if scope.outer.get(one.name) == declaration.name]
    references = {
        slot: _reference(declaration, slot, spelled, scope) for slot in declaration.grammar.slots(declaration.chosen)
    }
    own = {"name": declaration.name, "itself": scope.qualified(declaration.name)}
    text = with_references(declaration.grammar.filled_in(declaration.chosen), {**references, **own})
    inner = "".join(indent(_declared(one, module, spelled, scope), "    ") for one in nested)
    return text + inner


def _reference(declaration: Declaration, slot: str, spelled: Mapping[str, str], scope: _Scope) -> str:
    name = declaration.slots.get(slot)
    if name is None:
        return _UNBOUND.get(sort_of(slot), "anything()")
    top, _, rest = scope.qualified(name).partition(".")
    return f"{spelled.get(top, top)}.{rest}" if rest else spelled.get(top, top)


@dataclass(frozen=True)
class _Imported:
    statement: str
    reference: str

    @classmethod
    def of(cls, name: str, importer: Module, scope: _Scope) -> _Imported:
        chosen = importer.imports.get(name, PLAIN_IMPORT)
        source = chosen.through if chosen.through not in (None, importer.name) else scope.homes[name]
        assert source is not None
        return cls._from(name, source, importer, chosen, scope)

    @classmethod
    def _from(cls, name: str, source: str, importer: Module, chosen: Import, scope: _Scope) -> _Imported:
        spelled, short = scope.spelled(source), source.replace(".", "_")
        package, _, last = source.rpartition(".")
        plain = f"from {spelled} import {name}"
        match chosen.style:
            case "renamed":
                return cls(f"{plain} as {name}_here", f"{name}_here")
            case "module":
                return cls(f"import {spelled}", f"{spelled}.{name}")
            case "module renamed":
                return cls(f"import {spelled} as {short}_here", f"{short}_here.{name}")
            case "star":
                return cls(f"from {spelled} import *", name)
            case "guarded":
                return cls(f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {plain}", name)
            case "tried":
                return cls(f"try:\n    {plain}\nexcept ImportError:\n    pass", name)
            case "relative" if package and importer.name.rpartition(".")[0] == package:
                return cls(f"from .{last} import {name}", name)
            case "relative" if package:
                return cls(f"from {scope.spelled(package)} import {last}", f"{last}.{name}")
        return cls(plain, name)
