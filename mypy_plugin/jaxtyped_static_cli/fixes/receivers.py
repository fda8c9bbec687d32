"""Makes `self` static, where nothing else has to be done first."""

from jaxtyped_static_mypy.reporting.mechanical import MAKE_RECEIVER_STATIC
from jaxtyped_static_mypy.reporting.reading import offered

from ..findings import Finding
from .proposals import Change, Program, spot_of
from .static_lists import write_text


def make_receiver_static(finding: Finding, program: Program) -> Change | None:
    """jit-self: every call of the method raises."""
    advice = offered(MAKE_RECEIVER_STATIC, finding.advice)
    spot = spot_of(finding, program) if advice is not None else None
    if spot is None or advice is None:
        return None
    return write_text(spot, advice["static"], finding, is_safe=True)
