"""Generates the `__new__` of a static class from its fields, so that making a value is cheap.

Like `dataclasses`, this generates source: a function with the class's parameters is the fastest way from arguments to
fields. Its other names start with two underscores, as no field written in a class does.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING
from inspect import Parameter
from types import MemberDescriptorType
from typing import Any, Final, TypeAlias

from jaxtyped_static._classes.raw_calls import wants_raw_object
from jaxtyped_static._classes.static_definitions import check_undecorated
from jaxtyped_static._keys.interning import Row, claim, find_row, forget, publish
from jaxtyped_static._keys.known_values import float_key
from jaxtyped_static._static_objects.init_parameters import InitParameter
from jaxtyped_static._static_objects.layouts import Layout, settled
from jaxtyped_static._static_objects.private_objects import raw_object

Values: TypeAlias = tuple[Any, ...]

# An equal value is found before another one is made. Most of `find` and `publish` is inlined here, because calling them
# costs as much as what they do. Unusual cases go to `general`: a parameter without a default gets a default whose class
# has no plan.
_SOURCE: Final = """
def __new__({parameters}):
    if {nothing_given} and not __args and not __kwargs and __wants_raw_object():
        return __raw(__cls)
    {factories}
    __plan = __plans.get(({types},))
    if __plan is None or __cls is not __made or __args or __kwargs:
        __args, __kwargs = __as_given(({arguments},), __args, __kwargs)
        return __general(__cls, *__args, **__kwargs)
    __types, __all, __steps, __static, __all_floats = __plan
    __keys = {keys}
    __key = (__cls, __types, __follow(__cls, __steps, __keys) if __steps else __keys)
    if (__row := __find_row(__key)) is not None and (__known := __row()) is not None:
        return __known
    if __static and (__values := __settled(({values},), __static)):
        return __make(__cls, __values)
    __instance = __create(__cls)
    {assignments}
    __row = __Row(__instance, __forget)
    __row.key = __key
    return __instance if __claim(__key, __row) is __row else __publish(__instance, __key)
