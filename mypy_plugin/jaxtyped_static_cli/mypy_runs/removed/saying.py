"""What is said of a name, argument or attribute that is not there."""

import ast
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

from mypy.errorcodes import ErrorCode

from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.array_attributes import ARGUMENTS, ARRAY, CHANGING, NEVER, OPERATOR_OF
from jaxtyped_static_mypy.knowledge.ecosystem import JAX_MODULES, gone_since
from jaxtyped_static_mypy.knowledge.never_there import BEFORE, was_never_there
from jaxtyped_static_mypy.knowledge.removed_arguments import LAST_WITH, argument_advice, times_of_argument
from jaxtyped_static_mypy.knowledge.removed_names import REMOVED
from jaxtyped_static_mypy.knowledge.removed_releases import times_of
from jaxtyped_static_mypy.reporting.finding import Finding
from jaxtyped_static_mypy.rules import jax_missing, jax_removed

from ..diagnostics import Diagnostic, Span
from .installed import Installed
from .missing import TYPE_ERROR
from .packages import arguments_of, nameless_arguments
from .source_files import Use

_JAX: Final = "jax"
_CLOSE: Final = 0.9
_BY_POSITION: Final = "give it by position"


class Said(NamedTuple):
    """What is needed to say it."""

    modules: Mapping[str, str]  # the names of the files' modules
    root: Path
    installed: Installed
    unused: frozenset[str] = frozenset()  # the names that the program imports, and does nothing else with


def code_of(use: Use) -> ErrorCode:
    is_removed = (use.name, use.argument) in LAST_WITH if use.argument else use.name in REMOVED
    return jax_removed.CODE if is_removed else jax_missing.CODE


def diagnostic_of(path: str, use: Use, said: Said) -> Diagnostic:
    asked = _asked(said.root / path, use, said)
    is_potential = asked is not None or not use.is_certain or naming.is_abandoned(said.modules[path])
    finding = _finding(use, said, is_potential=is_potential)
    span = Span(path, use.line, use.column + 1, use.end_line, use.end_column + 1)
    return Diagnostic(span, finding.code, finding.message, (asked,) if asked is not None else (), True, finding)


def _asked(file: Path, use: Use, said: Said) -> str | None:
    """What the project says, if it is for another environment than this."""
    installed = said.installed
    if use.name in CHANGING or use.name in NEVER:
        return None  # no release has it
    if code_of(use) == jax_removed.CODE:
        times = times_of_argument(use.name, use.argument) if use.argument else times_of(use.name)
        return installed.asked_before(file, said.root, times)
    is_of_name = not use.argument and use.positions is None
    if is_of_name and was_never_there(use.name):
        return installed.asked_before(file, said.root, BEFORE)
    return installed.asks_for_another(file, said.root, use.name.partition(".")[0], gone_since(use.name))


def _finding(use: Use, said: Said, *, is_potential: bool) -> Finding:
    installed = said.installed
    library = installed.title(use.name.partition(".")[0])
    outer, _, last = use.name.rpartition(".")
    if code_of(use) == jax_removed.CODE:
        if not use.argument:
            is_unused = use.name in said.unused
            return jax_removed.finding_of(use.name, use.error, library, is_potential=is_potential, is_unused=is_unused)
        instead = argument_advice(use.name, use.argument) or _instead(use, installed)
        return jax_removed.argument_removed(use.name, use.argument, library, instead, is_potential=is_potential)
    if use.positions is not None:
        instead = _without_more(use, installed)
        return jax_missing.too_many(use.name, use.positions, library, instead, is_potential=is_potential)
    if use.name in OPERATOR_OF:
        return jax_missing.listed_operand(OPERATOR_OF[use.name], use.argument, is_potential=is_potential)
    if use.argument and not use.error:
        return jax_missing.number_for_flag(use.name, use.argument, is_potential=is_potential)
    if use.name in CHANGING and not use.error:
        return jax_missing.sorted_copy(is_potential=is_potential)
    if use.name in CHANGING:
        return jax_missing.item_changed(last, use.error, is_potential=is_potential)
    if use.argument:
        instead = _instead(use, installed)
        return jax_missing.argument_missing(use.name, use.argument, library, instead, is_potential=is_potential)
    if outer == ARRAY and use.error == TYPE_ERROR:
        return jax_missing.property_called(last, is_potential=is_potential)
    if outer == ARRAY:
        return jax_missing.attribute_missing(last, library, is_potential=is_potential)
    similar = _similar(outer, last, installed)
    return jax_missing.name_missing(use.name, use.error, library, similar, is_potential=is_potential)


def _without_more(use: Use, installed: Installed) -> str:
    """All arguments of a function, if it takes none by name alone."""
    definition = installed.packages.definition(use.name)
    if not isinstance(definition, ast.FunctionDef) or definition.args.kwonlyargs or definition.args.kwarg is not None:
        return ""
    names = arguments_of(definition)
    return f"its only argument is {names[0]}" if len(names) == 1 else f"its arguments are {', '.join(names)}"


def _instead(use: Use, installed: Installed) -> str:
    """What is known of the arguments of a function: a name that stands for one, or all names."""
    definition = installed.packages.definition(use.name)
    if use.argument in nameless_arguments(definition):
        return _BY_POSITION
    names = arguments_of(definition) if definition is not None else []
    shown = [name for name in names if not name.startswith("_")]
    if (other := ARGUMENTS.get(use.argument)) in names or (definition is None and other is not None):
        return f"write {other}"
    close = [name for name in shown if name.endswith(f"_{use.argument}")] or get_close_matches(use.argument, shown, 1)
    if close:
        return f"write {close[0]}"
    return f"its arguments are {', '.join(shown)}" if shown else _BY_POSITION if definition is not None else ""


def _similar(module: str, name: str, installed: Installed) -> str:
    """What differs in case or underscores alone, or is in another module of JAX, or else differs in a letter or two."""
    names, spelled = installed.packages.names(module), name.replace("_", "").lower()
    same = next((other for other in names if other.replace("_", "").lower() == spelled), None)
    if same is not None:
        return f"write {module}.{same}"
    if module in JAX_MODULES:
        elsewhere = next((other for other in JAX_MODULES if name in installed.packages.names(other)), None)
        if elsewhere is not None:
            return f"write {elsewhere}.{name}"
    close = get_close_matches(name, [other for other in names if not other.startswith("_")], 1, _CLOSE)
    return f"the nearest name is {module}.{close[0]}" if close else ""
