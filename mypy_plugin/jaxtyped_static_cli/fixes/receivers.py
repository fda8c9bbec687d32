"""Makes `self` static, where nothing else has to be done first."""

import re
from typing import Final

from ..findings import Finding
from .proposals import Change, Program, spot_of
from .static_lists import write_text

_STATIC: Final = re.compile(r"(?:^|, or )make (?:\w+ )?static \((.+?)\)(?:, or |$)")


def make_receiver_static(finding: Finding, program: Program) -> Change | None:
    """jit-self: every call of the method raises."""
    offered = _STATIC.search(finding.advice)
    spot = spot_of(finding, program) if offered is not None else None
    if spot is None or offered is None:
        return None
    return write_text(spot, offered[1], finding, is_safe=True)
