"""jit-mutation: an assignment inside a trace that the caller never sees, or that keeps a tracer."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import FuncDef, TypeInfo
from mypy.plugin import CheckerPluginInterface

from .. import compat
from ..classes import class_model
from ..codes import JIT_MUTATION
from ..compat_dependencies import record_dependency
from ..config import Settings
from ..mutation import Finding as Mutation
from ..mutation import Harm, find_mutations, lost_assignments
from ..mutation.changes import Kind
from ..tracing.index import decorators
from ..tracing.scope import Walk
from ._body import Body, Finding

_RETURN: Final = "return the value, and let the caller keep it"


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
    tracer = found.root.tracer or "jit"
    if found.harm is Harm.DROPPED:
        instead = (
            f"dataclasses.replace({found.owner}, ...)" if found.kind is Kind.ATTRIBUTE else "the changed container"
        )
        return (
            f'"{found.written}" changes a copy: {tracer} hands {found.root.name} a new "{found.owner}" built from the '
            f"traced leaves, and the caller's keeps its value; return {instead}"
        )
    kept = "the static argument" if found.harm is Harm.LEAKS_STATIC else ""
    what = f'{kept} "{found.owner}"'.strip()
    return (
        f'"{found.written}" leaves a tracer in {what}, which outlives the trace of {found.root.name} by {tracer}, and '
        f"runs once per compilation; {_RETURN}"
    )


def check_methods(info: TypeInfo, settings: Settings, api: CheckerPluginInterface) -> None:
    """Called for each class statement: one error for each method of a pytree class that assigns to `self`."""
    if not class_model.is_pytree(info):
        return
    walk = Walk(compat.checked_tree(api), compat.checker_run(api), settings)
    for lost in lost_assignments(info, walk):
        kind = "property" if lost.is_property else "method"
        api.fail(
            f'The {kind} "{lost.method}" assigns "{lost.written}" of a pytree: under jit, vmap and tree.map the object '
            "is a copy, and the assignment is lost; set it when the object is made, call this before the object enters "
            f"a trace, or return dataclasses.replace({lost.owner}, ...)",
            lost.context,
            code=JIT_MUTATION,
        )
    record_dependency(api, walk.consulted | set(class_model.user_bases(info)))