"""
_FROM_FACTORY: Final = "{0} = __factory_{0}() if {0} is __default_{0} else {0}"
_KEY_OF_FLOAT: Final = "{0} if {0} and {0} == {0} else __float_key({0})"
_KEY_IF_FLOAT: Final = "{0} if __type({0}) is not __float or {0} and {0} == {0} else __float_key({0})"
_NAMES: Final[dict[str, Any]] = {
    "__Row": Row,
    "__claim": claim,
    "__create": object.__new__,
    "__find_row": find_row,
    "__float": float,
    "__float_key": float_key,
    "__forget": forget,
    "__publish": publish,
    "__settled": settled,
    "__type": type,
    "__wants_raw_object": wants_raw_object,
}


class _LeftOut:
    """The class of the default of a parameter that has none."""


def generated_new(
    made: Any, layout: Layout, parameters: Sequence[InitParameter], general: Callable[..., Any]
) -> Callable[..., Any]:
    """Returns a `__new__` that finds or makes an object, and leaves unusual cases to `general`.

    It is `general` itself if the class's fields are not exactly what the generated `__init__` takes.
    """
    attributes = {name: _class_attribute(made, name) for name in layout.names}
    if not _is_direct(made, [parameter.name for parameter in parameters], attributes):
        return general
    parameters = [
        parameter._replace(default=_LeftOut()) if parameter.is_required else parameter for parameter in parameters
    ]
    factories = {
        field.name: field.default_factory for field in dataclasses.fields(made) if field.default_factory is not MISSING
    }
    slots = {name: slot.__set__ for name, slot in attributes.items() if isinstance(slot, MemberDescriptorType)}
    namespace = {
        **_NAMES,
        **{f"__set_{name}": set_slot for name, set_slot in slots.items()},
        **{f"__default_{parameter.name}": parameter.default for parameter in parameters},
        **{f"__factory_{name}": factory for name, factory in factories.items()},
        "__as_given": _as_given(parameters),
        "__follow": layout.follow,
        "__general": general,
        "__made": made,
        "__make": layout.make,
        "__name__": made.__module__,
        "__plans": layout.plans,
        "__raw": _raw_maker(made, layout),
    }
    exec(_source(layout, parameters, slots, factories), namespace)
    function: Callable[..., Any] = namespace["__new__"]
    return function


def _class_attribute(made: Any, name: str) -> object:
    """Returns the attribute as it stands in the class or a base."""
    return next((vars(base)[name] for base in made.__mro__ if name in vars(base)), None)


def _raw_maker(made: Any, layout: Layout) -> Callable[[Any], Any]:
    """Returns a function that makes empty objects of the class and of its subclasses."""

    def raw(cls: Any) -> Any:
        if cls is not made:
            check_undecorated(cls, made, layout)
        return raw_object(cls)

    return raw


def _is_direct(made: Any, parameters: Sequence[str], attributes: Mapping[str, object]) -> bool:
    """Returns whether the parameters are the fields, and no code of the class is involved in setting them."""
    if not attributes or sorted(attributes) != sorted(parameters) or any(name.startswith("__") for name in attributes):
        return False
    if made.__getattribute__ is not object.__getattribute__:
        return False
    return all(
        isinstance(attribute, MemberDescriptorType) or not hasattr(attribute, "__set__")
        for attribute in attributes.values()
    )


def _source(
    layout: Layout, parameters: Sequence[InitParameter], slots: Container[str], factories: Iterable[str]
) -> str:
    keyword_only = [_declared(parameter) for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY]
    positional = [_declared(parameter) for parameter in parameters if parameter.kind is not Parameter.KEYWORD_ONLY]
    return _SOURCE.format(
        parameters=", ".join(["__cls", "/", *positional, "*__args", *keyword_only, "**__kwargs"]),
        nothing_given=" and ".join(f"{parameter.name} is __default_{parameter.name}" for parameter in parameters),
        factories="; ".join(_FROM_FACTORY.format(name) for name in factories) or "pass",
        arguments=", ".join(parameter.name for parameter in parameters),
        types=", ".join(f"__type({name})" for name in layout.names),
        values=", ".join(layout.names),
        keys=_keys(layout),
        assignments="; ".join(_assignments(layout.names, slots)),
    )


def _keys(layout: Layout) -> str:
    """Returns what makes the keys of floats: a number that is declared a float usually is one."""
    if not layout.floats:
        return f"({', '.join(layout.names)},)"
    usual, other = (
        ", ".join(form.format(name) if name in layout.floats else name for name in layout.names)
        for form in (_KEY_OF_FLOAT, _KEY_IF_FLOAT)
    )
    return f"({usual},) if __all_floats else ({other},)"


def _declared(parameter: InitParameter) -> str:
    return f"{parameter.name}=__default_{parameter.name}"


def _assignments(names: Iterable[str], slots: Container[str]) -> Iterator[str]:
    if not all(name in slots for name in names):
        yield "__dict = __instance.__dict__"
    for name in names:
        yield f"__set_{name}(__instance, {name})" if name in slots else f"__dict[{name!r}] = {name}"


def _as_given(
    parameters: Sequence[InitParameter],
) -> Callable[[Values, Values, dict[str, Any]], tuple[Values, dict[str, Any]]]:
    """Returns a function from the values of all parameters, and extra arguments, to the arguments of the call."""
    positional = sum(parameter.kind is not Parameter.KEYWORD_ONLY for parameter in parameters)
    names = [parameter.name for parameter in parameters]
    defaults = [parameter.default for parameter in parameters]

    def as_given(values: Values, args: Values, kwargs: dict[str, Any]) -> tuple[Values, dict[str, Any]]:
        by_position = values[:positional] if args else ()
        rest = itertools.islice(zip(names, values, defaults, strict=True), len(by_position), None)
        given = {name: value for name, value, default in rest if value is not default}
        return by_position + args, given | kwargs

    return as_given
