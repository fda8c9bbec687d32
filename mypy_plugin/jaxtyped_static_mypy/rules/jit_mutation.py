"""jit-mutation: an assignment inside a trace that the caller never sees, or that keeps a tracer."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import FuncDef, TypeInfo
from mypy.plugin import CheckerPluginInterface

from ..classes import class_model
from ..classes.copying import changed_copy
from ..codes import JIT_MUTATION
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..config.settings import Settings
from ..flow.changes import Finding as Mutation
from ..flow.changes import Harm, find_mutations, lost_assignments
from ..flow.changes.changes import Kind
from ..flow.traced.index import decorators
from ..flow.traced.scope import Walk
from ._body import Body, Finding
from ._rule import Words

_DROPPED: Final = Words(
    '"{written}" changes a copy: {tracer} hands {function} a new "{owner}" built from the traced leaves, and the '
    "caller's keeps its value",
    "return {copy}",
)
_LEAKS: Final = Words(
    '"{written}" leaves a tracer in {owner}, which is still there after {tracer} has traced {function}, and runs only '
    "once per compilation",
    "return the value, and let the caller keep it",
)
_LOST: Final = Words(
    'The {kind} "{method}" assigns "{written}" of a pytree: under jit, vmap and tree.map the object is a copy, and the '
    "assignment is lost",
    "set it when the object is made, or return {copy}",
)


def check(body: Body) -> Iterator[Finding]:
    """One finding a line."""
    walk = Walk(body.file, body.run, body.settings)
    function = body.function
    decorator = decorators(body.file, body.run).get(function) if isinstance(function, FuncDef) else None
    lines: set[int] = set()
    for found in find_mutations(function, decorator, walk):
        if found.context.line not in lines:
            lines.add(found.context.line)
            yield Finding(found.context, _message(found), JIT_MUTATION)
    body.consulted.update(walk.consulted)


def _message(found: Mutation) -> str:
    tracer, function = found.root.tracer or "jit", found.root.name
    if found.harm is Harm.DROPPED:
        copy = changed_copy(found.owner, found.changed) if found.kind is Kind.ATTRIBUTE else "the changed container"
        return _DROPPED.fill(written=found.written, tracer=tracer, function=function, owner=found.owner, copy=copy)
    kept = "the static argument " if found.harm is Harm.LEAKS_STATIC else ""
    return _LEAKS.fill(written=found.written, tracer=tracer, function=function, owner=f'{kept}"{found.owner}"')


def check_methods(info: TypeInfo, settings: Settings, api: CheckerPluginInterface) -> None:
    """Called for each class statement: one error for each method of a pytree class that assigns to `self`."""
    if not class_model.is_pytree(info):
        return
    walk = Walk(mypy_api.checked_tree(api), mypy_api.checker_run(api), settings)
    for lost in lost_assignments(info, walk):
        kind = "property" if lost.is_property else "method"
        copy = changed_copy(lost.owner, info)
        says = _LOST.fill(kind=kind, method=lost.method, written=lost.written, copy=copy)
        api.fail(says, lost.context, code=JIT_MUTATION)
    record_dependency(api, walk.consulted | set(class_model.user_bases(info)))
