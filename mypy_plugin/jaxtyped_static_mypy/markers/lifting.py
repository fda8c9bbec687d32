"""Rewrites annotations: moves a marker around the whole type, or removes it."""

from collections.abc import Iterator, Mapping
from typing import Final

from mypy.types import RawExpressionType, Type, TypeList, UnboundType, UnionType, UnpackType

from ..knowledge.type_rows import FORMS_BY_NAME, WITH_ARGUMENTS
from .annotations import parts_below, render_annotation

# Mutable types, and the immutable forms that can be static.
_STATIC_FORMS: Final = {name: WITH_ARGUMENTS[form, 1] for name, form in FORMS_BY_NAME.items()}
# Types that cannot be static, or whose parts cannot.
_NOT_LIFTED: Final = frozenset({"Array", "ArrayLike", "Callable", "Dict", "defaultdict", "dict", "ndarray"})
# Qualifiers, which stay outermost.
_QUALIFIERS: Final = frozenset({"Final", "NotRequired", "ReadOnly", "Required"})
_MARKERS: Final = frozenset({"Static", "Dynamic"})
# What cannot be inside a marker.
_NOT_BELOW: Final = _MARKERS | {"Unpack"}


def lifted(whole: Type, marker: UnboundType) -> str | None:
    """`Static[int | None]` for `Static[int] | None`; None if the author cannot have meant that."""
    if isinstance(whole, UnboundType) and _name(whole) in _QUALIFIERS and len(whole.args) == 1:
        inner = lifted(whole.args[0], marker)
        return f"{whole.name}[{inner}]" if inner is not None else None
    name = _name(marker)
    below = {_name(part) for part in _parts(whole)} - {name}
    if below & _NOT_BELOW or (name == "Static" and below & _NOT_LIFTED) or not is_kept(whole):
        return None
    return f"{marker.name}[{_render(whole, marker.name, _STATIC_FORMS if name == 'Static' else {})}]"


def put_around(whole: Type, marker: UnboundType) -> str | None:
    """`Static[int]` for `Annotated[int, Static]`; None if more would have to change."""
    if not isinstance(whole, UnboundType) or not whole.args:
        return None
    inner, *extras = (part for part in whole.args if part is not marker)
    if _name(whole) in _QUALIFIERS:
        text = put_around(inner, marker)
        return f"{whole.name}[{text}]" if text is not None else None
    kept = [inner, *extras]
    if len(kept) == len(whole.args) or {_name(part) for part in _parts(inner)} & _MARKERS:
        return None
    if not all(is_kept(part) for part in kept):
        return None
    written = ", ".join(render_annotation(part) for part in kept)
    return f"{marker.name}[{whole.name}[{written}]]" if extras else f"{marker.name}[{written}]"


def unmarked(whole: Type, marker: UnboundType) -> str | None:
    """The annotation without the marker; None if mypy does not keep all that was written."""
    return _render(whole, marker.name, {}) if is_kept(whole) else None


def _render(node: Type, marker: str, forms: Mapping[str, str]) -> str:
    if isinstance(node, UnionType):
        return " | ".join(_render(item, marker, forms) for item in node.items)
    if isinstance(node, TypeList):
        return f"[{', '.join(_render(item, marker, forms) for item in node.items)}]"
    if not isinstance(node, UnboundType) or not node.args:
        return render_annotation(node)
    arguments = ", ".join(_render(argument, marker, forms) for argument in node.args)
    return arguments if node.name == marker else forms.get(node.name, f"{node.name}[{{}}]").format(arguments)


def is_kept(node: Type) -> bool:
    """Whether mypy keeps all that was written: it drops calls inside `Annotated`."""
    for part in _parts(node):
        is_dropped = isinstance(part, RawExpressionType) and part.literal_value is None
        if is_dropped or (_name(part) in _MARKERS and isinstance(part, UnboundType) and not part.args):
            return False
    return True


def _name(node: Type) -> str | None:
    if isinstance(node, UnpackType):
        return "Unpack"
    return node.name.rpartition(".")[2] if isinstance(node, UnboundType) else None


def _parts(node: Type) -> Iterator[Type]:
    yield node
    for part in parts_below(node):
        yield from _parts(part)
