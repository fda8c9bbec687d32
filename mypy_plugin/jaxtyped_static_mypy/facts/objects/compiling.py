"""What the functions of a module compile: names, and attributes of their objects."""

from collections.abc import Container, Iterable, Iterator

from mypy.nodes import CallExpr, Decorator

from ...knowledge import naming
from ...syntax.decorators import applying
from ...syntax.names import attribute_of, dotted_name, last_name
from ...syntax.trees import nodes_below
from .bodies import Body


def compiled_names(found: Iterable[Body]) -> Iterator[str]:
    """The names of what the module compiles: decorated functions, and what `jit` returns."""
    for body in found:
        for decorated in body.by_kind.of(Decorator):
            applied = (name for decorator in decorated.original_decorators for name in applying(decorator))
            yield from (decorated.func.name for name in applied if naming.compiles(dotted_name(name) or ""))
        for node in body.assignments:
            if isinstance(node.rvalue, CallExpr) and naming.compiles(dotted_name(node.rvalue.callee) or ""):
                yield from map(last_name, node.lvalues)


def compiles(body: Body) -> bool:
    return any(naming.compiles(dotted_name(call.callee) or "") for call in body.calls)


def keeps_compiled(body: Body) -> bool:
    """Whether a method gives its object what it compiles: `self._step = jax.jit(step)`."""
    kept = (node.rvalue for node in body.assignments if any(attribute_of(one, body.own) for one in node.lvalues))
    calls = (call for value in kept for call in nodes_below(value) if isinstance(call, CallExpr))
    return bool(body.own) and any(naming.compiles(dotted_name(call.callee) or "") for call in calls)


def renews(body: Body, renewing: Container[str]) -> bool:
    """Whether a method calls another one of its object that does: what it has changed is compiled in anew."""
    called = (attribute_of(call.callee, body.own) for call in body.calls) if body.own else ()
    return any(f"{body.cls}.{name}" in renewing for name in called if name is not None)
