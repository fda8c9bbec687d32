"""What a check of a compiled function is given, what it yields, and what several of them ask."""

from typing import NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context, FuncDef, FuncItem, TypeAlias, TypeInfo

from ..config.settings import Settings
from ..flow.traced.analysis import Analysis
from ..flow.traced.values import Source
from ..judgement.judge import can_be_static
from ..reporting.finding import Place, Question
from ..reporting.harm import Harm
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile
from ..source.nested_functions import Functions, read_functions


class Body(NamedTuple):
    """An outermost function, with all functions nested in it."""

    function: FuncItem
    file: CheckedFile
    analysis: Analysis
    consulted: set[TypeInfo | TypeAlias]  # classes that the answer depends on: a check adds those it looks at

    def functions(self) -> Functions:
        """The function and those nested in it, read anew: what is asked of them collects what it consulted."""
        decorator = self.file.decorators.get(self.function) if isinstance(self.function, FuncDef) else None
        return read_functions(self.function, decorator, self.file)


def source_can_be_static(source: Source, settings: Settings) -> tuple[bool, frozenset[TypeInfo | TypeAlias]]:
    """Whether what a traced value comes from can be static, by its declared type, and what the answer depends on."""
    if source.is_array or source.declared is None:
        return False, frozenset()
    answer, consulted = can_be_static(source.declared, settings)
    return answer, frozenset(consulted)


class BodyError(NamedTuple):
    """An error in a function, to be reported each time mypy checks that function."""

    context: Context  # in the file of the function
    statement: Statement
    code: ErrorCode
    position: Place | None = None
    harm: Harm | None = None  # None for that of all errors of its kind
    questions: tuple[Question, ...] = ()  # it is none unless the whole program answers one


def harm_of_source(source: Source) -> Harm | None:
    """The harm of what raises if a value is traced: where only arrays are, it may be a number that no call shows."""
    return Harm.POTENTIAL if source.may_be_number else None
