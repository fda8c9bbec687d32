"""jit-branch: conditions on parameters with a default, which no call of the file gives: JAX traces what a call gives.

A default that a call leaves out stays the number that it is (JAX 0.10.2). Other files may give it: the command knows.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Expression, FloatExpr, FuncDef, IntExpr, NameExpr, UnaryExpr

from ..flow.traced.analysis import analysis_if_given
from ..flow.traced.frame import ConcreteUse
from ..flow.traced.given import given_values
from ..reach.description import reach_of
from ..reporting.evidence.wording import GIVEN
from ..reporting.finding import PLACES, Asked, Question
from ..source.parameters import Parameter, parameters
from ._body import Body

_TRUTHS: Final = ("builtins.True", "builtins.False")


class IfGiven(NamedTuple):
    """What needs a concrete value if a call gives one of the parameters, and what is asked of the program."""

    node: Expression
    use: ConcreteUse
    question: Question


def uses_if_given(body: Body) -> Iterator[IfGiven]:
    """For each parameter by itself: of two, a call may give one only."""
    function, file = body.function, body.file
    if not isinstance(function, FuncDef) or function.info or not reach_of(file, function).transformations:
        return
    given = given_values(file, function)
    known = {place for place, use in body.analysis.concrete_uses.items() if use.value is not None}
    for parameter in parameters(function):
        if parameter.has_default and parameter.name not in given and _is_number(function, parameter):
            analysis = analysis_if_given(file, function, (parameter.name,))
            body.consulted.update(analysis.consulted)
            for place, use in analysis.concrete_uses.items():
                if place not in known:
                    yield IfGiven(place[0], use, _question(function, parameter))


def _question(function: FuncDef, parameter: Parameter) -> Question:
    among = (parameter.name, str(parameter.position))
    return Question(Asked.GIVEN, function.fullname, GIVEN, f'{PLACES} "{parameter.name}"', among)


def _is_number(function: FuncDef, parameter: Parameter) -> bool:
    """Whether a default is a number or a flag, so that a call gives one, too: not a text, nor None."""
    default = function.arguments[parameter.position].initializer
    if isinstance(default, UnaryExpr):
        default = default.expr
    is_flag = isinstance(default, NameExpr) and default.fullname in _TRUTHS
    return is_flag or isinstance(default, (IntExpr, FloatExpr))
