"""Follows the edits of a project, in the process that has mypy."""

from __future__ import annotations

from pathlib import Path

from jaxtyped_static_server.session import Answer, Session

Found = list[tuple[str, int, int, str, str, str]]


def followed(project: Path, history: tuple[tuple[str, str], ...]) -> list[Found | None]:
    """What is found after each edit; None while a file has a syntax error, when it is to others as it was before."""
    told: list[Answer] = []
    session = Session(project, None, told.append)
    session.look({})
    opened: dict[Path, bytes] = {}
    answers: list[Found | None] = []
    for name, text in history:
        opened[project / name] = text.encode()
        session.look(opened)
        answers.append(None if told[-1].broken else said(told[-1]))
    return answers


def said(answer: Answer) -> Found:
    return sorted(
        (one.span.path, one.span.line, one.span.column, one.code, one.message, str(one.harm)) for one in answer.findings
    )
