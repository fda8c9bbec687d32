"""Where compiled functions are called, and what is passed for their parameters."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import AssignmentStmt, CallExpr, Decorator, Expression, MypyFile, RefExpr
from mypy.types import AnyType, Type, TypeOfAny

from jaxtyped_static_mypy.syntax.describing import describe
from jaxtyped_static_mypy.syntax.trees import covers, nodes_below

from ..compat.trees import formals_of
from ..files import sources
from .callees import Callees
from .functions import Found
from .model import Argument, Call, Role
from .program import Program

_LONGEST: Final = 60  # of the source of an argument
_UNKNOWN: Final = AnyType(TypeOfAny.special_form)


class Passed(NamedTuple):
    """An argument of a call, and the index of the parameter that takes it."""

    parameter: int
    expression: Expression
    type: Type


class FoundCall(NamedTuple):
    """A call of a compiled function, or a mention of it."""

    of: Found
    call: Call
    passed: tuple[Passed, ...] = ()


def find_calls(program: Program, found: Sequence[Found], known: Callees) -> Iterator[FoundCall]:
    for file in program.trees:
        nodes = nodes_below(file)
        calls = [node for node in nodes if isinstance(node, CallExpr)]
        mentions = [node for node in nodes if isinstance(node, RefExpr)]
        elsewhere = {node.callee for node in calls} | {
            target for node in nodes if isinstance(node, AssignmentStmt) for target in node.lvalues
        }
        here = [entry for entry in found if entry.file is file]
        for node in calls:
            if (callee := known.called(node.callee)) is not None:
                passed = tuple(_passed(node, callee, known))
                call = _call(node, file, program, here)
                yield FoundCall(callee, call._replace(arguments=tuple(_static(callee, passed, program, file))), passed)
        for mention in mentions:
            if mention not in elsewhere and (callee := known.named(mention)) is not None:
                yield FoundCall(callee, _call(mention, file, program, here)._replace(is_call=False))


def _call(node: Expression, file: MypyFile, program: Program, here: Sequence[Found]) -> Call:
    around = (entry for entry in here if entry.definition is not None and covers(entry.definition, node.line))
    caller = min(around, key=lambda entry: node.line - entry.function.place.line, default=None)
    place = program.place(file.fullname, node.line)
    scope = sources.scope(program.files[file.fullname], node.line)
    return Call(place, scope, caller=caller.function.id if caller is not None else "")


def _passed(node: CallExpr, callee: Found, known: Callees) -> Iterator[Passed]:
    """The arguments; not those that are unpacked, whose items are unknown."""
    signature, types = callee.compiled.signature, known.program.checked.types
    if signature is None:
        return
    first = int(_is_bound(node, callee, known))
    formals = formals_of(node, signature, first, lambda index: types.get(node.args[index], _UNKNOWN))
    for index, arguments in enumerate(formals, first):
        for argument in arguments:
            if not node.arg_kinds[argument].is_star():
                expression = node.args[argument]
                yield Passed(index, expression, types.get(expression, _UNKNOWN))


def _is_bound(node: CallExpr, callee: Found, known: Callees) -> bool:
    """Whether the first parameter, `self` or `cls`, is not among the arguments."""
    compiled = callee.compiled.node
    if not isinstance(compiled, Decorator) or not compiled.func.info or compiled.func.is_static:
        return False
    return compiled.func.is_class or known.binds(node.callee)


def _static(callee: Found, passed: Sequence[Passed], program: Program, file: MypyFile) -> Iterator[Argument]:
    path = program.files[file.fullname]
    for given in passed:
        parameter = callee.function.parameters[given.parameter]
        if parameter.role is Role.STATIC:
            yield Argument(parameter.name, sources.excerpt(path, given.expression, _LONGEST), describe(given.type))
