"""Findings in a function of which only the compiled form is traced, where every call of that raises before it begins.

`step_jit = jax.jit(step)` with an argument that cannot be traced: nobody can have called it, so the one finding says it
all. The function itself is meant to run as it is.
"""

from collections.abc import Sequence
from typing import Final

from jaxtyped_static_mypy.reach.program import Runs
from jaxtyped_static_mypy.reporting.harm import Harm

from .effects import Effect, as_potential
from .program import ProgramUses

_IN_TRACES: Final = frozenset({"jit-branch", "jit-mutation", "static-traced"})
_RAISING: Final = ("jit-untraceable", "untraceable")


def without_masked(effects: Sequence[Effect], program: ProgramUses) -> list[Effect]:
    """The effects, with those in such functions as potential ones."""
    masked = {name for effect in effects if (name := _masked_by(effect, program)) is not None}
    return [as_potential(effect, "") if masked and _is_in(effect, masked, program) else effect for effect in effects]


def _masked_by(effect: Effect, program: ProgramUses) -> str | None:
    """The full name of the function of the module that an effect shows to be compiled in vain, and nowhere else."""
    reported, module = effect.reported, program.module_at(effect.path)
    if (reported.code, reported.kind) != _RAISING or reported.harm is not Harm.RAISES or effect.scope:
        return None
    name = f"{module}.{reported.names[-1]}"
    uses, span = program.runs.uses(name), effect.diagnostic.span
    is_alone = len(uses.compiled) == 1 and all(
        place.module == module and span.line <= place.use.line <= span.end_line for place in uses.compiled
    )
    is_traced = any(program.runs.at(call).runs is Runs.TRACED for call in (*uses.calls, *uses.handed_on))
    return name if is_alone and not is_traced else None


def _is_in(effect: Effect, masked: set[str], program: ProgramUses) -> bool:
    """Whether an effect is in such a function, or in one that nothing but these can have traced."""
    outermost = effect.scope.partition(".")[0]
    if effect.reported.code not in _IN_TRACES or not outermost:
        return False
    is_in, seen, pending = False, set[str](), [f"{program.module_at(effect.path)}.{outermost}"]
    while pending:
        function = pending.pop()
        if function in masked:
            is_in = True
        elif function not in seen:
            seen.add(function)
            callers = _traced_by(function, masked, program)
            if callers is None:
                return False
            pending += callers
    return is_in


def _traced_by(function: str, masked: set[str], program: ProgramUses) -> set[str] | None:
    """The functions that call one, and may be traced; None if something else may have it traced."""
    defined, uses = program.runs.defined(function), program.runs.uses(function)
    if defined is None or defined.runs is Runs.TRACED or not uses.is_only_called:
        return None
    around = {call: program.runs.function_around(call) for call in uses.calls}
    if any(program.runs.at(call).runs is Runs.TRACED for call, outer in around.items() if outer not in masked):
        return None
    return {outer for outer in around.values() if outer is not None}
