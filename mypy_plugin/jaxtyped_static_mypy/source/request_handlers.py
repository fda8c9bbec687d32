"""Functions that a server calls for each request, as FastAPI and Flask declare them: `@app.post("/run")`."""

from collections.abc import Callable, Iterable
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, StrExpr

from ..knowledge import naming
from ..syntax.decorators import applying

_ROOT: Final = "/"  # with which the path of a request begins


def handles_requests(decorators: Iterable[Expression], name_of: Callable[[Expression], str | None]) -> bool:
    """Whether a decorator gives a function to a server, with a path, and no other one may compile it.

    `name_of`: the full name of what a decorator calls.
    """
    registering, others = list[Expression](), list[Expression]()
    for decorator in decorators:
        (registering if _has_path(decorator) else others).append(decorator)
    named = (name_of(node) or "" for decorator in others for node in applying(decorator))
    return bool(registering) and all(map(naming.keeps_eager, named))


def _has_path(decorator: Expression) -> bool:
    match decorator:
        case CallExpr(callee=MemberExpr(), args=[StrExpr(value=path), *_]):
            return path.startswith(_ROOT)
    return False
