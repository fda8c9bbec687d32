"""Which parameters the lists of a jit call make static, by JAX's own rules.

JAX completes one list from the other if one is given, and neither if both are: a parameter may then be static only
when it is passed in one of the two ways. No annotation can say that.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

import libcst as cst

from ..editing.jit_lists import OPTIONS, Lists
from ..editing.names import Names
from .reasons import Refused

_MARKER: Final = "jax_dataclasses.Static"
MARKS: Final = (*OPTIONS, "jax_dataclasses")  # what a file contains if it may have something to migrate


class Kind(Enum):
    """How a parameter can be passed."""

    POSITIONAL = auto()
    BOTH = auto()
    KEYWORD = auto()


class Parameter(NamedTuple):
    node: cst.Param
    kind: Kind
    number: int

    @property
    def name(self) -> str:
        return self.node.name.value

    @property
    def read_as(self) -> str:
        """How the checker names it: one that cannot be passed by name has none."""
        is_private = self.name.startswith("__") and not self.name.endswith("__") and self.kind is not Kind.KEYWORD
        return f"#{self.number}" if self.kind is Kind.POSITIONAL or is_private else self.name


def parameters_of(function: cst.FunctionDef) -> list[Parameter]:
    """The parameters of a function in their order, without `*args` and `**kwargs`."""
    given = function.params
    kinds = ((Kind.POSITIONAL, given.posonly_params), (Kind.BOTH, given.params), (Kind.KEYWORD, given.kwonly_params))
    nodes = [(node, kind) for kind, nodes in kinds for node in nodes]
    return [Parameter(node, kind, index) for index, (node, kind) in enumerate(nodes)]


def marked_lists(function: cst.FunctionDef, names: Names) -> Lists:
    """The lists that the markers of another library stand for, as it gives them to jit."""
    marked = [parameter for parameter in parameters_of(function) if foreign_type(parameter.node, names) is not None]
    nums = tuple(parameter.number for parameter in marked if parameter.kind is Kind.POSITIONAL)
    argnames = tuple(parameter.name for parameter in marked if parameter.kind is not Kind.POSITIONAL)
    return Lists(nums or None, argnames or None)


def foreign_type(parameter: cst.Param, names: Names) -> cst.BaseExpression | None:
    """The type in the marker of another library; None if there is none."""
    written = parameter.annotation.annotation if parameter.annotation is not None else None
    if not isinstance(written, cst.Subscript) or len(written.slice) != 1 or names.full_name(written.value) != _MARKER:
        return None
    inner = written.slice[0].slice
    return inner.value if isinstance(inner, cst.Index) else None


def static_parameters(lists: Lists, function: cst.FunctionDef, receiver: cst.Param | None) -> list[Parameter]:
    """The parameters that the lists make static. `receiver`: the one that takes the object of a method call.

    Raises:
        Refused: no annotation of single parameters says the same.
    """
    parameters = parameters_of(function)
    _check_items(lists, function, parameters)
    positional = [parameter for parameter in parameters if parameter.kind is not Kind.KEYWORD]
    by_num = {positional[number].name for number in lists.nums or ()}
    by_name = set(lists.names or ())
    static = [parameter for parameter in parameters if parameter.name in by_num | by_name]
    if lists.nums is not None and lists.names is not None:
        for parameter in static:
            # No method call passes its object by name.
            needs_name = parameter.kind is not Kind.POSITIONAL and parameter.node is not receiver
            if (parameter.kind is not Kind.KEYWORD and parameter.name not in by_num) or (
                needs_name and parameter.name not in by_name
            ):
                raise Refused("one-way", parameter.name)
    return static


def _check_items(lists: Lists, function: cst.FunctionDef, parameters: list[Parameter]) -> None:
    count = sum(parameter.kind is not Kind.KEYWORD for parameter in parameters)
    for number in lists.nums or ():
        if number < 0:
            raise Refused("negative", str(number))
        if number >= count:
            raise Refused("variadic" if isinstance(function.params.star_arg, cst.Param) else "unknown", str(number))
    by_keyword = {parameter.name for parameter in parameters if parameter.kind is not Kind.POSITIONAL}
    for name in lists.names or ():
        if name not in by_keyword:
            raise Refused("variadic" if function.params.star_kwarg is not None else "unknown", name)
