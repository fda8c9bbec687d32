"""mypy's errors about what JAX does not have, or no longer has, as findings; and what mypy is silent about."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.array_attributes import (
    CHANGING,
    OPERATOR_OF,
    OTHER_ARRAYS,
    UNSEEN,
    UNSEEN_ARGUMENTS,
)
from jaxtyped_static_mypy.knowledge.ecosystem import PACKAGES
from jaxtyped_static_mypy.rules import jax_missing, jax_removed

from ..diagnostics import Diagnostic
from ..modules import relative
from ..read_programs import ReadProgram
from . import arrays, missing, properties
from .frozen import settled
from .immutable import changed_items, sorted_copies
from .installed import Installed
from .operands import listed_operands
from .packages import refuses_argument
from .positions import misplaced
from .saying import Said, code_of, diagnostic_of
from .source_files import Use, source_file
from .uses import LAST_NAMES, attributes, from_import, module_imports, provided, refused

_CODES: Final = (jax_removed.CODE, jax_missing.CODE)
# mypy's words for an attribute, for a name that is imported, and for a type.
_OF_ATTRIBUTE: Final = re.compile(r'(?:Module|"Config") has no attribute "(\w+)"')
_OF_IMPORT: Final = re.compile(r'Module "([\w.]+)" has no attribute "(\w+)"')
_OF_TYPE: Final = re.compile(r'Name "[\w.]+\.(\w+)" is not defined')
_OF_NAMES: Final = frozenset({"attr-defined", "name-defined"})
# Of an attribute of an array, and of an argument.
_OF_ARRAY: Final = re.compile(r'"Array" has no attribute "(\w+)"')
_OF_ARGUMENT: Final = re.compile(
    r'Unexpected keyword argument "(\w+)" for (?:overloaded function )?"(\w+)"( of "Array")?'
)
_OF_PROPERTY: Final = re.compile(r'"(.+)" not callable')
_OF_OPERATORS: Final = "operator"
_OF_CALLS: Final = frozenset({"call-arg", "call-overload"})
_IN_ARRAY: Final = re.compile(r'defined in "jax\._src\.basearray"')
_OWN_ARRAY: Final = re.compile(rb"^\s*class Array\b", re.MULTILINE)


class _Asked(NamedTuple):
    """What is asked about a program."""

    contents: Mapping[str, bytes]
    python: tuple[int, int]
    installed: Installed
    own: frozenset[str]  # its own packages
    seen: frozenset[str]  # packages that mypy has read
    knows_arrays: bool  # whether what mypy calls "Array" is that of JAX


def with_removed(found: Sequence[Diagnostic], program: ReadProgram) -> list[Diagnostic]:
    """What mypy reports, with what is wrong with names that are not there as findings, at the end and in order."""
    if not program.uses_jax:
        return list(found)
    root = program.root
    checked = {relative(module.file, root): module for module in program.checked}
    off = {path: program.options.clone_for_module(module.name).disabled_error_codes for path, module in checked.items()}
    contents = {
        path: _content(module.file, program.read)
        for path, module in checked.items()
        if not off[path].issuperset(_CODES)
    }
    asked = _asked(contents, program)
    found = list(settled(found, contents, asked.installed, root, asked.python))
    reported = {diagnostic: _reported(diagnostic, asked) for diagnostic in found}
    uses = {(diagnostic.span.path, use) for diagnostic, here in reported.items() for use in here}
    told_of = {diagnostic.span[:2] for diagnostic in found if diagnostic.is_ours}
    uses |= {
        (path, use)
        for path, content in contents.items()
        for use in _unreported(content, asked)
        if not _is_told(path, use, told_of)
    }
    uses = {(path, use) for path, use in uses if code_of(use) not in off[path]}
    if not uses:
        return list(found)
    last_names = frozenset(use.name.rpartition(".")[2] for _, use in uses)
    given = {name for content in contents.values() for name in provided(content, last_names)}
    told = {(path, use) for path, use in uses if use.name not in given}
    said = Said({path: module.name for path, module in checked.items()}, root, asked.installed, _unused(told, contents))
    kept = (
        diagnostic
        for diagnostic in found
        if not any((diagnostic.span.path, use) in told for use in reported[diagnostic])
    )
    ours = sorted((diagnostic_of(path, use, said) for path, use in told), key=lambda diagnostic: diagnostic.span)
    return [*kept, *ours]


def _unused(told: Iterable[tuple[str, Use]], contents: Mapping[str, bytes]) -> frozenset[str]:
    """The names that files import, and do nothing else with; a package may import them for others."""
    used, unused = set[str](), set[str]()
    for path, use in told:
        file = source_file(contents[path]) if Path(path).name != "__init__.py" else None
        (unused if file is not None and file.is_unused_import(use) else used).add(use.name)
    return frozenset(unused - used)


def _is_told(path: str, use: Use, told_of: Collection[tuple[str | int, ...]]) -> bool:
    """Whether another rule reports it: of what is compiled, or of a call of `jit`."""
    is_told_once = use.name in CHANGING or use.name in OPERATOR_OF or use.positions is not None
    return is_told_once and (path, use.line) in told_of


def _asked(contents: Mapping[str, bytes], program: ReadProgram) -> _Asked:
    seen = frozenset(name.partition(".")[0] for name in program.modules)
    own = frozenset(module.name.partition(".")[0] for module in program.checked)
    knows_arrays = seen.isdisjoint(OTHER_ARRAYS) and not any(map(_OWN_ARRAY.search, contents.values()))
    return _Asked(contents, program.options.python_version, Installed(program.jax), own, seen, knows_arrays)


def _content(file: Path, read: Callable[[Path], bytes]) -> bytes:
    try:
        return read(file)
    except OSError:
        return b""


def _reported(diagnostic: Diagnostic, asked: _Asked) -> Sequence[Use]:
    """The uses of one name, argument or attribute that mypy reports; none if it is another, or raises nothing."""
    content = asked.contents.get(diagnostic.span.path)
    if content is None:
        return ()
    if diagnostic.code in _OF_CALLS:
        return _of_call(diagnostic, content, asked)
    if diagnostic.code == _OF_OPERATORS:
        return _of_property(diagnostic, content, asked)
    if diagnostic.code not in _OF_NAMES:
        return ()
    if (of_array := _OF_ARRAY.match(diagnostic.message)) is not None:
        return _of_array(diagnostic, of_array[1], content, asked)
    return _of_name(diagnostic, content, asked) or _of_missing(diagnostic, content, asked)


def _of_name(diagnostic: Diagnostic, content: bytes, asked: _Asked) -> Sequence[Use]:
    span = diagnostic.span
    if (imported := _OF_IMPORT.match(diagnostic.message)) is not None:
        return from_import(content, span.line, imported[1], imported[2])
    used = _OF_ATTRIBUTE.match(diagnostic.message) or _OF_TYPE.match(diagnostic.message)
    if used is None or used[1] not in LAST_NAMES:
        return ()
    found = attributes(content, span.line, used[1], asked.python)
    exact = [use for use in found if use.column == span.column - 1]
    return exact or (found if len({use.name for use in found}) == 1 else ())


def _of_missing(diagnostic: Diagnostic, content: bytes, asked: _Asked) -> Sequence[Use]:
    """What is found without mypy, too."""
    message = diagnostic.message
    used = _OF_IMPORT.match(message) or _OF_ATTRIBUTE.match(message) or _OF_TYPE.match(message)
    if used is None:
        return ()
    here = (use for use in _missing(content, asked) if use.line == diagnostic.span.line)
    return [use for use in here if use.name.endswith(f".{used[used.lastindex or 0]}")]


def _of_array(diagnostic: Diagnostic, name: str, content: bytes, asked: _Asked) -> Sequence[Use]:
    if name in UNSEEN or name.startswith("__") or not asked.knows_arrays:
        return ()
    span = diagnostic.span
    return arrays.attributes_of_arrays(content, span.line, span.column - 1, name, asked.python)


def _of_property(diagnostic: Diagnostic, content: bytes, asked: _Asked) -> Sequence[Use]:
    called = _OF_PROPERTY.match(diagnostic.message)
    if called is None or not asked.knows_arrays:
        return ()
    span = diagnostic.span
    return properties.called_properties(content, span.line, span.column - 1, called[1], asked.python)


def _of_call(diagnostic: Diagnostic, content: bytes, asked: _Asked) -> Sequence[Use]:
    used = _OF_ARGUMENT.match(diagnostic.message)
    if used is None:
        return ()
    argument, function, of_array = used.groups()
    if of_array is None:
        found = missing.arguments_on(content, diagnostic.span.line, argument, asked.python)
        return [use for use in found if _is_refused(use, asked)]
    is_known = any(map(_IN_ARRAY.search, diagnostic.notes)) and (function, argument) not in UNSEEN_ARGUMENTS
    if not is_known:
        return ()
    return arrays.arguments_of_method(content, diagnostic.span.line, argument, function, asked.python)


def _unreported(content: bytes, asked: _Asked) -> Iterator[Use]:
    """What mypy says nothing of."""
    installed = asked.installed
    yield from (use for use in module_imports(content) if not installed.has_module(use.name))
    yield from (use for use in refused(content, asked.python) if installed.refuses(use.name))
    yield from _missing(content, asked)
    yield from arrays.foreign_attributes(content, asked.python, installed.packages)
    yield from changed_items(content, asked.python, installed.packages)
    yield from sorted_copies(content, asked.python, installed.packages)
    yield from listed_operands(content, asked.python, installed.packages)
    placed = misplaced(content, asked.python, installed.packages)
    yield from (use for use in placed if use.name.partition(".")[0] not in asked.own)
    unseen = frozenset(PACKAGES) - asked.seen - asked.own
    given = (
        *missing.removed_arguments(content, asked.python),
        *missing.arguments(content, asked.python, unseen),
    )
    yield from (use for use in given if _is_refused(use, asked))


def _missing(content: bytes, asked: _Asked) -> Sequence[Use]:
    found = missing.missing_names(content, asked.python, asked.installed.packages)
    return [use for use in found if use.name.partition(".")[0] not in asked.own]


def _is_refused(use: Use, asked: _Asked) -> bool:
    if use.name.partition(".")[0] in asked.own:
        return False
    definition = asked.installed.packages.definition(use.name)
    return definition is not None and refuses_argument(definition, use.argument)
