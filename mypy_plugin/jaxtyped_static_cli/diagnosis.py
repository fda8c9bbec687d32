"""What `doctor` finds out about a project, and what to do first."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxtyped_static_mypy.config.settings import Settings

from .project import Project
from .runs import Outcome
from .sites import Site
from .words import counted

# Packages without types for which this project has stubs.
_STUBS: Final = frozenset({"chex", "optax"})
_SHOWN: Final = 3


class Diagnosis(NamedTuple):
    """What is known of a project after a check of it."""

    project: Project
    sites: list[Site]
    not_found: Counter[str]  # packages that mypy does not find, and how many files import each
    settings: Settings
    outcome: Outcome

    @property
    def unread(self) -> list[Site]:
        return [site for site in self.sites if site.unread]


def advice(diagnosis: Diagnosis) -> list[str]:
    """The first things to do, the most useful first."""
    return [line for _, line in zip(range(_SHOWN), _all_advice(diagnosis), strict=False)]


def _all_advice(diagnosis: Diagnosis) -> Iterator[str]:
    outcome = diagnosis.outcome
    if outcome.broken:
        first = outcome.broken[0]
        yield f"Mend {first.span.path}:{first.span.line}, so that the file can be checked: {first.message}"
    if outcome.warnings:
        yield f"Correct the settings: {outcome.warnings[0]}"
    if not diagnosis.sites:
        yield "Name the files that compile functions: no use of jax.jit was found in the files that were checked."
    if diagnosis.unread:
        reason, count = Counter(site.unread for site in diagnosis.unread).most_common(1)[0]
        first_site = next(site for site in diagnosis.unread if site.unread == reason)
        where = _place(first_site, diagnosis) + (f" and {count - 1} more" if count > 1 else "")
        yield f"Look at {where}, which cannot be read: {reason}."
    if hidden := [name for name, _ in diagnosis.not_found.most_common() if name in _STUBS]:
        names = " and ".join(hidden)
        yield f"Install jaxtyped-static-stubs (stubs/ in its repository): it has the types that {names} lack."
    elif diagnosis.not_found:
        name, count = diagnosis.not_found.most_common(1)[0]
        yield f"Install {name}, with its types, in the environment: {counted(count, 'file')} cannot be fully read."
    if found := sum(one.is_ours for one in outcome.diagnostics):
        yield f"Run jaxtyped-static check: the rules report {counted(found, 'place')}."
    if not diagnosis.settings.strict:
        yield "Run jaxtyped-static check --strict, to see what cannot be proved."
    yield "Run jaxtyped-static check in CI, for example with --format github."


def _place(site: Site, diagnosis: Diagnosis) -> str:
    root = diagnosis.project.root
    path = site.path.relative_to(root) if site.path.is_relative_to(root) else site.path
    return f"{path}:{site.line}"
