"""Renders annotations for messages, as their author would write them."""

from __future__ import annotations

import ast
import dataclasses
import types
from collections.abc import Callable
from typing import Annotated, Any, ForwardRef, Literal, Union, get_args, get_origin

from jaxtyped_static._annotations.syntax import parse_expression
from jaxtyped_static._markers import is_bare, markers_in

_MARKER_NAMES = frozenset({"Static", "Dynamic"})


def render(annotation: object) -> str:
    """Returns the annotation as source text."""
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    if isinstance(annotation, dataclasses.InitVar):
        return f"InitVar[{render(annotation.type)}]"
    if annotation is None or annotation is type(None):
        return "None"
    if annotation is Ellipsis:
        return "..."
    if isinstance(annotation, list | tuple):
        return f"[{', '.join(map(render, annotation))}]"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _render_annotated(annotation)
    if origin is Union or origin is types.UnionType:
        return " | ".join(map(render, arguments))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if arguments and (isinstance(annotation, types.GenericAlias) or origin is not None):
        name = "Callable" if origin is Callable else _name(origin)
        return f"{name}[{', '.join(map(render, arguments))}]"
    return _name(annotation)


def without_markers(text: str) -> str | None:
    """Returns the annotation with each `Static[X]` and `Dynamic[X]` replaced by `X`; None if it contains no marker."""
    if not any(name in text for name in _MARKER_NAMES):
        return None
    try:
        tree = parse_expression(text)
    except SyntaxError:
        return None
    stripper = _Stripper()
    stripped = ast.unparse(stripper.visit(tree))
    return stripped if stripper.found else None


def is_qualified_by(qualifier: str, annotation: object) -> bool:
    """Returns whether an annotation is `Final`, `ClassVar[...]` or the like, however it is kept and spelled."""
    return render(annotation).partition("[")[0].rpartition(".")[2] == qualifier


class _Stripper(ast.NodeTransformer):
    found = False

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        head = node.value
        name = head.id if isinstance(head, ast.Name) else getattr(head, "attr", None)
        if name not in _MARKER_NAMES:
            return node
        self.found = True
        return node.slice

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        stripped = without_markers(node.value) if isinstance(node.value, str) else None
        if stripped is None:
            return node
        self.found = True
        return parse_expression(stripped)


def _render_annotated(annotation: Any) -> str:
    names = sorted(marker.value for marker in markers_in(annotation.__metadata__))
    if is_bare(annotation):
        return names[0]
    text = render(annotation.__origin__)
    for name in names:
        text = f"{name}[{text}]"
    return text if names else f"Annotated[{text}, ...]"


def _name(annotation: object) -> str:
    name = getattr(annotation, "__qualname__", None) or getattr(annotation, "__name__", None)
    return name if isinstance(name, str) else repr(annotation).removeprefix("typing.")
