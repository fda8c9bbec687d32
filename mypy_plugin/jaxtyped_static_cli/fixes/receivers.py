"""Makes `self` static, where nothing else has to be done first."""

import libcst as cst

from jaxtyped_static_mypy.reporting.actions import Action

from ..findings.causes import Finding
from .proofs.calls import why_may_be_pytree, why_not_every_call
from .proofs.uses import Parameter
from .proposals import Change, ProjectFiles, Spot, spot_of
from .static_lists import write_text


def make_receiver_static(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-self. Safe if nothing may make a pytree of the class, so that every call of the method raises."""
    advised = finding.reported.offered(Action.MAKE_RECEIVER_STATIC)
    spot = spot_of(finding, files) if advised is not None else None
    parameter = spot.document.starting_at(spot.place, cst.Param) if spot is not None else None
    if spot is None or advised is None or parameter is None:
        return None
    method = spot.document.parent(parameter, cst.FunctionDef)
    owner = spot.document.parent(parameter, cst.ClassDef)
    if method is None or owner is None:
        return None
    return write_text(spot, advised.value("static"), finding, _doubt(method.name.value, owner.name.value, spot, files))


def _doubt(method: str, owner: str, spot: Spot, files: ProjectFiles) -> str:
    code, source = files.code, files.code.source(spot.path)
    if source is None:
        return f"{spot.path.name} is no file of the project"
    receiver = Parameter(method, "", 0, source, owner)
    return why_may_be_pytree(owner, code) or why_not_every_call(receiver, lambda *_: True, code)
