"""mypy's errors about names that JAX no longer has, as findings of the rule."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from mypy.options import Options

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.rules import jax_removed
from jaxtyped_static_mypy.rules.jax_removed import CODE

from ..diagnostics import Diagnostic, Span
from ..modules import Module, relative
from .installed import Installed
from .uses import LAST_NAMES, Use, attributes, from_import, module_imports, provided, refused

_JAX: Final = "jax"
# mypy's words for an attribute, for a name that is imported, and for a type.
_OF_ATTRIBUTE: Final = re.compile(r'(?:Module|"Config") has no attribute "(\w+)"')
_OF_IMPORT: Final = re.compile(r'Module "([\w.]+)" has no attribute "(\w+)"')
_OF_TYPE: Final = re.compile(r'Name "[\w.]+\.(\w+)" is not defined')
_CODES: Final = frozenset({"attr-defined", "name-defined"})


def with_removed(
    found: Sequence[Diagnostic],
    named: Iterable[Module],
    program: Mapping[str, Path],
    root: Path,
    options: Options,
    read: Callable[[Path], bytes],
) -> list[Diagnostic]:
    """What mypy reports, with what is wrong with names that are gone as findings, at the end and in order.

    `named`: the files that are checked. `program`: all modules. `read`: the content of a file, as mypy has read it.
    """
    if _JAX not in program:
        return list(found)
    installed = Installed(program[_JAX].parent)
    checked = [module for module in named if CODE not in options.clone_for_module(module.name).disabled_error_codes]
    contents = {relative(module.file, root): _content(module.file, read) for module in checked}
    reported = {diagnostic: _uses(diagnostic, contents, options.python_version) for diagnostic in found}
    uses = {(diagnostic.span.path, use) for diagnostic, here in reported.items() for use in here}
    for path, content in contents.items():
        uses |= {(path, use) for use in module_imports(content) if not installed.has_module(use.name)}
        uses |= {(path, use) for use in refused(content, options.python_version) if installed.refuses(use.name)}
    if not uses:
        return list(found)
    given = {name for content in contents.values() for name in provided(content)}
    names = {relative(module.file, root): module.name for module in checked}
    ours = (_diagnostic(path, use, names, root, installed) for path, use in uses if use.name not in given)
    kept = (diagnostic for diagnostic in found if given.issuperset(use.name for use in reported[diagnostic]))
    return [*kept, *sorted(ours, key=lambda diagnostic: diagnostic.span)]


def _content(file: Path, read: Callable[[Path], bytes]) -> bytes:
    try:
        return read(file)
    except OSError:
        return b""


def _uses(diagnostic: Diagnostic, contents: Mapping[str, bytes], python: tuple[int, int]) -> Sequence[Use]:
    """The uses of one name that mypy reports; none if it is another name, or raises nothing."""
    span, content = diagnostic.span, contents.get(diagnostic.span.path)
    if diagnostic.code not in _CODES or content is None:
        return ()
    if (imported := _OF_IMPORT.match(diagnostic.message)) is not None:
        return from_import(content, span.line, imported[1], imported[2])
    used = _OF_ATTRIBUTE.match(diagnostic.message) or _OF_TYPE.match(diagnostic.message)
    if used is None or used[1] not in LAST_NAMES:
        return ()
    found = attributes(content, span.line, used[1], python)
    exact = [use for use in found if use.column == span.column - 1]
    return exact or (found if len({use.name for use in found}) == 1 else ())


def _diagnostic(path: str, use: Use, names: Mapping[str, str], root: Path, installed: Installed) -> Diagnostic:
    asked = installed.asked_before(root / path, root, use.name)
    is_potential = asked is not None or naming.is_abandoned(names[path])
    finding = jax_removed.finding_of(use.name, use.error, installed.version, is_potential=is_potential)
    span = Span(path, use.line, use.column + 1, use.end_line, use.end_column + 1)
    return Diagnostic(span, finding.code, finding.message, (asked,) if asked is not None else (), True, finding)
