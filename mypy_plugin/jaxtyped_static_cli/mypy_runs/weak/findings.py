"""What begins with a weak type as findings of the rule `jit-retrace`, beside those that mypy reports."""

import ast
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from mypy.options import Options

from jaxtyped_static_mypy.reporting.finding import Evidence, Finding
from jaxtyped_static_mypy.reporting.harm import Harm
from jaxtyped_static_mypy.rules import CODES
from jaxtyped_static_mypy.rules._weak_words import EVIDENCE, Begins, making, statement_of
from jaxtyped_static_mypy.source.weak_values import Weak

from ...files.python_files import is_of_library
from ..diagnostics import Diagnostic, Span
from ..modules import Module, relative
from ..read_programs import ReadProgram
from .modules import Modules
from .roots import Strengthened, strengthened
from .values import Kind

_CODE: Final = CODES["jit-retrace"]
_KINDS: Final = frozenset({"weak-type", "weak-field"})
_MOST_SHOWN: Final = 6  # lines that make parts of one argument
_IGNORE: Final = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*type:\s*ignore\[[^\]]*\bjit-retrace\b")
_IGNORING: Final = re.compile(r"^#\s*mypy:\s*ignore-errors", re.MULTILINE)
_WEAK: Final = {Kind.INTEGER: Weak.INTEGER, Kind.FLOAT: Weak.FLOAT}


class _Argument(NamedTuple):
    """An argument that begins with a weak type, or has parts that do."""

    path: str  # of the file
    node: ast.expr
    parts: tuple[Strengthened, ...]


def with_weak(found: Sequence[Diagnostic], program: ReadProgram) -> list[Diagnostic]:
    """What mypy reports, and what the whole program shows of weak types: mypy sees one file.

    A finding of both is that of the program only where mypy does not see that it does harm.
    """
    if not program.uses_jax:
        return list(found)
    root, paths = program.root, program.modules
    checked = {one.name: relative(one.file, root) for one in program.checked if _is_on(one, program.options)}
    own = frozenset(name for name, path in paths.items() if path.suffix == ".py" and not is_of_library(str(path)))
    modules = Modules(paths, own, program.read)
    kept, ours = list(found), []
    for argument in _arguments(modules, checked):
        diagnostic = _diagnostic(argument, modules, root)
        before = [one for one in kept if _is_same(one, diagnostic)]
        if diagnostic.reported.harm.is_potential and before:
            continue
        if any(not one.reported.harm.is_potential for one in before) or _is_ignored(argument, program):
            continue
        kept = [one for one in kept if one not in before]
        ours.append(diagnostic)
    return [*kept, *sorted(ours, key=lambda diagnostic: diagnostic.span)]


def _is_on(module: Module, options: Options) -> bool:
    own = options.clone_for_module(module.name)
    return _CODE not in own.disabled_error_codes and not own.ignore_errors


def _arguments(modules: Modules, checked: Mapping[str, str]) -> list[_Argument]:
    parts: dict[ast.expr, tuple[str, list[Strengthened]]] = {}
    for module, one in strengthened(modules):
        node = _node_of(one)
        if node is not None and module in checked and one.leaf.kind in _WEAK:
            parts.setdefault(node, (checked[module], []))[1].append(one)
    return [_Argument(path, node, _certain(shown)) for node, (path, shown) in parts.items()]


def _certain(parts: list[Strengthened]) -> tuple[Strengthened, ...]:
    return tuple(one for one in parts if one.leaf.is_certain) or tuple(parts)


def _node_of(one: Strengthened) -> ast.expr | None:
    """The argument, or the object whose method is called; None of what the call itself does not pass."""
    call, place = one.passed.call, one.argument
    if isinstance(place, str):
        return next((word.value for word in call.keywords if word.arg == place), None)
    if place < one.passed.bound:
        is_owner = one.passed.is_method and place == 0 and isinstance(call.func, ast.Attribute)
        return call.func.value if is_owner and isinstance(call.func, ast.Attribute) else None
    index = place - one.passed.bound
    return call.args[index] if index < len(call.args) and not isinstance(call.args[index], ast.Starred) else None


def _diagnostic(argument: _Argument, modules: Modules, root: Path) -> Diagnostic:
    node, first = argument.node, argument.parts[0]
    parts = [Begins(one.path, _WEAK[one.leaf.kind]) for one in argument.parts if one.leaf.kind is not None]
    statement = statement_of(first.passed.name, ast.unparse(node), parts)
    shown = (_evidence(one, argument.path, modules, root) for one in argument.parts)
    evidence = tuple(islice(filter(None, shown), _MOST_SHOWN))
    does_harm = first.leaf.is_certain and first.passed.is_costly
    harm = Harm.RECOMPILES if does_harm else Harm.POTENTIAL
    finding = Finding(_CODE.code, *statement, evidence=evidence, harm=harm)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset + 1
    span = Span(argument.path, node.lineno, node.col_offset + 1, end_line, end + 1)
    return Diagnostic(span, _CODE.code, finding.message, tuple(one.text for one in evidence), True, finding)


def _evidence(one: Strengthened, path: str, modules: Modules, root: Path) -> Evidence | None:
    """The line that makes it."""
    made = one.leaf.made
    if made is None or made.module not in modules.own:
        return None
    file = relative(modules.paths[made.module], root)
    return Evidence(EVIDENCE, file, made.line, making(one.path, made.line, "" if file == path else file))


def _is_same(known: Diagnostic, ours: Diagnostic) -> bool:
    is_weak = known.finding is not None and known.finding.kind in _KINDS
    return is_weak and known.code == ours.code and known.span[:3] == ours.span[:3]


def _is_ignored(argument: _Argument, program: ReadProgram) -> bool:
    text = program.read(program.root / argument.path).decode("utf-8-sig", errors="replace")
    lines = text.splitlines()[argument.node.lineno - 1 : argument.node.end_lineno]
    return _IGNORING.search(text) is not None or any(map(_IGNORE.search, lines))
