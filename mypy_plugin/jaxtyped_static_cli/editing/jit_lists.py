"""The lists of parameters in a jit call, as they are written: `static_argnames=("n", "m")`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import libcst as cst

OPTIONS: Final = ("static_argnums", "static_argnames")
_MAX_DEPTH: Final = 10  # of lists made of lists; one may be made of itself
_SEQUENCES: Final = (cst.Tuple, cst.List, cst.BinaryOperation)  # texts and numbers may be added, too, and mean another

Item = str | int
Follow = Callable[[cst.BaseExpression], cst.BaseExpression]  # from a name to the expression that it stands for


class Lists(NamedTuple):
    """The lists of a jit call; None for one that is not given."""

    nums: tuple[int, ...] | None = None
    names: tuple[str, ...] | None = None

    @property
    def given(self) -> bool:
        return self.nums is not None or self.names is not None


class _Computed(Exception):
    """A list holds something else than texts and numbers that are written out."""


def read_lists(options: Mapping[str, cst.BaseExpression], follow: Follow) -> Lists | None:
    """The lists among the options of a call; None if one of them is computed when the program runs."""
    try:
        nums, names = (_given(options.get(name), follow) for name in OPTIONS)
    except _Computed:
        return None
    if not all(type(item) is int for item in nums or ()) or not all(isinstance(item, str) for item in names or ()):
        return None
    return Lists(nums, names)


def written_items(value: cst.BaseExpression) -> list[Item] | None:
    """The names and numbers in a list; None if they are not all written there, or if one counts from the end."""
    try:
        items = list(_items(value, lambda node: node))
    except _Computed:
        return None
    return None if any(isinstance(item, int) and item < 0 for item in items) else items


def rendered(listed: list[Item]) -> str:
    """A list of names or numbers, as code."""
    texts = [f'"{item}"' if isinstance(item, str) else str(item) for item in listed]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _given(node: cst.BaseExpression | None, follow: Follow) -> tuple[Any, ...] | None:
    if node is None:
        return None
    followed = follow(node)
    if isinstance(followed, cst.Name) and followed.value == "None":
        return None
    return tuple(_items(followed, follow))


def _items(node: cst.BaseExpression, follow: Follow, depth: int = _MAX_DEPTH) -> Iterator[Item]:
    """The texts and numbers in a literal, or in literals that names are bound to.

    Raises:
        _Computed: there is anything else.
    """
    node = follow(node)
    if depth == 0:
        raise _Computed
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        for element in node.elements:
            read = _added if isinstance(element, cst.StarredElement) else _items
            yield from read(element.value, follow, depth - 1)
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        yield from _added(node.left, follow, depth - 1)
        yield from _added(node.right, follow, depth - 1)
    elif isinstance(node, (cst.SimpleString, cst.ConcatenatedString, cst.Integer)):
        if isinstance(value := node.evaluated_value, bytes) or value is None:
            raise _Computed
        yield value
    elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        yield from (-item for item in _items(node.expression, follow) if isinstance(item, int))
    else:
        raise _Computed


def _added(node: cst.BaseExpression, follow: Follow, depth: int) -> Iterator[Item]:
    """The items of a list or tuple that is part of another."""
    if not isinstance(follow(node), _SEQUENCES):
        raise _Computed
    yield from _items(node, follow, depth)
