"""What `doctor` finds out about a project, and what to do first."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.config.settings import Settings

from ..findings.causes import Finding, find_causes
from ..inspection.sites import Site
from ..mypy_runs.modules import relative
from ..mypy_runs.runs import Outcome
from ..project.roots import Project
from ..terminal.words import counted
from .hidden import Hiding, Package

_FIRST: Final = 3


class Diagnosis(NamedTuple):
    """What is known of a project after a check of it."""

    project: Project
    sites: list[Site]
    untyped: list[Package]
    hiding: list[Hiding]
    settings: Settings
    outcome: Outcome

    @property
    def unread(self) -> list[Site]:
        return [site for site in self.sites if site.unread]

    @property
    def findings(self) -> list[Finding]:
        return find_causes(self.outcome.checked, self.project.root)

    def is_shown(self, finding: Finding) -> bool:
        return self.settings.shows_potential or not finding.harm.is_potential

    def path(self, path: Path) -> str:
        """As it is seen from the project."""
        return relative(path, self.project.root)


def advice(diagnosis: Diagnosis) -> list[str]:
    """The first things to do, the most useful first."""
    return [line for _, line in zip(range(_FIRST), _all_advice(diagnosis), strict=False)]


def _all_advice(diagnosis: Diagnosis) -> Iterator[str]:
    outcome = diagnosis.outcome
    if outcome.broken:
        first = outcome.broken[0]
        yield f"Fix {first.span.path}:{first.span.line}, so that the file can be checked: {first.message}"
    if outcome.warnings:
        yield f"Correct the settings: {outcome.warnings[0]}"
    if not diagnosis.sites:
        yield "Name the files that use jax.jit: none of the files that were checked does."
    yield from _what_is_hidden(diagnosis)
    if found := sum(map(diagnosis.is_shown, diagnosis.findings)):
        yield f"Run jaxtyped-static check: the rules report {counted(found, 'problem')}."
    if not diagnosis.settings.strict:
        yield "Run jaxtyped-static check --strict, to see what cannot be proved."
    yield "Run jaxtyped-static check in CI, for example with --format github."


def _what_is_hidden(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.unread:
        reason, count = Counter(site.unread for site in diagnosis.unread).most_common(1)[0]
        first = next(site for site in diagnosis.unread if site.unread == reason)
        more = f" and {count - 1} more" if count > 1 else ""
        yield f"Look at {diagnosis.path(first.path)}:{first.line}{more}, which cannot be read: {reason}."
    if diagnosis.hiding:
        most = diagnosis.hiding[0]
        yield (
            f"Annotate the decorator {most.name}: after it, {counted(most.functions, 'function')} "
            f"(the first at {diagnosis.path(most.path)}:{most.line}) have no type."
        )
    if diagnosis.untyped:
        package = diagnosis.untyped[0]
        files = counted(package.files, "file")
        advised = f"{package.advice[0].upper()}{package.advice[1:]}"
        yield f"{advised}: {package.name}, imported by {files}, {package.reason}."
