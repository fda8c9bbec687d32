"""Expectations in comments, mypy's output, and the difference between the two."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_MARK = re.compile(r"\s*# (?P<kind>[EN])(?:@(?P<step>\d+))?: ")
_ERROR = re.compile(r"^\[(?P<code>[a-z][\w-]*)\](?:\s+(?P<text>.+))?$")
_REPORT = re.compile(
    r"^(?P<file>[^:\s][^:]*\.pyi?):(?:(?P<line>\d+):)? "
    r"(?P<severity>error|note): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)


@dataclass(frozen=True)
class Mark:
    """One `# E: [code] text` (with a code) or `# N: text` (without)."""

    line: int
    code: str | None
    text: str
    step: int | None = None

    def matches(self, report: Report) -> bool:
        severity = "error" if self.code else "note"
        is_kind = report.severity == severity and self.code in (None, report.code)
        return is_kind and report.line == self.line and self.text in report.text

    def __str__(self) -> str:
        return f"[{self.code}] {self.text}".rstrip() if self.code else f"note: {self.text}"


@dataclass(frozen=True, order=True)
class Report:
    """One line of mypy's output; line 0 if it has no line number."""

    file: str
    line: int
    severity: str
    text: str
    code: str

    def __str__(self) -> str:
        return f"[{self.code}] {self.text}" if self.severity == "error" else f"note: {self.text}"


def read_marks(source: str) -> tuple[str, tuple[Mark, ...]]:
    """Returns the source without its marks, and the marks.

    Without marks, a file is byte for byte the same in two steps that differ only in expectations. Raises `ValueError`
    for a malformed mark.
    """
    if _MARK.search(source) is None:
        return source, ()
    lines = source.splitlines(keepends=True)
    marks: list[Mark] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or not (first := _MARK.search(token.string)):
            continue
        line, column = token.start
        comment = token.string
        starts = [match.start() for match in _MARK.finditer(comment)]
        ends = [*starts[1:], len(comment)]
        marks += [_mark(comment[start:end], line) for start, end in zip(starts, ends, strict=True)]
        lines[line - 1] = lines[line - 1][: column + first.start()].rstrip() + "\n"
    return "".join(lines), tuple(marks)


def _mark(text: str, line: int) -> Mark:
    opening = _MARK.match(text)
    assert opening is not None
    rest = text[opening.end() :].strip()
    step = int(opening["step"]) if opening["step"] else None
    if opening["kind"] == "N":
        return Mark(line, None, rest, step)
    error = _ERROR.match(rest)
    if error is None:
        raise ValueError(f"line {line}: expected `# E: [code] text`, found `{text.strip()}`")
    return Mark(line, error["code"], error["text"] or "", step)


def read_reports(output: str) -> Iterator[Report | str]:
    """Returns each line of mypy's output, as a report if it is one, and otherwise as text."""
    for line in output.splitlines():
        match = _REPORT.match(line)
        if match is None:
            yield line
        else:
            yield Report(match["file"], int(match["line"] or 0), match["severity"], match["text"], match["code"] or "")


def unmet(marks: Iterable[Mark], reports: Iterable[Report]) -> list[tuple[int, str]]:
    """Returns what is missing and what is too much, as (line, sentence); empty if the reports are exactly as marked."""
    left = list(reports)
    problems: list[tuple[int, str]] = []
    # The longest text first, so that a mark without text does not take the report that another mark describes.
    for mark in sorted(marks, key=lambda mark: -len(mark.text)):
        found = next((report for report in left if mark.matches(report)), None)
        if found is None:
            problems.append((mark.line, f"missing     {mark}"))
        elif found.severity == "error":
            left.remove(found)
    problems += [(report.line, f"unexpected  {report}") for report in left if report.severity == "error"]
    return sorted(problems)
