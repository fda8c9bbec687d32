"""The hooks that run for every program, whether or not it uses jax. They import as little as they can.

They write down what mypy forgets: a class that is defined before anything imports jax may be a static argument later.
"""

import sys
from collections.abc import Callable
from functools import partial

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import ClassDefContext

from ..compat.dataclass_bodies import hide_annotations_of_classes
from ..config.settings import Settings
from ..facts.class_facts import record_class_facts
from ..facts.functions.keeping import keep_functions
from ..facts.helpers import Declarators
from ..facts.objects.keeping import keep_uses
from . import availability, failures


def _record_class(ctx: ClassDefContext, declarators: Declarators, *, is_checked: bool) -> None:
    hide_annotations_of_classes(ctx)
    record_class_facts(ctx, declarators=declarators, is_checked=is_checked)


class EarlyHooks:
    """The hooks for files that are parsed, and for classes that are analysed."""

    def __init__(self, options: Options, settings: Settings) -> None:
        self._options = options
        record = partial(
            _record_class,
            declarators=Declarators(
                settings.pytree_decorators, settings.static_decorators, settings.static_field_functions
            ),
        )
        self._record_class = failures.guard_class(partial(record, is_checked=False))
        self._record_and_check_class = failures.guard_class(partial(record, is_checked=True))

    def keep_source(self, file: MypyFile) -> None:
        """Called when a file is parsed, and when it is written to the cache."""
        always = self._options.fine_grained_incremental
        try:
            keep_uses(file, always=always)
            keep_functions(file, always=always)
        except Exception as error:
            print(f"{file.path}: {failures.describe_failure(error)}", file=sys.stderr)

    def why_off(self, file: MypyFile) -> str | None:
        try:
            return availability.why_off(file, self._options)
        except Exception as error:
            return f"{file.path}: {failures.describe_failure(error)}"

    def needs_markers(self, file: MypyFile) -> bool:
        try:
            return availability.sees_markers(file, self._options)
        except Exception:
            return False  # then calls of functions under plain jax.jit are not checked

    def class_definition(self, *, is_checked: bool) -> Callable[[ClassDefContext], None]:
        return self._record_and_check_class if is_checked else self._record_class
