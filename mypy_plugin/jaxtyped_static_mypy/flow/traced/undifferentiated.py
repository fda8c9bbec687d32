"""Tracers for parameters that `custom_vjp` does not differentiate by: `nondiff_argnums` have to be concrete."""

from collections.abc import Sequence

from mypy.nodes import CallExpr, Decorator, RefExpr

from ...jit.sites import JitSite, read_site
from ...libraries import jit_function
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.decorators import applied
from ...syntax.names import callee_name
from .frame import ConcreteUse, Frame
from .shapes import OPTION
from .values import Value


def record_undifferentiated(call: CallExpr, values: Sequence[Value], frame: Frame) -> None:
    """Records what a call passes there. `custom_jvp`, which has no lists for jit, takes tracers (JAX 0.10.2)."""
    definition = call.callee.node if isinstance(call.callee, RefExpr) else None
    if not isinstance(definition, Decorator) or unpacks(call):
        return
    site = _site(definition, frame)
    if site is None or not site.known:
        return
    value_of = dict(zip(call.args, values, strict=True))
    names = [argument.variable.name for argument in definition.func.arguments]
    given = named_arguments(call, names)
    for index, name in enumerate(names):
        if name in given and (name in site.names or index in site.nums):
            use = ConcreteUse(OPTION, value_of[given[name]], definition.func.name, name)
            frame.record_concrete(given[name], use)


def _site(definition: Decorator, frame: Frame) -> JitSite | None:
    """The lists of `custom_vjp`, if that is the only decorator of a function of the file."""
    file = frame.walk.file
    if file.decorators.get(definition.func) is not definition or len(definition.original_decorators) != 1:
        return None
    made = applied(definition.original_decorators[0])
    name = callee_name(made)
    row = jit_function(name, ())
    if row is None or row.is_key or row.nums_option is None:
        return None
    return read_site(name, row, list(zip(made.arg_names, made.args, strict=True)), file.tree)
