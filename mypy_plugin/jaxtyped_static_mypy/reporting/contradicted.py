"""What a call passes for a parameter whose declared type would make it raise, if that is something else.

It is no finding. The command collects what all calls of the program pass, and believes them more than the annotation.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Context
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

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
    position: Position, types: Iterable[Type], call: CallExpr, rules: Sequence[ContractRule], file: CheckedFile
) -> None:
    """`types`: of the argument, and of what else it may be bound to there."""
    if position.is_signed or not position.is_argument or not is_for_tools(file):
        return
    if not any(_is_another(typ, position, file) for typ in types):
        return
    for code, harm in declared_harms(position.type, position, rules, file).items():
        if harm is Harm.RAISES:
            record_passed(position.name, call, position.context, code, file, position.place)


def _is_another(typ: Type, position: Position, file: CheckedFile) -> bool:
    """Whether values of a type may be static, unlike those of the declared type. A tuple is one, whatever it holds."""
    if any(isinstance(part, AnyType) for part in all_parts(typ)):
        return _is_tuple(typ) and not _is_tuple(position.type)
    verdict = judge(typ, file.settings, is_argument=True)
    record_dependency(file.api, verdict.consulted.everything())
    return not verdict.faults


def _is_tuple(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, TupleType) or (isinstance(proper, Instance) and proper.type.fullname == "builtins.tuple")


def record_passed(
    name: str, call: CallExpr, context: Context, code: ErrorCode, file: CheckedFile, place: Place | None = None
) -> None:
    """Tells the command that a call passes another type for a parameter than the declared one."""
    called = Evidence(CONTRADICTED, file.tree.path, call.callee.line, "")
    statement = _PASSES.fill(name=name, function=last_name(call.callee))
    report(*(file, context, statement, code), position=place, evidence=[called], harm=Harm.POTENTIAL, is_asked=True)
