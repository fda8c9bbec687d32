"""static-cache: a cache on a static object captures a tracer, which the next trace then uses."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Context, Decorator, Expression, RefExpr
from mypy.plugin import FunctionContext

from ..classes import class_model
from ..classes.array_holders import holds_arrays
from ..classes.caches import caching_decorator, decorator_of
from ..classes.reasons import Fault, Reason
from ..facts.class_facts import facts_of
from ..flow.cached_functions import filled_by
from ..flow.captured import caches_captured_by
from ..flow.traced.analysis import is_staged, traced_source
from ..knowledge.full_names import CACHED_PROPERTY
from ..reporting.contract_rule import ContractRule
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.names import dotted_name
from . import CODES
from ._body import Body, BodyError

CODE: Final = CODES["static-cache"]

_LEAK: Final = "the first trace leaves a tracer there, which the next one uses"
_ADVICE: Final = "compute it with NumPy, or remove the cache"
_FUNCTION: Final = Message(
    f'"{{function}}" caches an array that jitted code uses: {_LEAK}', _ADVICE, kind="cached-function"
)
_CAPTURED: Final = Message(
    f"{{subject}} caches an array, and {{function}} reads it of an object that the trace captures: {_LEAK}",
    _ADVICE,
    kind="captured",
)


def check_cached_call(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """Called for calls of cached functions; reports at the decorator, if it is in the same file."""
    call = ctx.context
    if not isinstance(call, CallExpr):
        return
    if any(_is_tracer(argument, file) for argument in call.args):
        return  # it has no hash, so that the call raises
    if holds_arrays(ctx.default_return_type) and is_staged(call, file.api, file.settings):
        function = call.callee.node if isinstance(call.callee, RefExpr) else None
        is_here = isinstance(function, Decorator) and function in file.tree.defs
        decorator = decorator_of(function) if is_here and isinstance(function, Decorator) else None
        report(file, decorator or call, _FUNCTION.fill(function=dotted_name(call.callee) or ""), CODE)


def _is_tracer(argument: Expression, file: CheckedFile) -> bool:
    source = traced_source(argument, file.api, file.settings)
    return source is not None and not source.may_be_tree


def check_body(body: Body) -> Iterator[BodyError]:
    """Looks for caches that a trace fills on an object that it captures; properties of pytrees are `pytree-cache`'s."""
    functions = body.functions()
    for found in caches_captured_by(functions):
        kind, *_ = facts_of(found.owner)["caches"][found.name]
        if kind != CACHED_PROPERTY or not class_model.is_pytree(found.info):
            is_here = found.owner.module_name == body.file.tree.fullname
            place = caching_decorator(found.owner, found.name) if is_here else None
            subject = f"{found.owner.name}.{found.name}"
            yield BodyError(place or found.read, _CAPTURED.fill(subject=subject, function=found.root.name), CODE)
    for cached in filled_by(functions):
        yield BodyError(cached.decorator, _FUNCTION.fill(function=cached.name), CODE)
    body.consulted.update(functions.consulted)


def _caching_decorator(fault: Fault) -> Context | None:
    return caching_decorator(fault.declared, fault.detail) if fault.declared is not None else None


CONTRACT: Final = ContractRule(
    CODE,
    {
        Reason.CACHED_ARRAY: Message(f"caches an array on a static object: {_LEAK}", _ADVICE),
    },
    own_context=_caching_decorator,
)
