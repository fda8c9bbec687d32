"""Follows the edits of a project, in the process that has mypy."""

from __future__ import annotations

from pathlib import Path

from jaxtyped_static_server.session import Answer, Session

Found = list[tuple[str, int, int, str, str, str]]


def followed(project: Path, history: tuple[tuple[str, str], ...]) -> list[Found | None]:
    """What is found after each edit; None while a file has a syntax error, when it is to others as it was before."""
    session = Session(project, None, lambda answer: None)
    session.look({})
    opened: dict[Path, bytes] = {}
    answers = []
    for name, text in history:
        opened[project / name] = text.encode()
        answer = session.look(opened)
        answers.append(None if answer.broken else said(answer))
    return answers


def said(answer: Answer) -> Found:
    return sorted(
        (one.span.path, one.span.line, one.span.column, one.code, one.message, str(one.harm)) for one in answer.findings
    )
