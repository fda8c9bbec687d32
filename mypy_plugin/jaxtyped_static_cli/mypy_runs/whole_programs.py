"""What the whole program shows besides what mypy reports of its files."""

from collections.abc import Callable, Sequence
from typing import Final

from jaxtyped_static_mypy.hooks.failures import describe_failure

from ..terminal.saying import say
from .diagnostics import Diagnostic
from .read_programs import ReadProgram
from .removed import with_removed
from .weak import with_weak

_Look = Callable[[Sequence[Diagnostic], ReadProgram], list[Diagnostic]]

_LOOKS: Final[tuple[tuple[_Look, str], ...]] = (
    (with_removed, "names that JAX does not have"),
    (with_weak, "weak types"),
)


def with_whole_program(found: Sequence[Diagnostic], program: ReadProgram) -> list[Diagnostic]:
    """A fault of ours costs what is said of one matter, and not the whole run."""
    for look, matter in _LOOKS:
        try:
            found = look(found, program)
        except Exception as error:
            say(f"note: {describe_failure(error)}. Nothing is said of {matter}")
    return list(found)
