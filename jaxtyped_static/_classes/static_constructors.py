"""The constructor of a static class, which cloudpickle and dill send without its tables.

They send a class of `__main__` or of a function as its attributes. The `__new__` of a static class is generated for it
and works on the table of all values, so it is generated again in the receiving process, when it is first called.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import getweakrefcount

from jaxtyped_static._attributes.added_attributes import check_nothing_added, drop_caches, has_only_fields_test
from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._classes.constructor import generated_new
from jaxtyped_static._classes.pickled_fields import restore_sentinels
from jaxtyped_static._classes.raw_calls import wants_raw_object
from jaxtyped_static._classes.static_definitions import check_undecorated
from jaxtyped_static._classes.structure import register_static
from jaxtyped_static._keys.interning import keep_call, row_of
from jaxtyped_static._kinds import LAYOUT, decorated_class
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._static_objects.init_parameters import (
    InitParameter,
    as_call_arguments,
    parameter_list,
    parameters_after_self,
)
from jaxtyped_static._static_objects.layouts import Layout, layout_of
from jaxtyped_static._static_objects.private_objects import being_made, raw_object

# Arguments that may be remembered: they cannot change, and keep nothing else alive.
_ATOMS: Final = frozenset({int, bool, float, complex, str, bytes, type(None)})
# Marks a `__new__` that generates another one when it is called.
_UNFINISHED: Final = "__is_unfinished__"


if TYPE_CHECKING:
    _StaticMethod = staticmethod[..., Any]
else:
    _StaticMethod = staticmethod


class _Constructor(_StaticMethod):
    """A `__new__` that is generated again where it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return _unfinished, (self.__func__.__wrapped__,)  # type: ignore[attr-defined]


def make_constructor(made: Any, layout: Layout, parameters: Sequence[InitParameter]) -> None:
    """Replaces a dataclass's constructor by that of a static class, with the same parameters."""
    initialise = made.__init__
    setattr(made, LAYOUT, layout)
    made.__new__ = _Constructor(_constructor(made, layout, parameters, initialise))
    made.__init__ = _initialiser(made, parameters, initialise)


def finish(cls: Any) -> None:
    """Completes a class that was sent to this process as its attributes, unless that has been done."""
    made = decorated_class(cls)
    new = made.__dict__["__new__"].__func__
    if not hasattr(new, _UNFINISHED):
        return
    restore_sentinels(made)
    if made.__hash__ is None:  # dill 0.4 leaves out what is `object`'s own.
        made.__hash__ = object.__hash__
    initialise = new.__wrapped__
    made.__new__ = _Constructor(_constructor(made, layout_of(made), parameters_after_self(initialise), initialise))
    # cloudpickle 3.1 sets the attributes of a class again each time that it loads the class.
    with contextlib.suppress(TypeError):
        register_static(made)


def _unfinished(initialise: Callable[..., None]) -> _Constructor:
    def make_first(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        finish(cls)
        return decorated_class(cls).__dict__["__new__"].__func__(cls, *args, **kwargs)

    made: Any = make_first
    made.__wrapped__ = initialise
    setattr(made, _UNFINISHED, True)
    return _Constructor(made)


def _constructor(
    made: Any, layout: Layout, parameters: Sequence[InitParameter], initialise: Callable[..., None]
) -> Callable[..., Any]:
    """Returns the class's `__new__`, which initialises an object before it knows whether that is the shared one."""
    create = object.__new__
    has_only_fields = has_only_fields_test(made, layout.names)

    def __new__(cls: type, /, *args: Any, **kwargs: Any) -> Any:
        if cls is not made:
            check_undecorated(cls, made, layout)
        if not args and not kwargs:
            if wants_raw_object():
                return raw_object(cls)
            if layout.required:  # Also for a raw object; otherwise `__init__` reports the missing arguments.
                return create(cls)
        instance: Any = create(cls)
        being_made.add(id(instance))
        try:
            initialise(instance, *args, **kwargs)
            if layout.must_set:
                _check_set(instance, layout.must_set)
            if layout.runs_code and not (cls is made and has_only_fields(instance)):
                _seal(instance, layout)
            known = layout.publish(instance)
        finally:
            being_made.discard(id(instance))
        if layout.keeps_calls and _ATOMS.issuperset(map(type, (*args, *kwargs.values()))):
            keep_call(known, args, kwargs)
        return known

    new: Any = __new__ if layout.runs_code else generated_new(made, layout, parameters, __new__)
    new.__wrapped__ = initialise  # Where `inspect.signature` looks.
    new.__qualname__ = f"{made.__qualname__}.__new__"
    return cast(Callable[..., Any], new)


# It has the class's parameters, for tools that check arguments by the signature of `__init__`, such as beartype.
_INITIALISER: Final = """
def make(__made, __initialise, __type, __getweakrefcount, __row_of):
    def __init__(__self, {parameters}):
        if __type(__self) is __made and __getweakrefcount(__self):
            return
        if __row_of(__self) is None:
            __initialise(__self, {arguments})
    return __init__
"""


def _initialiser(
    made: Any, parameters: Sequence[InitParameter], initialise: Callable[..., None]
) -> Callable[..., None]:
    """Returns the class's `__init__`, which Python calls after `__new__`, with an object that is already initialised.

    It acts only on a raw object, and for `super().__init__(...)` in the `__init__` of a subclass.
    """
    source = _INITIALISER.format(parameters=parameter_list(parameters), arguments=as_call_arguments(parameters))
    namespace: dict[str, Any] = {}
    exec(source, globals(), namespace)
    __init__ = namespace["make"](made, initialise, type, getweakrefcount, row_of)
    by_position = _defaults(parameters, Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__defaults__ = tuple(by_position.values())
    __init__.__kwdefaults__ = _defaults(parameters, Parameter.KEYWORD_ONLY)
    functools.update_wrapper(__init__, initialise)
    return cast(Callable[..., None], __init__)


def _defaults(parameters: Sequence[InitParameter], *kinds: Any) -> dict[str, Any]:
    return {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.kind in kinds and not parameter.is_required
    }


def _seal(instance: Any, layout: Layout) -> None:
    """Ends the time in which the class's own code may set attributes that others with the same fields will share."""
    try:
        check_nothing_added(instance, layout.names)
    except Refused as refused:
        raise refused.as_error("") from None
    drop_caches(instance, layout.names)


def _check_set(instance: Any, names: Sequence[str]) -> None:
    """Checks that a hand-written `__init__` sets every field; a class-level default would hide a missing one."""
    present = dict(attributes_of(instance))
    for name in names:
        if name not in present:
            cls = class_name(type(instance))
            raise TypeError(f"{cls}.__init__ did not set {name!r}; set it with object.__setattr__(self, {name!r}, ...)")
