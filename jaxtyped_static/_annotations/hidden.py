"""Finds marked functions behind wrappers that would pass them tracers as static arguments.

A wrapper made without `functools.wraps` has none of the markers of the function that it calls. That function is looked
for where the wrapper gets it from: in the variables it closes over, the attributes of a callable object, a small
container, or its module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any

from jaxtyped_static._annotations.declared import static_names
from jaxtyped_static._annotations.functions import place, signature_of, stands_for, underlying, wrapped_by
from jaxtyped_static._annotations.rendering import render, without_markers
from jaxtyped_static._annotations.within_reach import StaticNames, reaches_static
from jaxtyped_static._errors import MarkerError
from jaxtyped_static._kinds import LAYOUT

if TYPE_CHECKING:
    from jaxtyped_static._annotations.passed_on import PassedOn


def check_nothing_hidden(
    fun: Callable[..., Any], argnums: Iterable[int], argnames: Iterable[str], caller: FrameType | None
) -> None:
    """Refuses a function that passes a traced value to a static parameter of another function.

    Args:
        fun: the function that will be compiled.
        argnums: the positions that are static.
        argnames: the names that are static.
        caller: the frame that compiles it.

    Raises:
        MarkerError: naming the parameter, and what to write.
    """
    found = _first_passed_on(fun, argnums, argnames, partial(static_names, caller=caller))
    if found is not None:
        raise MarkerError(
            f"found a marker in {place(found.function)}: its parameter `{found.parameter}` would be traced here, "
            f"because jit reads only the annotations of the function that it compiles; {_advice(fun, found)}",
            code="static-marker",
            function=place(fun),
            parameter=found.parameter,
        )


def _first_passed_on(
    fun: Any, argnums: Iterable[int], argnames: Iterable[str], names_of: StaticNames
) -> PassedOn | None:
    try:
        if _is_read_by_jit(fun, names_of) or not reaches_static(fun, names_of):
            return None
        # Imported on use: most programs do not need it, and the import takes time.
        from jaxtyped_static._annotations.passed_on import passed_on

        found = passed_on(fun, argnums, argnames, names_of)
        return next((passed for passed in found if not _is_of_static_class(passed)), None)
    except Exception:  # Raised by foreign code that the search ran into; that is no reason not to compile the function.
        return None


def _is_read_by_jit(fun: Any, names_of: StaticNames) -> bool:
    """Returns whether it is a method, partial or callable object whose function has markers: `jit` has read them."""
    return not isinstance(fun, FunctionType) and wrapped_by(fun) is None and bool(names_of(stands_for(fun)))


def _is_of_static_class(found: PassedOn) -> bool:
    """Returns whether the parameter takes objects of a static class, which pass through jit unchanged."""
    annotation = _annotation(found)
    if isinstance(annotation, str):
        namespace = getattr(underlying(found.function), "__globals__", {})
        inner = namespace.get(without_markers(annotation))
    else:
        inner = getattr(annotation, "__origin__", None)
    return hasattr(inner, LAYOUT)


def _annotation(found: PassedOn) -> object:
    signature = signature_of(found.function)
    return None if signature is None else signature.parameters[found.parameter].annotation


def _advice(fun: Any, found: PassedOn) -> str:
    name = found.value.parameter
    is_lambda = getattr(fun, "__name__", None) == "<lambda>"
    if name is None:
        other = getattr(found.function, "__name__", "the function")
        if is_lambda:
            return f"compile it itself, `jit({other})`, or write `functools.wraps({other})(lambda ...)`"
        return f"write `@functools.wraps({other})` on the wrapper, or put @jit below the decorator"
    if is_lambda:
        return f"make `{name}` static here, too: `jit(lambda ..., static_argnames={name!r})`"
    return f"mark `{name}` of this function, too: `{name}: {render(_annotation(found))}`"
