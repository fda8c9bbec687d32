"""The pages about rules, which come with the wheel."""

from pathlib import Path
from typing import Final

_INSTALLED: Final = Path(__file__).parent / "rule_pages"
_CHECKOUT: Final = Path(__file__).parents[2] / "docs" / "rules"


def page(code: str) -> str:
    """The page of a rule, as Markdown."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return (folder / f"{code}.md").read_text(encoding="utf-8")
