"""The hooks that every program needs, whether it turns out to import jax or not: no more than they need is imported."""

from collections.abc import Callable
from functools import partial

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import ClassDefContext

from ..facts.class_facts import record_class_facts
from ..memory import MEMORY
from . import availability, failures


class EarlyHooks:
    """What happens to a file that is parsed, and to a class that is analysed."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._record_class = failures.guard_class(partial(record_class_facts, is_checked=False))
        self._record_and_check_class = failures.guard_class(partial(record_class_facts, is_checked=True))

    def forget(self) -> None:
        """A file was parsed: in the daemon, after an edit."""
        MEMORY.clear()

    def why_off(self, file: MypyFile) -> str | None:
        try:
            return availability.why_off(file, self._options)
        except Exception as error:
            return f"{file.path}: {failures.describe_failure(error)}"

    def needs_markers(self, file: MypyFile) -> bool:
        try:
            return availability.sees_markers(file, self._options)
        except Exception:
            return False  # then only calls of plain jitted functions are not looked at

    def class_definition(self, *, is_checked: bool) -> Callable[[ClassDefContext], None]:
        return self._record_and_check_class if is_checked else self._record_class
