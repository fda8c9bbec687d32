"""static-eq at a call of `eqx.filter_jit`: an equal value of another type gets the program of an earlier call.

What is no array is static there, and compared by `==` alone: 2, 2.0 and True share a program (Equinox 0.13.8). Static
arguments of `jax.jit` are told apart by their types as well.
"""

from typing import Final

from mypy.nodes import CallExpr, NameExpr
from mypy.types import CallableType

from ..flow.call_forms import Caller, How, caller, difference, function_called, is_same_call
from ..reporting.errors import report
from ..reporting.finding import Evidence
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from . import CODES
from ._call_forms import earlier_calls, named_function
from ._counted_calls import is_uncounted

_CODE: Final = CODES["static-eq"]
_OF_PYTHON: Final = frozenset({"bool", "float", "int", "tuple"})  # a number of NumPy is traced
_EVIDENCE: Final = "compiled before"

_SHARED: Final = Message(
    'This call of {function} runs the program that an earlier one compiled for an equal value: "{parameter}" is of '
    "type {here} here, and {before} there, and filter_jit does not tell them apart",
    ("pass the same type in both", "pass it as an array (jnp.asarray(...))"),
    kind="equal-value-of-another-type",
)


def check_equal_values(call: CallExpr, signature: CallableType, file: CheckedFile) -> None:
    """Reports a number whose type another program would be for.

    In which order the calls run, the order in which they are written has to tell, and nothing tells whether the type
    matters to the result: with an array of floats it does not. So it is potential.
    """
    if is_uncounted(call, file):
        return
    function = function_called(call, file)
    later = _by_position(caller(call, signature, function))
    if later is None or not isinstance(call.callee, NameExpr):
        return  # a method may be that of another object
    static = frozenset(later.form)
    others = [(other, _by_position(caller(other, signature, function))) for other in earlier_calls(call, file)]
    earlier = [(other, form) for other, form in others if form is not None]
    if any(is_same_call(later, form, static, file) for _, form in earlier):
        return
    for other, form in earlier:
        found = difference(later, form, static, file)
        if found is None or found.kinds is None or found.earlier is not found.later:
            continue
        if not _OF_PYTHON.issuperset(found.kinds):
            continue
        before, here = found.kinds
        named = named_function(signature)
        statement = _SHARED.fill(function=named, parameter=found.parameter, here=here, before=before)
        shown = Evidence(_EVIDENCE, file.tree.path, other.line, f"The earlier call is at line {other.line}")
        report(file, call, statement, _CODE, evidence=[shown], harm=Harm.POTENTIAL)
        return


def _by_position(found: Caller | None) -> Caller | None:
    """The call as filter_jit binds it: names and positions are one, and a default that is left out is none of both."""
    if found is None:
        return None
    form = {
        name: passed if passed.how is How.DEFAULT else passed._replace(how=How.POSITION)
        for name, passed in found.form.items()
    }
    return found._replace(form=form)
