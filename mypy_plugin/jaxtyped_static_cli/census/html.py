"""One self-contained page with the program as a graph. What it does in the browser is in `page/`."""

import json
import re
from importlib.resources import files
from typing import Final

from .json_ import data_of
from .model import Census

# In the order in which they run, in one scope.
_SCRIPTS: Final = ("model", "visible", "layout", "draw", "camera", "panels", "keys", "main", "events")
_LIBRARY: Final = "dagre"  # @dagrejs/dagre 3.1.3, which places boxes and edges


def render(census: Census, title: str) -> str:
    own = "\n".join(_text(f"{name}.js") for name in _SCRIPTS)
    library = _text(f"{_LIBRARY}.min.js").partition("//# sourceMappingURL")[0]
    parts = {
        "css": _text("page.css"),
        "data": _embedded(data_of(census, title)),
        "script": f"/*\n{_LIBRARY}\n{_text(f'{_LIBRARY}.LICENSE.txt')}*/\n{library}\n(() => {{\n{own}}})();",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _text("page.html"))


def _text(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _embedded(data: object) -> str:
    """JSON that does not end the element it stands in."""
    return json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
