"""The comment that silences one rule on one line."""

import io
import re
import tokenize
from typing import Final

from .edits import lines_of

_COMMENT: Final = re.compile(r"#\s*type:\s*ignore(?:\[(?P<codes>[^\]]*)\])?")


def silenced(text: str, line: int, code: str) -> str | None:
    """The text with `# type: ignore[code]` at the end of a line; None if no comment can be put there.

    mypy looks for the comment on the first line of what an error is about.
    """
    lines = lines_of(text)
    tokens = _tokens(text)
    if not 0 < line <= len(lines) or not _takes_comment(lines[line - 1], line, tokens):
        return None
    content = lines[line - 1].rstrip("\r\n")
    ending = lines[line - 1][len(content) :]
    written = _COMMENT.search(content)
    if written is None:
        code_alone, comment = _split(content, line, tokens)
        content = "  ".join(filter(None, (code_alone.rstrip(), f"# type: ignore[{code}]", comment)))
    elif written["codes"] is None or code in map(str.strip, written["codes"].split(",")):
        return None  # it is silent already
    else:
        end = written.end("codes")
        content = f"{content[:end]}, {code}{content[end:]}"
    return "".join([*lines[: line - 1], content + ending, *lines[line:]])


def _takes_comment(content: str, line: int, tokens: list[tokenize.TokenInfo]) -> bool:
    """Whether a line ends outside of a string, and goes on without a backslash."""
    if content.rstrip().endswith("\\"):
        return False
    inside = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    return not any(token.type in inside and token.start[0] <= line < token.end[0] for token in tokens)


def _split(content: str, line: int, tokens: list[tokenize.TokenInfo]) -> tuple[str, str]:
    """What of a line is no comment, and its comment, which may be empty."""
    starts = (token.start[1] for token in tokens if token.type == tokenize.COMMENT and token.start[0] == line)
    start = next(starts, len(content))
    return content[:start], content[start:]


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
