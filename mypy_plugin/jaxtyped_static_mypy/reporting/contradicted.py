"""What a call passes for a parameter whose declared type would make it raise, if that is something else.

It is no finding. The command collects what all calls of the program pass, and believes them more than the annotation.
"""

from collections.abc import Sequence
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Context
from mypy.types import AnyType, Type

from ..compat.dependencies import record_dependency
from ..judgement.judge import judge
from ..source.checked_file import CheckedFile
from ..syntax.names import last_name
from ..syntax.type_parts import all_parts
from .contract import declared_harms
from .contract_rule import ContractRule
from .errors import is_for_tools, report
from .evidence.wording import CONTRADICTED
from .finding import PASSES_ANOTHER, Evidence, Place
from .harm import Harm
from .messages import Message
from .positions import Position

_PASSES: Final = Message('"{function}" gets another type for "{name}" than the declared one', "", kind=PASSES_ANOTHER)


def record_another(
    position: Position, typ: Type, call: CallExpr, rules: Sequence[ContractRule], file: CheckedFile
) -> None:
    """`typ`: of the argument."""
    if position.is_signed or not position.is_argument or not is_for_tools(file):
        return
    if any(isinstance(part, AnyType) for part in all_parts(typ)):
        return  # it may be anything
    verdict = judge(typ, file.settings, is_argument=True)
    if verdict.faults:
        return
    record_dependency(file.api, verdict.consulted.everything())
    for code, harm in declared_harms(position.type, position, rules, file).items():
        if harm is Harm.RAISES:
            record_passed(position.name, call, position.context, code, file, position.place)


def record_passed(
    name: str, call: CallExpr, context: Context, code: ErrorCode, file: CheckedFile, place: Place | None = None
) -> None:
    """Tells the command that a call passes another type for a parameter than the declared one."""
    called = Evidence(CONTRADICTED, file.tree.path, call.callee.line, "")
    statement = _PASSES.fill(name=name, function=last_name(call.callee))
    report(*(file, context, statement, code), position=place, evidence=[called], harm=Harm.POTENTIAL, is_asked=True)
