"""jax-call: a call of JAX that raises whenever it is reached, because of what it is given."""

from typing import Final

from ..reporting.errors import report
from ..source.checked_file import CheckedFile, once_per_file
from . import CODES
from ._derived_integers import derived_integers
from ._donated_arrays import donated_arrays
from ._given_functions import given_functions
from ._listed_arrays import listed_arrays
from ._mapped_leaves import mapped_leaves
from ._misfit_partials import misfit_partials
from ._refused import Refused, calls_of_jax, is_expected
from ._returned_structures import returned_structures
from ._reversed_loops import reversed_loops
from ._unpacked_parts import unpacked_carries, unpacked_results
from ._unread_parameters import unread_parameters

CODE: Final = CODES["jax-call"]

_CHECKS: Final = (
    listed_arrays,
    misfit_partials,
    given_functions,
    derived_integers,
    unpacked_carries,
    returned_structures,
    mapped_leaves,
)
_OF_DERIVATIVES: Final = (unread_parameters, reversed_loops)


def check_calls(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no hook is called for some of them."""
    for refused in _refused(file):
        report(file, refused.place, refused.statement, CODE, harm=refused.harm)
    return bool(_refused(file))


@once_per_file
def _refused(file: CheckedFile) -> tuple[Refused, ...]:
    """At most one for each call: what raises first hides the others."""
    found = ((next((one for check in _CHECKS for one in check(call, file)), None), call) for call in calls_of_jax(file))
    refused = [one for one, call in found if one is not None and not is_expected(call.call, file)]
    derived = (
        one
        for call in file.calls
        for check in _OF_DERIVATIVES
        for one in check(call, file)
        if not is_expected(call, file)
    )
    return (*refused, *derived, *unpacked_results(file), *donated_arrays(file))
