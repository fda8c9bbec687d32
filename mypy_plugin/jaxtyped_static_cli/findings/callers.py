"""What every caller of a function does wrong for one of its parameters: the function is what to change."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..files import sources
from ..mypy_runs.diagnostics import Span
from ..mypy_runs.modules import relative
from ..terminal.words import counted
from .effects import Effect


class AtParameter(NamedTuple):
    """What to say of all callers, where the parameter is declared."""

    span: Span
    subject: str
    problem: str
    advice: str


def at_parameter(effects: list[Effect], root: Path, modules: Mapping[str, Path]) -> AtParameter | None:
    """None if there is one caller only, or if the function is not seen."""
    position = effects[0].reported.position
    asking = {(effect.asked_by, effect.reported.position) for effect in effects}
    if len(effects) == 1 or len(asking) > 1 or position is None or not effects[0].asked_by:
        return None
    module, function = _split(effects[0].asked_by, modules)
    place = sources.parameter(modules[module], function, position.name) if module else None
    if place is None:
        return None
    span = Span(relative(modules[module], root), *place)
    problem = f"{counted(len(effects), 'call')} pass a new callable as {position}, and JAX compiles again for each"
    advice = f'remove jit from "{position.owner}", and jit its callers'
    return AtParameter(span, f"{module}.{function}: {position.name}", problem, advice)


def _split(full_name: str, modules: Mapping[str, Path]) -> tuple[str, str]:
    """A module of the program, and what is named in it; empty if no module is."""
    module, _, rest = full_name.rpartition(".")
    while module and module not in modules:
        module, _, last = module.rpartition(".")
        rest = f"{last}.{rest}"
    return module, rest
