"""Reports an error, unless its position has one with the same code already."""

import re
from collections.abc import Iterable

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context, TypeInfo
from mypy.plugin import AnalyzeTypeContext

from ..compat import mypy_api
from ..compat.reported import has_error
from ..knowledge import naming
from ..reach.runs import never_runs
from ..source.checked_file import CheckedFile
from ..source.unreachable import never_runs_at
from .finding import Evidence, Finding, Place, Question, Site, Written, to_note
from .harm import Harm, harm_of
from .messages import Statement
from .notes import note_declared, note_written, text_of_written, where_declared
from .switch import FINDINGS


def report(
    file: CheckedFile,
    context: Context,
    statement: Statement,
    code: ErrorCode,
    *,
    position: Place | None = None,
    path: str = "",
    declared: TypeInfo | None = None,
    base: TypeInfo | None = None,
    holder: TypeInfo | None = None,
    written: Written | None = None,
    evidence: Iterable[Evidence] = (),
    questions: Iterable[Question] = (),
    site: Site | None = None,
    harm: Harm | None = None,
    also: tuple[str, ...] = (),
    is_asked: bool = False,
    is_signed: bool = False,
) -> bool:
    """Reports an error with its notes; returns whether the position has an error with this code now.

    Of several errors with one code at one position, the first is reported: whoever reports them puts it first. The
    others appear once it is fixed. `evidence` is asked for only if the error is reported. `harm`: None for that of all
    errors of its kind. `is_asked`: only tools get it, which know whether the whole program shows it. `is_signed`: it
    breaks a contract that the code declares, and is reported in replaced code, too.
    """
    harm = harm or harm_of(code.code, statement.kind)
    is_unused = naming.is_abandoned(file.tree.fullname) or never_runs_at(context.line, file)
    if is_unused and not (is_signed or harm is Harm.CONTRACT):
        harm, questions = Harm.POTENTIAL, ()
    if (is_asked and not is_for_tools(file)) or (harm.is_potential and not _shows_potential(file)):
        return False
    if harm is Harm.RECOMPILES and not is_for_tools(file) and never_runs(context, file):
        return False
    if has_error(file.api, context, code):
        return True  # mypy comes more than once to the body of a loop, and to a function that it has deferred
    is_at_fault = declared is not None and position is not None and _names(statement, declared)
    finding = Finding(
        code.code,
        *statement,
        position,
        path,
        where_declared(file, declared, is_at_fault=is_at_fault) if declared is not None else None,
        where_declared(file, base, is_at_fault=is_at_fault) if base is not None else None,
        holder.fullname if holder is not None else "",
        written,
        tuple(evidence),
        tuple(questions),
        harm,
        also,
        site,
        is_asked,
        is_signed,
    )
    file.api.fail(finding.message, context, code=code)
    if is_for_tools(file):
        mypy_api.note(file.api, to_note(finding), context, code)
    _report_notes(file, context, finding, code)
    return True


def _shows_potential(file: CheckedFile) -> bool:
    """Whether to report what nothing here shows to go wrong. Tools get it all: they know the whole program."""
    return file.settings.shows_potential or is_for_tools(file)


def is_for_tools(file: CheckedFile) -> bool:
    """Whether a tool reads the errors, as data."""
    return FINDINGS in file.options.enabled_error_codes


def _names(statement: Statement, info: TypeInfo) -> bool:
    """Whether what is wrong is said of a class."""
    name = re.compile(rf"\b{re.escape(info.name.partition('@')[0])}\b")
    return any(name.search(value) is not None for _, value in statement.values)


def _report_notes(file: CheckedFile, context: Context, finding: Finding, code: ErrorCode) -> None:
    if finding.declared is not None:
        note_declared(file.api, context, finding.declared, code)
    if finding.written is not None:
        note_written(file.api, context, finding.written, code)
    for problem in finding.also:
        mypy_api.note(file.api, f"Also: {problem}", context, code)
    for shown in finding.evidence:
        mypy_api.note(file.api, shown.text, context, code)


def report_type(
    ctx: AnalyzeTypeContext, context: Context, statement: Statement, code: ErrorCode, written: Written | None
) -> None:
    """Reports an error with its notes while mypy analyses a type, which it does once."""
    finding = Finding(code.code, *statement, written=written, harm=harm_of(code.code, statement.kind))
    ctx.api.fail(finding.message, context, code=code)
    if FINDINGS in ctx.api.options.enabled_error_codes:
        mypy_api.type_note(ctx, to_note(finding), context, code)
    if written is not None:
        mypy_api.type_note(ctx, text_of_written(written), context, code)
