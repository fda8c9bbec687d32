"""What fixes know messages by: what to do is an `Action`, and what is wrong a kind. The words are for people only."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from string import Formatter
from typing import Final, NamedTuple

Values = tuple[tuple[str, str], ...]  # of placeholders, by their names


class Action(StrEnum):
    """What an alternative of an advice says to do, if a fix can do it; beside each, its placeholders."""

    # The lists of a jit call
    TAKE_OFF = "take-off"  # lists
    COUNT_RECEIVER = "count-receiver"  # option, receiver, lists
    LIST_LAST_POSITION = "list-last-position"  # last
    # Parameters and fields
    MAKE_STATIC = "make-static"  # parameter
    MAKE_RECEIVER_STATIC = "make-receiver-static"  # receiver, static
    UNMARK = "unmark"
    LEAVE_OUT_ARRAY = "leave-out-array"
    USE_INSTEAD = "use-instead"  # detail
    # Classes
    FREEZE = "freeze"  # detail, frozen_by
    COMPARE_BY_VALUE = "compare-by-value"
    COMPARE_FIELD = "compare-field"
    REGISTER_DATACLASS = "register-dataclass"  # cls, pytree
    # Traced values
    SELECT = "select"
    KEEP_ARRAY = "keep-array"
    USE_JAX_NUMPY = "use-jax-numpy"
    CALL_ARRAY_FUNCTION = "call-array-function"  # function
    COMPARE_BY_HALVES = "compare-by-halves"
    TEST_FOR_NONE = "test-for-none"
    # Functions that are made again and again
    JIT_BEFORE_LOOP = "jit-before-loop"
    MAKE_AT_MODULE_LEVEL = "make-at-module-level"


class Advised(NamedTuple):
    """One alternative of the advice in a message."""

    text: str
    action: Action | None = None
    values: Values = ()  # of its placeholders

    def value(self, name: str) -> str:
        return dict(self.values)[name]


class Alternative(NamedTuple):
    """The template of one alternative."""

    text: str
    action: Action | None = None
    known: Values = ()  # values of placeholders
    needs: tuple[str, ...] = ()  # placeholders that the text lacks, and a fix needs
    only_if: Values = ()  # the action is meant only for these values of other placeholders

    def knowing(self, **values: str) -> "Alternative":
        return self._replace(known=(*self.known, *values.items()))

    def fill(self, values: Mapping[str, str]) -> Advised:
        values = {**values, **dict(self.known)}
        is_meant = all(values[name] == value for name, value in self.only_if)
        names = dict.fromkeys([*placeholders(self.text), *self.needs])
        action, kept = (self.action, tuple((name, values[name]) for name in names)) if is_meant else (None, ())
        return Advised(render(self.text, values), action, kept)


def render(template: str, values: Mapping[str, str]) -> str:
    """The text made from a template. All templates of errors pass here, where a test gives them other words."""
    return template.format_map(values)


@cache
def placeholders(template: str) -> tuple[str, ...]:
    """The names of a template's placeholders, in order."""
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name is not None))


# The lists of a jit call
TAKE_OFF: Final = Alternative("take it off {lists}", Action.TAKE_OFF)
OFF_THE_LIST: Final = Alternative("take it off the list", Action.TAKE_OFF)
OFF_ONE_LIST: Final = Alternative("take it off one of the lists", Action.TAKE_OFF)

# Parameters and fields
MAKE_STATIC: Final = Alternative('make "{parameter}" static', Action.MAKE_STATIC)
UNMARK: Final = Alternative("remove Static, so that it is traced", Action.UNMARK)
LEAVE_OUT_ARRAY: Final = Alternative("leave the array out of its type", Action.LEAVE_OUT_ARRAY)
USE_INSTEAD: Final = Alternative("use {detail} instead", Action.USE_INSTEAD)

# Kinds of problems that the command distinguishes.
IS_ARRAY: Final = "array"  # as the judgement names it
UNTRACEABLE_IN_SOME_CALLS: Final = "untraceable-in-some-calls"
NO_SUCH_POSITION: Final = "no-such-position"
MARKED_DYNAMIC: Final = "marked-dynamic"
UNREAD_MARKER: Final = "unread-marker"
DYNAMIC_IN_CALL: Final = "dynamic-in-call"
RESULT_DROPPED: Final = "result-dropped"
COPY_DROPPED: Final = "copy-dropped"
CHECK_DROPPED: Final = "check-dropped"
DROPPED: Final = frozenset({RESULT_DROPPED, COPY_DROPPED, CHECK_DROPPED})
