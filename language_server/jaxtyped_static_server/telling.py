"""What the worker tells the server of an answer."""

from collections import Counter
from typing import Any

import psutil

from .diagnostics import diagnostics
from .places import Places
from .session import Answer

Json = Any


def told(answer: Answer, places: Places) -> Json:
    """The diagnostics of each file, and what a status bar and a log show."""
    root = answer.project.root
    shown = [one for one in answer.findings if answer.shows_potential or not one.harm.is_potential]
    return {
        "root": str(root),
        "files": len(answer.contents),
        "diagnostics": {str(root / path): found for path, found in diagnostics(shown, places).items()},
        "potential": {str(root / path): found for path, found in diagnostics(_hidden(answer), places).items()},
        "harms": Counter(str(one.harm) for one in shown),
        "broken": {str(path): why for path, why in answer.broken.items()},
        "unseen": list(answer.unseen),
        "python": f"{answer.python.path} ({answer.python.origin})" if answer.python is not None else "",
        "problem": answer.problem,
        "memory": psutil.Process().memory_info().rss,
    }


def _hidden(answer: Answer) -> list[Any]:
    return [one for one in answer.findings if one.harm.is_potential and not answer.shows_potential]
